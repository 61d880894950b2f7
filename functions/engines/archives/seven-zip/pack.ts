import { createReadStream, createWriteStream } from "node:fs";
import { chmod, mkdir, rename, stat, utimes } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { OUTPUT_BYTES_MAX } from "../../../domain/conversions/conversion-limits.ts";
import { JobError } from "../../../domain/errors.ts";
import type { FormatId } from "../../../domain/formats/formats.ts";
import { runProgram } from "../../core/program.ts";
import { type ArchiveEntry, permissionsOf } from "../archive/entry.ts";
import { tarBytes } from "../archive/tar-target.ts";
import type { Writing } from "../archive/targets.ts";
import { sevenZip } from "./run.ts";

type DiskWriting = Writing & { readonly folder: string };

/** What to pack, and 7-Zip's name of the format. */
interface Packing extends Omit<DiskWriting, "entries"> {
  readonly type: "7z" | "xz" | "bzip2";
  /** 7-Zip's working directory, and the path to pack inside it. */
  readonly within: string;
  readonly path: string;
  readonly bytes: number;
}

/** Default levels. With one thread, LZMA packs 6 MB/s at 3 and 13 MB/s at 1, for a fifth more bytes. */
const LEVEL = 3;
/** From this size on, finishing in time matters more than a small result. */
const LARGE_BYTES = 200_000_000;
const LEVEL_OF_LARGE = 1;

/** From this level on, LZMA uses a 64 MB dictionary and 1.3 GB of memory, which is all there is. */
const LARGE_DICTIONARY_LEVEL = 8;
const DICTIONARY_MEGABYTES_MAX = 32;

/** Archives that 7-Zip writes. */
export const sevenZipTargets: Partial<Record<FormatId, (writing: DiskWriting) => Promise<void>>> = {
  "7z": async (writing) => {
    const within = join(writing.folder, "held");
    const bytes = await spooled(writing.entries, within);
    return pack({ ...writing, type: "7z", within, path: ".", bytes });
  },
  txz: (writing) => packBytes(tarBytes(writing.entries), { ...writing, type: "xz" }),
  tbz2: (writing) => packBytes(tarBytes(writing.entries), { ...writing, type: "bzip2" }),
};

/** Compresses bytes as one file. */
export const packBytes = async (
  bytes: AsyncIterable<Buffer>,
  packing: Pick<Packing, "type" | "output" | "folder" | "level">,
): Promise<void> => {
  const file = join(packing.folder, "held");
  await pipeline(bytes, createWriteStream(file));
  return pack({ ...packing, within: packing.folder, path: "held", bytes: (await stat(file)).size });
};

const pack = async ({ type, level, output, folder, within, path, bytes }: Packing): Promise<void> => {
  const used = level ?? (bytes > LARGE_BYTES ? LEVEL_OF_LARGE : LEVEL);
  const dictionary = type !== "bzip2" && used >= LARGE_DICTIONARY_LEVEL ? [`-md=${DICTIONARY_MEGABYTES_MAX}m`] : [];
  // 7-Zip adds an extension to a name without one.
  const packed = join(folder, "packed.out");
  const args = ["a", `-t${type}`, `-mx=${used}`, ...dictionary, "-mmt=1", "-bd", "--", packed, path];
  const { code, stderr } = await runProgram(sevenZip(args, folder, within));
  if (code !== 0) {
    throw new Error(`7-Zip failed to pack the files (exit code ${code}).\n${stderr}`);
  }
  if ((await stat(packed)).size > OUTPUT_BYTES_MAX) {
    throw new JobError("output_too_large", `The result has more than ${OUTPUT_BYTES_MAX} bytes, the maximum.`);
  }
  await rename(packed, output);
};

/** Owner permissions that 7-Zip needs to read files and enter folders. */
const READABLE = 0o400;
const PASSABLE = 0o700;

/**
 * Writes entries to a folder under their safe names. Links are left out: 7z does not support them.
 *
 * @returns the total size of the files
 * @throws JobError `unsupported_feature` for a path that is longer than the system allows
 */
const spooled = async (entries: AsyncIterable<ArchiveEntry>, within: string): Promise<number> => {
  const folders = new Map<string, Metadata>();
  let bytes = 0;
  await mkdir(within);
  for await (const entry of entries) {
    const path = join(within, entry.path);
    for (let above = dirname(entry.path); above !== "." && !folders.has(above); above = dirname(above)) {
      folders.set(above, IMPLIED);
    }
    await fits(mkdir(entry.kind === "folder" ? path : dirname(path), { recursive: true }));
    if (entry.kind === "folder") {
      folders.set(entry.path, entry);
    }
    if (entry.kind === "file") {
      const content = entry.file === undefined ? entry.content() : createReadStream(entry.file);
      await fits(pipeline(content, createWriteStream(path, { flags: "wx" })));
      await setMetadata(path, entry, READABLE);
      bytes += entry.bytes;
    }
  }
  // Innermost first: writing into a folder changes its time.
  for (const [path, metadata] of [...folders].sort(([one], [other]) => other.length - one.length)) {
    await setMetadata(join(within, path), metadata, PASSABLE);
  }
  return bytes;
};

type Metadata = Pick<ArchiveEntry, "kind" | "mode" | "modified">;

/** A folder without an entry gets a fixed time, so that the same input gives the same 7z. */
const IMPLIED: Metadata = { kind: "folder", mode: 0, modified: new Date(0) };

/** Sets permissions, with these bits added, and the modification time. */
const setMetadata = async (path: string, metadata: Metadata, bits: number): Promise<void> => {
  await chmod(path, permissionsOf(metadata) | bits);
  await utimes(path, metadata.modified, metadata.modified);
};

const fits = async (work: Promise<unknown>): Promise<void> => {
  try {
    await work;
  } catch (cause) {
    if (cause instanceof Error && "code" in cause && cause.code === "ENAMETOOLONG") {
      throw new JobError("unsupported_feature", "A path in the archive is too long for the file system.", { cause });
    }
    throw cause;
  }
};
