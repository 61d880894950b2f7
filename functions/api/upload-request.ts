import * as z from "zod/mini";
import {
  FILENAME_CHARACTERS_MAX,
  IMPORT_HEADER_CHARACTERS_MAX,
  IMPORT_HEADERS_MAX,
  IMPORT_URL_CHARACTERS_MAX,
  UPLOAD_BYTES_MAX,
} from "../domain/limits.ts";
import { described } from "../domain/options/described.ts";
import type { BodySchema } from "./request.ts";

const filename = (description: string) =>
  described(z.string().check(z.minLength(1), z.maxLength(FILENAME_CHARACTERS_MAX)), description);

/** A file that the client will send straight to the file store. */
export const directUploadRequest = described(
  z.strictObject({
    filename: filename("The name of the file. Its bytes tell the format first, its extension second."),
    size: described(z.int().check(z.minimum(1), z.maximum(UPLOAD_BYTES_MAX)), "Bytes of the file."),
    content_type: z.optional(described(z.string().check(z.maxLength(200)), "Not needed: the bytes tell the format.")),
    sha256: z.optional(
      described(
        z.string().check(z.regex(/^[0-9a-f]{64}$/)),
        "SHA-256 of the bytes, hexadecimal; what is sent is held to it.",
      ),
    ),
  }),
  "A file that the client will send straight to the file store.",
);

/** What the connection to the other server decides, and so the client cannot. */
const OWN_HEADERS: ReadonlySet<string> = new Set(["host", "content-length", "connection", "transfer-encoding"]);

const headerName = z.string().check(
  z.regex(/^[A-Za-z0-9-]{1,100}$/),
  z.refine((name) => !OWN_HEADERS.has(name.toLowerCase()), "This header cannot be given."),
);
const headerValue = z.string().check(z.maxLength(IMPORT_HEADER_CHARACTERS_MAX), z.regex(/^[\t\x20-\x7e]*$/));

const headers = z
  .record(headerName, headerValue)
  .check(
    z.refine((entries) => Object.keys(entries).length <= IMPORT_HEADERS_MAX, `At most ${IMPORT_HEADERS_MAX} headers.`),
  );

// A refinement is not seen in the JSON Schema that is made of this.
z.globalRegistry.add(headers, {
  description: `What is sent along, say an authorization; not ${[...OWN_HEADERS].join(", ")}. It is never shown again.`,
  maxProperties: IMPORT_HEADERS_MAX,
});

/** A file that we are to fetch. */
export const urlUploadRequest = described(
  z.strictObject({
    url: described(
      z.url({ protocol: /^https?$/, hostname: /./ }).check(z.maxLength(IMPORT_URL_CHARACTERS_MAX)),
      "Where the file is. It must be reachable from the internet; up to five redirects are followed.",
    ),
    filename: z.optional(filename("The name of the file. Default: the last part of the URL's path.")),
    headers: z.optional(headers),
  }),
  "A file that the service fetches.",
);

export type JsonUploadRequest = z.infer<typeof directUploadRequest> | z.infer<typeof urlUploadRequest>;

/** @returns the schema that a JSON body is meant to have */
export const uploadRequestFor = (body: unknown): BodySchema<JsonUploadRequest> =>
  typeof body === "object" && body !== null && "url" in body ? urlUploadRequest : directUploadRequest;
