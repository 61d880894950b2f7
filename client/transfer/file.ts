import type { Job } from "../api.ts";
import type { Converted } from "../calls/one-call.ts";
import { AnyformError, ConversionError } from "../http/errors.ts";
import { type DownloadContext, linkOf, readResult } from "./download.ts";

/**
 * The result of a conversion. The bytes of a small result have arrived with it; they are in memory, and reading them is
 * not counted. Other bytes stay on the service until they are read. The first read counts toward the quota, and so does
 * a read after the download URL has expired (five minutes).
 */
export interface ConvertedFile {
  readonly name: string;
  /** Bytes. */
  readonly size: number;
  readonly mediaType: string;
  /** Hexadecimal. */
  readonly sha256: string;
  /** Content that was lost or replaced. */
  readonly warnings: Job["warnings"];
  readonly job: Job;
  /** Fails with `checksum_mismatch` at its end if the bytes do not match the file's SHA-256. */
  stream(): ReadableStream<Uint8Array<ArrayBuffer>>;
  bytes(): Promise<Uint8Array<ArrayBuffer>>;
  blob(): Promise<Blob>;
}

/** Attempts to read a file that arrives corrupted. */
const READS_MAX = 3;

/** @throws ConversionError for a job without a result */
export const resultFile = (context: DownloadContext, { job, kept, url }: Converted): ConvertedFile => {
  const { result } = job;
  if (result === null) {
    throw new ConversionError(job);
  }
  const { size, sha256, download_token } = result;
  const source = { link: linkOf(context, download_token, url), size, sha256, kept };
  const chunks = () => readResult(context, source);
  const complete = async (): Promise<Blob> => new Blob(await collect(chunks), { type: result.media_type });
  return {
    name: result.filename,
    size,
    mediaType: result.media_type,
    sha256,
    warnings: job.warnings,
    job,
    stream: () => streamOf(chunks()),
    bytes: async () => new Uint8Array(await (await complete()).arrayBuffer()),
    blob: complete,
  };
};

/** Repeats the read until the checksum matches. */
export const readVerified = async <Result>(read: () => Promise<Result>): Promise<Result> => {
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
  readVerified(async () => {
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
