import { createHash } from "node:crypto";
import { gunzipSync, gzipSync } from "node:zlib";
import { type Answer, type ApiRequest, hasVersion } from "./request.ts";

/** Something to read that changes only with a deployment, compressed once: API Gateway sends what it is given. */
export interface Cacheable {
  readonly mediaType: string;
  readonly gzip: Uint8Array;
  readonly plain: () => Uint8Array;
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

/** @returns content that comes compressed; for a client that cannot read that it is unpacked each time */
export const cacheableGzip = (gzip: Uint8Array, mediaType: string): Cacheable => ({
  mediaType,
  gzip,
  plain: () => gunzipSync(gzip),
  version: versionOf(gzip),
});

const versionOf = (content: Uint8Array): string => createHash("sha256").update(content).digest("hex").slice(0, 32);

/** Seconds that a client may take it for unchanged without asking. */
const FRESH_SECONDS = 300;

/** @returns the content, compressed where the client reads that; 304 where it has it. The entity tag of the compressed differs (RFC 9110, 8.8.3) */
export const cachedAnswer = (request: ApiRequest<unknown>, { mediaType, gzip, plain, version }: Cacheable): Answer => {
  const compressed = /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?(?:,|$))/i.test(request.headers["accept-encoding"] ?? "");
  const etag = compressed ? `"${version}-gzip"` : `"${version}"`;
  const headers = { etag, "cache-control": `public, max-age=${FRESH_SECONDS}`, vary: "accept-encoding" };
  if (hasVersion(request, etag)) {
    return { status: 304, headers };
  }
  const type = { "content-type": mediaType, ...(compressed && { "content-encoding": "gzip" }) };
  return { status: 200, headers: { ...headers, ...type }, bytes: compressed ? gzip : plain() };
};
