import { createReadStream, createWriteStream } from "node:fs";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { OUTPUT_BYTES_MAX } from "../../domain/conversion-limits.ts";
import { JobError } from "../../domain/errors.ts";
import type { FormatId } from "../../domain/formats.ts";
import type { EngineTask } from "../engine.ts";
import { permissionsOf } from "../io/archive/entry.ts";
import { tarBytes } from "../io/archive/tar-target.ts";
import { type Writing, writePacked } from "../io/archive/targets.ts";
import type { DiskItem } from "../io/sevenzip/disk.ts";
import { pack } from "../io/sevenzip/pack.ts";

type DiskWriting = Writing & { readonly folder: string };

/** Levels where nobody asks for one. In one thread, LZMA packs 6 MB a second at 3, and 13 at 1, for a fifth more bytes. */
const LEVEL = 3;
/** Bytes from which on the result has to come in time more than it has to be small. */
const LARGE_BYTES = 200_000_000;
const LEVEL_OF_LARGE = 1;

/** Archives that 7-Zip writes. */
export const sevenZipTargets: Partial<Record<FormatId, (writing: DiskWriting) => Promise<void>>> = {
  "7z": async (writing) => packItems(writing, "7z", await spooled(writing)),
  txz: async (writing) => packItems(writing, "xz", [await tarFile(writing)]),
  tbz2: async (writing) => packItems(writing, "bzip2", [await tarFile(writing)]),
};

/** Packs one file that lies on disk. */
export const packFile = async ({ to, output, folder, options }: EngineTask, file: string): Promise<void> => {
  const { level } = options;
  if (to === "gz" || to === "zst") {
    return writePacked(createReadStream(file), { output, format: to, level });
  }
  const { size } = await stat(file);
  const items = [{ path: "file", file, bytes: size }];
  return packItems({ output, folder, level }, to === "xz" ? "xz" : "bzip2", items);
};

const packItems = (
  { output, folder, level }: Pick<DiskWriting, "output" | "folder" | "level">,
  type: "7z" | "xz" | "bzip2",
  items: readonly Partial<DiskItem>[],
): Promise<void> => {
  const bytes = items.reduce((sum, item) => sum + (item.bytes ?? 0), 0);
  const usual = bytes > LARGE_BYTES ? LEVEL_OF_LARGE : LEVEL;
  let written = 0;
  const grown = (more: number): void => {
    written += more;
    if (written > OUTPUT_BYTES_MAX) {
      throw new JobError(
        "output_too_large",
        `The result has over ${OUTPUT_BYTES_MAX} bytes, which is the most allowed.`,
      );
    }
  };
  return pack({ type, level: level ?? usual, output, folder, items, grown });
};

const tarFile = async ({ entries, folder }: DiskWriting): Promise<Partial<DiskItem>> => {
  const file = join(folder, "archive.tar");
  await pipeline(tarBytes(entries), createWriteStream(file));
  const { size } = await stat(file);
  return { path: "archive.tar", file, bytes: size };
};

/** @returns the entries with their contents on disk, where those are not there already */
const spooled = async ({ entries, folder }: DiskWriting): Promise<Partial<DiskItem>[]> => {
  const items: Partial<DiskItem>[] = [];
  for await (const entry of entries) {
    const { path, kind, modified, bytes } = entry;
    const file = entry.file ?? join(folder, `held-${items.length}`);
    if (kind === "file" && entry.file === undefined) {
      await pipeline(entry.content(), createWriteStream(file));
    }
    if (kind === "file" || kind === "folder") {
      items.push({ path, kind, modified, bytes, file, mode: permissionsOf(entry) });
    }
  }
  return items;
};
