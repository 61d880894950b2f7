import type { Job } from "./api.ts";
import { type DownloadContext, linkOf, readResult } from "./download.ts";
import { AnyformError, ConversionError } from "./errors.ts";

/**
 * The result of a conversion. Its bytes stay at the service until they are read; the first reading counts towards the
 * quota, and so does one after the five minutes that its URL holds.
 */
export interface ConvertedFile {
  readonly name: string;
  /** Bytes. */
  readonly size: number;
  readonly mediaType: string;
  /** Hexadecimal. */
  readonly sha256: string;
  /** What was lost or replaced. */
  readonly warnings: Job["warnings"];
  readonly job: Job;
  /** Errors with `checksum_mismatch` at its end when what came is not the file. */
  stream(): ReadableStream<Uint8Array<ArrayBuffer>>;
  bytes(): Promise<Uint8Array<ArrayBuffer>>;
  blob(): Promise<Blob>;
}

/** Times that a file is read which came changed. */
const READS_MAX = 3;

/** @throws ConversionError for a job that has no result */
export const resultFile = (context: DownloadContext, job: Job): ConvertedFile => {
  const { result } = job;
  if (result === null) {
    throw new ConversionError(job);
  }
  const link = linkOf(context, result.download_token);
  const chunks = () => readResult(context, link);
  const whole = async (): Promise<Blob> => new Blob(await collect(chunks), { type: result.media_type });
  return {
    name: result.filename,
    size: result.size,
    mediaType: result.media_type,
    sha256: result.sha256,
    warnings: job.warnings,
    job,
    stream: () => streamOf(chunks()),
    bytes: async () => new Uint8Array(await (await whole()).arrayBuffer()),
    blob: whole,
  };
};

/** Reads until the file came unchanged. */
export const readWhole = async <Result>(read: () => Promise<Result>): Promise<Result> => {
  for (let reads = 1; ; reads += 1) {
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof AnyformError) || error.code !== "checksum_mismatch" || reads >= READS_MAX) {
        throw error;
      }
    }
  }
};

const collect = (chunks: () => AsyncIterable<Uint8Array<ArrayBuffer>>): Promise<Uint8Array<ArrayBuffer>[]> =>
  readWhole(async () => {
    const all = [];
    for await (const chunk of chunks()) {
      all.push(chunk);
    }
    return all;
  });

const streamOf = (chunks: AsyncGenerator<Uint8Array<ArrayBuffer>>): ReadableStream<Uint8Array<ArrayBuffer>> =>
  new ReadableStream({
    pull: async (controller) => {
      const { done, value } = await chunks.next();
      if (done) {
        controller.close();
        return;
      }
      controller.enqueue(value);
    },
    cancel: async () => void (await chunks.return(undefined)),
  });
