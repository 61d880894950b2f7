import { createWriteStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import { constants, createBrotliCompress, createGzip, createZstdCompress } from "node:zlib";
import { LEVELS } from "../../../domain/conversions/by-engine/archives/packed.ts";
import type { FormatId } from "../../../domain/formats/formats.ts";
import { lz4Frame } from "../lz4/pack.ts";
import type { ArchiveEntry } from "./entry.ts";
import type { StreamedFormat } from "./sources.ts";
import { tarBytes } from "./tar-target.ts";
import { writeZipArchive } from "./zip-target.ts";

/** What to write: archive entries to a file, at this compression level (1 to 9). */
export interface Writing {
  readonly output: string;
  readonly entries: AsyncIterable<ArchiveEntry>;
  readonly level: number | undefined;
}

const zip = ({ output, entries, level }: Writing): Promise<void> => writeZipArchive(output, entries, level);

/** Archives that Node writes as streams. */
export const archiveTargets: Partial<Record<FormatId, (writing: Writing) => Promise<void>>> = {
  zip,
  cbz: zip,
  tar: ({ output, entries }) => pipeline(tarBytes(entries), createWriteStream(output, FRESH)),
  tgz: ({ output, entries, level }) => writePacked(tarBytes(entries), { output, format: "gz", level }),
  tzst: ({ output, entries, level }) => writePacked(tarBytes(entries), { output, format: "zst", level }),
  tbr: ({ output, entries, level }) => writePacked(tarBytes(entries), { output, format: "br", level }),
  tlz4: ({ output, entries, level }) => writePacked(tarBytes(entries), { output, format: "lz4", level }),
};

/** Formats that support links. */
export const LINKING: ReadonlySet<FormatId> = new Set(["tar", "tgz", "tzst", "tbz2", "txz", "tbr", "tlz4"]);

const FRESH = { flags: "wx" } as const;
const CHUNK_BYTES = 262_144;

/** Zstandard levels go up to 19; 3 is its default. */
const ZSTANDARD_LEVELS = [1, 2, 3, 5, 7, 9, 12, 15, 19] as const;

/** Brotli qualities go up to 11, which takes a second per megabyte. */
const BROTLI_QUALITIES = [1, 2, 4, 5, 6, 7, 9, 10, 11] as const;

const PACKERS = {
  gz: (level: number = LEVELS.deflate) => createGzip({ level, chunkSize: CHUNK_BYTES }),
  zst: (level: number = LEVELS.zstandard) =>
    createZstdCompress({
      chunkSize: CHUNK_BYTES,
      params: {
        [constants.ZSTD_c_compressionLevel]: ZSTANDARD_LEVELS[level - 1] ?? 3,
        [constants.ZSTD_c_checksumFlag]: 1,
      },
    }),
  br: (level: number = LEVELS.brotli) =>
    createBrotliCompress({
      chunkSize: CHUNK_BYTES,
      params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITIES[level - 1] ?? 6 },
    }),
} as const;

/** Writes compressed bytes to a file that does not exist yet. */
export const writePacked = (
  bytes: AsyncIterable<Buffer>,
  { output, format, level }: { output: string; format: StreamedFormat; level: number | undefined },
): Promise<void> => {
  const file = createWriteStream(output, FRESH);
  return format === "lz4" ? pipeline(lz4Frame(bytes), file) : pipeline(bytes, PACKERS[format](level), file);
};
