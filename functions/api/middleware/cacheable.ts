import { createHash } from "node:crypto";
import { gunzipSync, gzipSync } from "node:zlib";
import { RequestError } from "../../domain/errors.ts";
import { type Answer, type ApiRequest, hasVersion } from "../request.ts";
import { acceptsGzip } from "./accept.ts";

/** Content that changes only with a deployment. Compressed once, because API Gateway does not compress. */
export interface Cacheable {
  readonly mediaType: string;
  readonly gzip: Uint8Array;
  /** Undefined for content that is only sent compressed. */
  readonly plain: (() => Uint8Array) | undefined;
  /** Differs whenever the content does. */
  readonly version: string;
}

/** @returns the content, compressed and with its version */
export const cacheable = (content: Uint8Array, mediaType: string): Cacheable => ({
  mediaType,
  gzip: gzipSync(content),
  plain: () => content,
  version: versionOf(content),
});

/**
 * @returns content that is already compressed. It is decompressed once, for the first client that does not accept gzip:
 * responses that clients do not read share their bytes
 */
export const cacheableGzip = (gzip: Uint8Array, mediaType: string): Cacheable => {
  let content: Uint8Array | undefined;
  const plain = (): Uint8Array => {
    content ??= gunzipSync(gzip);
    return content;
  };
  return { mediaType, gzip, plain, version: versionOf(gzip) };
};

const versionOf = (content: Uint8Array): string => createHash("sha256").update(content).digest("hex").slice(0, 32);

/** Seconds that a client may use the content without revalidating. */
const FRESH_SECONDS = 300;

/**
 * @returns the content, compressed if the client accepts that, or 304. Compressed content has a different ETag (RFC
 * 9110, 8.8.3)
 * @throws RequestError `not_acceptable` when the content is only sent compressed, and the client rejects that
 */
export const cachedAnswer = (request: ApiRequest<unknown>, { mediaType, gzip, plain, version }: Cacheable): Answer => {
  const accepted = acceptsGzip(request.headers["accept-encoding"]);
  // Without the header, any encoding is acceptable (RFC 9110, 12.5.3), but simple clients do not decompress.
  const compressed = accepted ?? plain === undefined;
  if (!compressed && plain === undefined) {
    throw new RequestError("not_acceptable", "This response is only sent compressed. Send `Accept-Encoding: gzip`.");
  }
  const etag = compressed ? `"${version}-gzip"` : `"${version}"`;
  const headers = { etag, "cache-control": `public, max-age=${FRESH_SECONDS}`, vary: "accept-encoding" };
  if (hasVersion(request, etag)) {
    return { status: 304, headers };
  }
  const type = { "content-type": mediaType, ...(compressed && { "content-encoding": "gzip" }) };
  return { status: 200, headers: { ...headers, ...type }, bytes: compressed || plain === undefined ? gzip : plain() };
};
