import type { Download } from "./api.ts";
import { AnyformError } from "./errors.ts";
import { chunksOf } from "./input.ts";
import { bytesProgress, type OnProgress } from "./progress.ts";
import type { Service } from "./request.ts";
import { sleep } from "./retry.ts";
import type { Hasher } from "./sha256.ts";

/** Dependencies of a download. */
export interface DownloadContext {
  readonly service: Service;
  readonly hasher: () => Hasher;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: OnProgress | undefined;
}

/** The URL of a result. Requesting it counts toward the quota, so it is reused until it expires. */
export interface Link {
  get(): Promise<Download>;
  /** Discards an expired URL. */
  drop(): void;
}

/** Statuses of an expired URL: 403 from S3, 410 and 404 from a single-machine service. */
const EXPIRED_STATUSES = new Set([403, 404, 410]);
/** Maximum number of URLs requested for one download. */
const LINKS_MAX = 5;

export const linkOf = ({ service, signal }: DownloadContext, token: string): Link => {
  let kept: Promise<Download> | undefined;
  const ask = (): Promise<Download> =>
    service.json({ to: `download/${encodeURIComponent(token)}`, headers: { accept: "application/json" }, signal });
  const drop = (): void => {
    kept = undefined;
  };
  return {
    drop,
    get: () => {
      kept ??= ask().catch((error: unknown) => {
        drop();
        throw error;
      });
      return kept;
    },
  };
};

/** Consecutive interruptions without progress, and the pause after each. */
const STALLS_MAX = 10;
const STALL_MS = 200;

/**
 * Reads the file. An interrupted download is resumed at the last received byte, and the complete file is verified
 * against the SHA-256 that the service reports.
 * @throws AnyformError `checksum_mismatch`, after the last chunk
 */
export const readResult = async function* (
  context: DownloadContext,
  link: Link,
): AsyncGenerator<Uint8Array<ArrayBuffer>, void, undefined> {
  const { size, sha256 } = await link.get();
  const hasher = context.hasher();
  let offset = 0;
  for (let stalls = 0; offset < size; stalls += 1) {
    await sleep(stalls * STALL_MS, context.signal);
    try {
      for await (const chunk of chunksFrom(context, link, offset)) {
        hasher.update(chunk);
        offset += chunk.length;
        stalls = -1;
        context.onProgress?.(bytesProgress("download", Math.min(offset, size), size));
        yield chunk;
      }
    } catch (error) {
      context.signal?.throwIfAborted();
      if (error instanceof AnyformError || stalls >= STALLS_MAX) {
        throw error;
      }
    }
  }
  if (offset !== size || hasher.digest() !== sha256) {
    throw new AnyformError({
      code: "checksum_mismatch",
      detail: "The downloaded bytes do not match the SHA-256 of the file.",
      retryable: true,
    });
  }
};

/** @returns the bytes after the offset, until the end or an interruption */
const chunksFrom = async function* (
  context: DownloadContext,
  link: Link,
  offset: number,
): AsyncGenerator<Uint8Array<ArrayBuffer>, void, undefined> {
  const response = await context.service.repeat(() => fetchFrom(context, link, offset), { signal: context.signal });
  // A store without range support sends the file from the start.
  let known = response.status === 206 ? 0 : offset;
  for await (const chunk of response.body === null ? [] : chunksOf(response.body)) {
    const fresh = Uint8Array.from(chunk.subarray(known));
    known -= chunk.length - fresh.length;
    if (fresh.length > 0) {
      yield fresh;
    }
  }
};

const fetchFrom = async ({ service, signal }: DownloadContext, link: Link, offset: number): Promise<Response> => {
  for (let tries = 1; ; tries += 1) {
    const { url, size } = await link.get();
    try {
      const headers = offset > 0 ? { range: `bytes=${offset}-` } : {};
      return await service.once({ to: new URL(url), headers, bytes: size - offset, signal });
    } catch (error) {
      if (!(error instanceof AnyformError) || !EXPIRED_STATUSES.has(error.status) || tries >= LINKS_MAX) {
        throw error;
      }
      link.drop();
    }
  }
};
