import { FILENAME_CHARACTERS_MAX, IDEMPOTENCY_KEY_CHARACTERS_MAX } from "../../domain/limits.ts";
import { type Parameter, text } from "./parameter.ts";

/** Parameters of requests that convert or upload. */
export const conversionParameters = {
  resultFormat: {
    name: "target_format",
    in: "query",
    description: "ID, extension or media type of a format.",
    required: true,
    schema: text,
    example: "jpg",
  },
  fileFormat: {
    name: "source_format",
    in: "query",
    description: "The format of the file: ID, extension or media type. Default: detected.",
    schema: text,
    example: "heic",
  },
  sourceFilename: {
    name: "source_filename",
    in: "query",
    description: "The filename of the file. Default: that of `Content-Disposition`, or `file`.",
    schema: text,
    example: "photo.heic",
  },
  resultFilename: {
    name: "filename",
    in: "query",
    description: "The filename of the result.",
    schema: text,
    example: "photo.jpg",
  },
  webhookUrl: {
    name: "webhook_url",
    in: "query",
    description: "The URL that receives a webhook when the job ends.",
    schema: text,
    example: "https://example.com/hooks/anyform",
  },
  jobMetadata: {
    name: "metadata",
    in: "query",
    description: "Key-value pairs as a JSON object.",
    schema: text,
    example: '{"order":"17"}',
  },
  jobOptions: {
    name: "options",
    in: "query",
    description: "Options as a JSON object. Each can also be a parameter: `quality=80` or " + "`options[quality]=80`.",
    schema: text,
    example: '{"quality":80}',
  },
  wait: {
    in: "query",
    description:
      "Seconds to wait for a change before responding, up to 25; larger values mean 25. Default: 25 for a conversion of the files in the body, otherwise 0. The response can arrive earlier, and without a change.",
    schema: { type: "integer", minimum: 0, maximum: 999_999 },
    example: 25,
  },
  prefer: {
    name: "Prefer",
    in: "header",
    description: "`wait=25` is equivalent to the parameter `wait` (RFC 7240). Other preferences are ignored.",
    schema: text,
    example: "wait=25",
  },
  account_email: {
    name: "email",
    in: "query",
    description: "Only the account with this email address.",
    schema: text,
    example: "a@example.com",
  },
  filename: {
    in: "query",
    description: "Only jobs with this text in the filename of the first source file or of the result, in any case.",
    schema: { type: "string", minLength: 1, maxLength: FILENAME_CHARACTERS_MAX },
    example: "holiday",
  },
  created_after: {
    in: "query",
    description: "Only jobs or requests of this time or later: RFC 3339, or a UTC date.",
    schema: text,
    example: "2026-11-01",
  },
  created_before: {
    in: "query",
    description: "Only jobs or requests before this time: RFC 3339, or a UTC date.",
    schema: text,
    example: "2026-11-22T09:30:00Z",
  },
  idempotencyKey: {
    name: "Idempotency-Key",
    in: "header",
    description:
      "Makes it safe to retry the request for 24 hours: the same key with the same request returns the same record and " +
      "counts once. A different request with the same key is rejected. Use a random value, such as a UUID, per operation.",
    schema: { type: "string", minLength: 1, maxLength: IDEMPOTENCY_KEY_CHARACTERS_MAX },
    example: "4f5f9c0e-1c7b-4e57-9a39-0b6c2f6a7d11",
  },
} as const satisfies Record<string, Parameter>;
