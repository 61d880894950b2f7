import type { Download } from "../api.ts";
import { patient } from "../calls/hashing.ts";
import type { Kept } from "../calls/kept.ts";
import { AnyformError } from "../http/errors.ts";
import type { Service } from "../http/request.ts";
import { sleep } from "../http/retry.ts";
import { chunksOf } from "./input.ts";
import { bytesProgress, type OnProgress } from "./progress.ts";
import type { Hasher } from "./sha256.ts";

/** Dependencies of a download. */
export interface DownloadContext {
  readonly service: Service;
  readonly hasher: () => Hasher;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: OnProgress | undefined;
}

type Target = Pick<Download, "url">;

/** A result: where its bytes are, and what they must be. */
export interface Source {
  readonly link: Link;
  readonly size: number;
  readonly sha256: string;
  readonly kept?: Kept | undefined;
}

/** The URL of a result. Requesting it counts toward the quota, so it is reused until it expires. */
export interface Link {
  get(): Promise<Target>;
  /** Discards an expired URL. */
  drop(): void;
}

/** Statuses of an expired URL: 403 from S3, 410 and 404 from a single-machine service. */
const EXPIRED_STATUSES = new Set([403, 404, 410]);
/** Maximum number of URLs requested for one download. */
const LINKS_MAX = 5;

/** @param known a URL of the result, if there is one already */
export const linkOf = ({ service, signal }: DownloadContext, token: string, known?: URL): Link => {
  let kept: Promise<Target> | undefined = known && Promise.resolve({ url: known.href });
  const ask = (): Promise<Target> =>
    service.json<Download>({
      to: `download/${encodeURIComponent(token)}`,
      headers: { accept: "application/json" },
      signal,
    });
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
  source: Source,
): AsyncGenerator<Uint8Array<ArrayBuffer>, void, undefined> {
  const { size, sha256 } = source;
  const hasher = patient(context.hasher());
  let offset = 0;
  for (let stalls = 0; offset < size; stalls += 1) {
    await sleep(stalls * STALL_MS, context.signal);
    try {
      for await (const chunk of chunksFrom(context, source, offset)) {
        await hasher.update(chunk);
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
    source.kept?.drop();
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
  source: Source,
  offset: number,
): AsyncGenerator<Uint8Array<ArrayBuffer>, void, undefined> {
  const kept = offset === 0 ? source.kept?.open() : undefined;
  if (kept !== undefined) {
    yield* copiesOf(kept);
    return;
  }
  const response = await context.service.repeat(() => fetchFrom(context, source, offset), { signal: context.signal });
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

const copiesOf = async function* (
  stream: ReadableStream<Uint8Array>,
): AsyncGenerator<Uint8Array<ArrayBuffer>, void, undefined> {
  for await (const chunk of chunksOf(stream)) {
    yield Uint8Array.from(chunk);
  }
};

const fetchFrom = async (
  { service, signal }: DownloadContext,
  { link, size }: Source,
  offset: number,
): Promise<Response> => {
  for (let tries = 1; ; tries += 1) {
    const { url } = await link.get();
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
