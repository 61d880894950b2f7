import { createReadStream } from "node:fs";
import { dirname } from "node:path";
import type { FormatId } from "../domain/formats.ts";
import type { Warning } from "../domain/jobs.ts";
import type { Engine, EngineTask } from "./engine.ts";
import { budgetOf } from "./io/archive/budget.ts";
import type { RawEntry } from "./io/archive/entry.ts";
import { guarded, LINKS_DROPPED, NAMES_CHANGED } from "./io/archive/guard.ts";
import { gzipHeader, singleEntry } from "./io/archive/single.ts";
import { archiveSources } from "./io/archive/sources.ts";
import { tarEntries } from "./io/archive/tar-source.ts";
import { archiveTargets, LINKING } from "./io/archive/targets.ts";
import type { DiskItem } from "./io/sevenzip/disk.ts";
import { packFile, sevenZipTargets } from "./sevenzip/targets.ts";
import { unpackArchive, unpackFile } from "./sevenzip/unpack.ts";

/**
 * Archives that need 7-Zip, as WebAssembly, to be read or written. What it unpacks lies on disk under names of ours until
 * the result is written.
 */
export const sevenZipEngine: Engine = {
  name: "sevenzip",
  version: async () => "24.09",
  convert: async (task) => {
    if (PACKED.has(task.from) && PACKED.has(task.to)) {
      await packFile(task, await unpackFile(task));
      return { warnings: [] };
    }
    const { raw, warnings } = await opened(task);
    const budget = await budgetOf(task.input);
    const safe = guarded(raw, {
      budget,
      keepsLinks: LINKING.has(task.to),
      ...(task.to === "7z" && { nameBytesMax: NAME_BYTES_MAX }),
    });
    const { output, options, folder, to } = task;
    const write = sevenZipTargets[to] ?? archiveTargets[to];
    if (write === undefined) {
      throw new TypeError(`sevenzip does not write ${to}.`);
    }
    await write({ output, folder, entries: safe.entries, level: options.level });
    return { warnings: [...warnings, ...safe.warnings()] };
  },
};

/** Bytes of a name that 7-Zip finds in a folder: emscripten's lists of folders have room for no more. */
const NAME_BYTES_MAX = 255;

/** Formats that hold one file, and most of them not even its name. */
const PACKED: ReadonlySet<FormatId> = new Set(["gz", "bz2", "xz", "zst", "lzma", "z"]);

/** Tars within these. */
const PACKED_TARS: ReadonlySet<FormatId> = new Set(["tbz2", "txz", "tlz", "taz"]);

const opened = async (task: EngineTask): Promise<{ raw: AsyncIterable<RawEntry>; warnings: readonly Warning[] }> => {
  const { from, input } = task;
  const source = archiveSources[from];
  if (source !== undefined) {
    return { raw: source(task), warnings: [] };
  }
  if (PACKED_TARS.has(from)) {
    return { raw: tarEntries(createReadStream(await unpackFile(task))), warnings: [] };
  }
  if (PACKED.has(from)) {
    const header = from === "gz" ? await gzipHeader(input) : { modified: new Date(0) };
    return { raw: singleEntry(await unpackFile(task), header), warnings: [] };
  }
  const { items, renamed, unlinked } = await unpackArchive(task);
  const warnings = [...(renamed ? [NAMES_CHANGED] : []), ...(unlinked ? [LINKS_DROPPED] : [])];
  return { raw: entriesOf(items), warnings };
};

/** A list of its own that 7-Zip shows beside the files of a XAR. */
const XAR_CONTENTS = "[TOC].xml";

const entriesOf = async function* (items: readonly DiskItem[]): AsyncGenerator<RawEntry> {
  const parents = new Set(items.map(({ path }) => dirname(path)));
  for (const { mode, ...item } of items) {
    // A folder without a time was only made because something stands in it.
    const implied = item.kind === "folder" && item.modified.getTime() === 0 && parents.has(item.path);
    if (!implied && item.path !== XAR_CONTENTS) {
      // What 7-Zip gives to files whose archive has no permissions.
      yield { ...item, mode: mode === 0o666 || mode === 0o777 ? 0 : mode, content: () => createReadStream(item.file) };
    }
  }
};
