import * as z from "zod/mini";
import { IMPORT_HEADER_CHARACTERS_MAX, IMPORT_HEADERS_MAX } from "../../domain/limits.ts";

/** Set by the connection to the other server, so clients cannot. */
const RESERVED_HEADERS: ReadonlySet<string> = new Set(["host", "content-length", "connection", "transfer-encoding"]);

const HEADER_NAME = `a header name of 1 to 100 letters, digits and hyphens, except ${[...RESERVED_HEADERS].join(", ")}`;

/**
 * @param purpose the request that has the headers
 * @returns a schema of the headers of a request to another server
 */
export const outboundHeaders = (purpose: string) => {
  const name = z.string().check(
    z.regex(/^[A-Za-z0-9-]{1,100}$/, HEADER_NAME),
    z.refine((text) => !RESERVED_HEADERS.has(text.toLowerCase()), HEADER_NAME),
  );
  const value = z.string().check(z.maxLength(IMPORT_HEADER_CHARACTERS_MAX), z.regex(/^[\t\x20-\x7e]*$/, "ASCII text"));
  const headers = z
    .record(name, value)
    .check(
      z.refine(
        (entries) => Object.keys(entries).length <= IMPORT_HEADERS_MAX,
        `an object with at most ${IMPORT_HEADERS_MAX} headers`,
      ),
    );
  // The JSON Schema that is generated from this does not include refinements.
  z.globalRegistry.add(headers, {
    description: `Headers of ${purpose}, such as \`Authorization\`; not ${[...RESERVED_HEADERS].join(", ")}. Never returned.`,
    maxProperties: IMPORT_HEADERS_MAX,
  });
  return headers;
};
