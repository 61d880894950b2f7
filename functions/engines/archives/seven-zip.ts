import { createWriteStream } from "node:fs";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import type { FormatId } from "../../domain/formats/formats.ts";
import type { Engine, EngineTask } from "../core/engine.ts";
import { runProgram } from "../core/program.ts";
import { budgetOf } from "./archive/budget.ts";
import type { RawEntry } from "./archive/entry.ts";
import { guarded } from "./archive/guard.ts";
import { gzipHeader, singleEntry } from "./archive/single.ts";
import { archiveSources, isStreamed } from "./archive/sources.ts";
import { tarEntries } from "./archive/tar-source.ts";
import { archiveTargets, LINKING, writePacked } from "./archive/targets.ts";
import { packBytes, sevenZipTargets } from "./seven-zip/pack.ts";
import { sevenZip } from "./seven-zip/run.ts";
import { archiveEntries, singleBytes } from "./seven-zip/unpack.ts";

/**
 * Archives that need 7-Zip (`7zz`) or unar to read, or 7-Zip to write. Contents are read through a pipe, so no name
 * from an archive reaches the disk. Files that 7-Zip packs are in the step's folder, under safe names.
 */
export const sevenZipEngine: Engine = {
  name: "seven-zip",
  version: async () => {
    const { stdout } = await runProgram({ ...sevenZip([], "/"), timeoutMs: VERSION_MS_MAX });
    return /7-Zip[^\d]*(\d+\.\d+)/.exec(stdout.toString("latin1"))?.[1] ?? "unknown";
  },
  convert: async (task) => {
    if (PACKED.has(task.from) && PACKED.has(task.to)) {
      await repack(task);
      return { warnings: [] };
    }
    const { output, options, folder, to } = task;
    const { entries, warnings } = guarded(await opened(task), {
      budget: await budgetOf(task.input),
      keepsLinks: LINKING.has(to),
      ...(to === "7z" && { nameBytesMax: NAME_BYTES_MAX }),
    });
    const write = sevenZipTargets[to] ?? archiveTargets[to];
    if (write === undefined) {
      throw new TypeError(`seven-zip does not write ${to}.`);
    }
    await write({ output, folder, entries, level: options.level });
    return { warnings: warnings() };
  },
};

const VERSION_MS_MAX = 10_000;

/** Maximum bytes of a name in most file systems. */
const NAME_BYTES_MAX = 255;

/** Formats with a single file, most of them without its name. */
const PACKED: ReadonlySet<FormatId> = new Set(["gz", "bz2", "xz", "zst", "lzma", "z", "br", "lz4"]);

/** Tar archives inside of these formats. */
const PACKED_TARS: ReadonlySet<FormatId> = new Set(["tbz2", "txz", "tlz", "taz"]);

const repack = (task: EngineTask): Promise<void> => {
  const { to, output, folder, options } = task;
  const bytes = singleBytes(task);
  return isStreamed(to)
    ? writePacked(bytes, { output, format: to, level: options.level })
    : packBytes(bytes, { output, folder, level: options.level, type: to === "xz" ? "xz" : "bzip2" });
};

const opened = async (task: EngineTask): Promise<AsyncIterable<RawEntry>> => {
  const { from, input, folder } = task;
  const source = archiveSources[from];
  if (source !== undefined) {
    return source(task);
  }
  if (PACKED_TARS.has(from)) {
    return tarEntries(singleBytes(task));
  }
  if (PACKED.has(from)) {
    const file = join(folder, "unpacked");
    await pipeline(singleBytes(task), createWriteStream(file));
    return singleEntry(file, from === "gz" ? await gzipHeader(input) : { modified: new Date(0) }, task.name);
  }
  return archiveEntries(task);
};
