import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { createGunzip } from "node:zlib";
import { JobError } from "../../../domain/errors.ts";
import { type FormatId, formatOf } from "../../../domain/formats.ts";
import type { Options } from "../../../domain/options.ts";
import { extract } from "../sevenzip/extract.ts";
import { budgetOf, counted } from "./budget.ts";
import type { RawEntry } from "./entry.ts";
import { tarEntries } from "./tar-source.ts";
import { through } from "./through.ts";
import { zipEntries } from "./zip-source.ts";
import { zstdBytes } from "./zstd-frames.ts";

/** What reading needs of an engine's task. */
export interface SourceTask {
  readonly input: string;
  /** A folder of the step's own. */
  readonly folder: string;
  readonly options: Options;
  readonly progress: (share: number) => void;
}

const zip = ({ input, folder, options: { password }, progress }: SourceTask): AsyncIterable<RawEntry> => {
  const unpack = async () => {
    const budget = await budgetOf(input);
    const { items } = await extract({ input, type: "zip", name: "zip", folder, budget, password });
    return items.filter(({ kind }) => kind === "file").map(({ file }) => file);
  };
  return zipEntries({ input, unpack, password, progress });
};

/** Archives that Node reads by itself, as they come. */
export const archiveSources: Partial<Record<FormatId, (task: SourceTask) => AsyncIterable<RawEntry>>> = {
  zip,
  jar: zip,
  cbz: zip,
  tar: (task) => tarEntries(bytesOf(task)),
  tgz: (task) => tarEntries(boundedBytes(task, "gz")),
  tzst: (task) => tarEntries(boundedBytes(task, "zst")),
};

/** What stands between the files of a tar, and behind its end, is counted too. */
const boundedBytes = async function* (task: SourceTask, format: keyof typeof UNPACKERS): AsyncGenerator<Buffer> {
  yield* counted(unpackedBytes(task, format), await budgetOf(task.input));
};

/** Gives the bytes of a file, and tells how far it is. */
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
} as const;

/**
 * Gives what a packed file holds.
 *
 * @throws JobError `source_corrupt`, `unsupported_feature`
 */
export const unpackedBytes = async function* (
  task: Pick<SourceTask, "input" | "progress">,
  format: keyof typeof UNPACKERS,
): AsyncGenerator<Buffer> {
  try {
    yield* UNPACKERS[format](bytesOf(task));
  } catch (error) {
    throw translated(error, format);
  }
};

/** @returns the error of a decoder as one of the table; others stay */
const translated = (error: unknown, format: keyof typeof UNPACKERS): unknown => {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (/windowTooLarge|dictionary_wrong/.test(code)) {
    const detail = "The file was packed with a window or a dictionary that cannot be used here.";
    return new JobError("unsupported_feature", detail, { cause: error });
  }
  return /^(?:Z_|ZSTD_)/.test(code)
    ? new JobError("source_corrupt", `The ${formatOf(format).name} file is damaged or incomplete.`, { cause: error })
    : error;
};
