import type { RequestErrorCode } from "../domain/errors.ts";
import type { SchemaName } from "./openapi.ts";
import type { OperationId } from "./routes.ts";

/** What the OpenAPI document says of an operation beyond its route. */
export interface OperationDescription {
  readonly text: string;
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: "query" | "header";
    readonly description: string;
    readonly schema?: Readonly<Record<string, unknown>>;
  }[];
  /** The schema of the JSON body, or `file` for a multipart form with a file. */
  readonly body?: SchemaName | "file";
  /** By status: what it means, its body, its headers. */
  readonly answers: Readonly<
    Record<
      string,
      { readonly text: string; readonly schema?: SchemaName | "any"; readonly headers?: readonly string[] }
    >
  >;
  readonly errors: readonly RequestErrorCode[];
}

const wait = [
  {
    name: "wait",
    in: "query",
    description: "Seconds to wait for a change before the answer, at most 25.",
    schema: { type: "string", pattern: "^\\d+$" },
  },
  { name: "Prefer", in: "header", description: "`wait=25` does the same as the parameter (RFC 7240)." },
] as const;

const version = {
  name: "If-None-Match",
  in: "header",
  description: "The ETag of the answer that the client has; 304 when nothing has changed.",
} as const;

export const descriptions: Readonly<Record<OperationId, OperationDescription>> = {
  createUpload: {
    text: "Takes one file. The format is told from its bytes; `targets` is what it can become. Files stay 24 hours.",
    body: "file",
    answers: { "201": { text: "The file is here.", schema: "Upload" } },
    errors: [
      "malformed_multipart",
      "invalid_request",
      "payload_too_large",
      "unsupported_media_type",
      "unrecognised_format",
    ],
  },
  createJob: {
    text: "Converts an uploaded file. `options` must fit the JSON Schema that `listFormats` gives for the pair.",
    parameters: [
      ...wait,
      {
        name: "Idempotency-Key",
        in: "header",
        description: "Makes a repeated request safe for 24 hours: the same key and body lead to the same job.",
        schema: { type: "string", minLength: 1, maxLength: 255 },
      },
    ],
    body: "ConversionRequest",
    answers: {
      "200": { text: "The job ended within the wait.", schema: "Job", headers: ["location"] },
      "202": { text: "The job is accepted.", schema: "Job", headers: ["location", "retry-after"] },
    },
    errors: [
      "malformed_json",
      "invalid_request",
      "not_found",
      "expired",
      "payload_too_large",
      "unsupported_media_type",
      "unsupported_conversion",
      "invalid_options",
      "idempotency_mismatch",
    ],
  },
  getJob: {
    text: "States: queued, processing, then completed, failed or cancelled; expired when the files of a completed job are gone.",
    parameters: [...wait, version],
    answers: {
      "200": { text: "The job as it is.", schema: "Job", headers: ["etag"] },
      "304": { text: "The client has this version.", headers: ["etag"] },
    },
    errors: ["invalid_request", "not_found"],
  },
  downloadResult: {
    text: "Leads to the file by a URL that holds five minutes. HEAD describes the file and does not count.",
    parameters: [{ name: "Accept", in: "header", description: "`application/json` asks for the URL as JSON." }],
    answers: {
      "200": { text: "Where the file is.", schema: "Download" },
      "302": { text: "The file is there.", headers: ["location"] },
    },
    errors: ["not_found", "expired"],
  },
  listFormats: {
    text: "Only what this deployment can really do is listed.",
    parameters: [
      { name: "source", in: "query", description: "Only conversions from this format: id, extension or media type." },
      { name: "target", in: "query", description: "Only conversions into this format." },
      { name: "family", in: "query", description: "Only conversions from or into a format of this family." },
      version,
    ],
    answers: {
      "200": { text: "Formats and conversions.", schema: "FormatList", headers: ["etag"] },
      "304": { text: "The client has this version.", headers: ["etag"] },
    },
    errors: ["invalid_request"],
  },
  getOpenapi: {
    text: "Made from the schemas that validate requests.",
    answers: { "200": { text: "The document.", schema: "any" } },
    errors: [],
  },
  getHealth: {
    text: "For load balancers and people: no key needed.",
    answers: { "200": { text: "The service answers.", schema: "Health" } },
    errors: [],
  },
};
