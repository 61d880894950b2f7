import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { createBrotliDecompress, createGunzip } from "node:zlib";
import type { Options } from "../../../domain/conversions/options.ts";
import { JobError } from "../../../domain/errors.ts";
import { type FormatId, formatOf } from "../../../domain/formats/formats.ts";
import { lz4Bytes } from "../lz4/frames.ts";
import { sevenZipBytes } from "../seven-zip/run.ts";
import { budgetOf, counted } from "./budget.ts";
import type { RawEntry } from "./entry.ts";
import { tarEntries } from "./tar-source.ts";
import { through } from "./through.ts";
import { zipEntries } from "./zip-source.ts";
import { zstdBytes } from "./zstd-frames.ts";

/** What reading needs of an engine's task. */
export interface SourceTask {
  readonly input: string;
  /** A folder for this step only. */
  readonly folder: string;
  readonly options: Options;
  readonly progress: (share: number) => void;
}

const zip = ({ input, folder, options: { password }, progress }: SourceTask): AsyncIterable<RawEntry> => {
  const unpack = () => sevenZipBytes({ input, type: "zip", name: "zip", folder, password });
  return zipEntries({ input, unpack, password, progress });
};

/** Archives that Node reads as streams. */
export const archiveSources: Partial<Record<FormatId, (task: SourceTask) => AsyncIterable<RawEntry>>> = {
  zip,
  jar: zip,
  cbz: zip,
  tar: (task) => tarEntries(bytesOf(task)),
  tgz: (task) => tarEntries(boundedBytes(task, "gz")),
  tzst: (task) => tarEntries(boundedBytes(task, "zst")),
  tbr: (task) => tarEntries(boundedBytes(task, "br")),
  tlz4: (task) => tarEntries(boundedBytes(task, "lz4")),
};

/** Bytes between the files of a tar and after its end are counted, too. */
const boundedBytes = async function* (task: SourceTask, format: StreamedFormat): AsyncGenerator<Buffer> {
  yield* counted(unpackedBytes(task, format), await budgetOf(task.input));
};

/** Passes the bytes of a file through and reports progress. */
const bytesOf = async function* ({ input, progress }: Pick<SourceTask, "input" | "progress">): AsyncGenerator<Buffer> {
  const { size } = await stat(input);
  let done = 0;
  for await (const chunk of createReadStream(input, { highWaterMark: CHUNK_BYTES })) {
    yield chunk;
    done += chunk.length;
    progress(done / size);
  }
};

const CHUNK_BYTES = 262_144;

const UNPACKERS = {
  gz: (bytes: AsyncIterable<Buffer>) => through(bytes, createGunzip({ chunkSize: CHUNK_BYTES })),
  zst: zstdBytes,
  br: (bytes: AsyncIterable<Buffer>) => through(bytes, createBrotliDecompress({ chunkSize: CHUNK_BYTES })),
  lz4: lz4Bytes,
} as const;

/** A format with a single file that Node compresses and decompresses as a stream. */
export type StreamedFormat = keyof typeof UNPACKERS;

export const isStreamed = (format: FormatId): format is StreamedFormat => format in UNPACKERS;

/**
 * Returns the content of a compressed file.
 *
 * @throws JobError `source_corrupt`, `unsupported_feature`
 */
export const unpackedBytes = async function* (
  task: Pick<SourceTask, "input" | "progress">,
  format: StreamedFormat,
): AsyncGenerator<Buffer> {
  try {
    yield* UNPACKERS[format](bytesOf(task));
  } catch (error) {
    throw translated(error, format);
  }
};

/** @returns the job error for a decoder's error; other errors are returned unchanged */
const translated = (error: unknown, format: StreamedFormat): unknown => {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (/windowTooLarge|dictionary_wrong/.test(code)) {
    const detail = "The file was compressed with a dictionary or a window size that is not supported.";
    return new JobError("unsupported_feature", detail, { cause: error });
  }
  return /^(?:Z_|ZSTD_|ERR__?BROTLI|ERR__ERROR_)/.test(code)
    ? new JobError("source_corrupt", `The ${formatOf(format).name} file is damaged or incomplete.`, { cause: error })
    : error;
};
