/** Ranges of an `Accept` header that are read; browsers send at most ten. */
const RANGES_MAX = 50;

/**
 * HTTP clients such as axios, Angular and n8n always send `application/json, text/plain, *` + `/*`, so JSON must have a
 * strictly higher quality value than everything else that matches the file.
 *
 * @param accept the `Accept` header (RFC 9110, 12.5.1)
 * @param mediaType the media type of the file
 * @returns whether the client prefers JSON about a file to the file itself
 */
export const prefersJson = (accept: string | undefined, mediaType: string): boolean => {
  const file = bareType(mediaType);
  const ofFile = new Set(["*/*", `${file.split("/")[0]}/*`, file]);
  let [json, other] = [0, 0];
  for (const range of (accept ?? "").split(",").slice(0, RANGES_MAX)) {
    const type = bareType(range);
    if (type === "application/json") {
      json = Math.max(json, qualityOf(range));
    } else if (ofFile.has(type)) {
      other = Math.max(other, qualityOf(range));
    }
  }
  return json > other;
};

/**
 * @param header the `Accept-Encoding` header (RFC 9110, 12.5.3)
 * @returns whether the client accepts gzip; undefined without the header
 */
export const acceptsGzip = (header: string | undefined): boolean | undefined => {
  if (header === undefined) {
    return undefined;
  }
  const ranges = header.split(",").slice(0, RANGES_MAX);
  const named = (names: readonly string[]) => ranges.find((range) => names.includes(bareType(range)));
  const range = named(["gzip", "x-gzip"]) ?? named(["*"]);
  return range !== undefined && qualityOf(range) > 0;
};

const bareType = (range: string): string => (range.split(";")[0] ?? "").trim().toLowerCase();

/** An invalid quality value counts as 1, like a missing one. */
const qualityOf = (range: string): number => {
  const value = /;\s*q\s*=\s*(0(?:\.\d*)?|1(?:\.0*)?)\s*(?:;|$)/i.exec(range)?.[1];
  return value === undefined ? 1 : Number(value);
};
