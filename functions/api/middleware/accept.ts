/** Ranges of an `Accept` header that are read; browsers send at most ten. */
const RANGES_MAX = 50;

/**
 * The default of many clients ranks JSON first: axios and Angular (`application/json, text/plain, *` + `/*`), httpie
 * (`*` + `/*;q=0.5`), n8n (`*` + `/*;q=0.7`), RestSharp (JSON and XML). They would save the JSON in place of the file. So
 * only a client that accepts nothing but JSON gets it.
 *
 * @param accept the `Accept` header (RFC 9110, 12.5.1)
 * @returns whether the client requests JSON about a file instead of the file
 */
export const onlyJson = (accept: string | undefined): boolean => {
  const ranges = (accept ?? "").split(",").slice(0, RANGES_MAX);
  const types = ranges.filter((range) => !EXCLUDED.test(range)).map(bareType);
  return types.includes("application/json") && types.every((type) => JSON_TYPES.has(type));
};

/** Generated clients list the media types of errors as well. */
const JSON_TYPES = new Set(["application/json", "application/problem+json", ""]);

/** A quality value of 0 (RFC 9110, 12.4.2). */
const EXCLUDED = /;\s*q\s*=\s*0(?:\.0*)?\s*(?:;|$)/i;

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
  return range !== undefined && !EXCLUDED.test(range);
};

const bareType = (range: string): string => (range.split(";")[0] ?? "").trim().toLowerCase();
