import {
  FILENAME_CHARACTERS_MAX,
  IDEMPOTENCY_KEY_CHARACTERS_MAX,
  PAGE_ITEMS_DEFAULT,
  PAGE_ITEMS_MAX,
} from "../../domain/limits.ts";

/** THE table of parameters. Operations name those that they accept. */

interface Parameter {
  /** @default the name of the row */
  readonly name?: string;
  readonly in: "header" | "path" | "query";
  readonly description: string;
  /** Path parameters always are. @default no */
  readonly required?: true;
  readonly schema: Readonly<Record<string, unknown>>;
  readonly example: unknown;
}

const text = { type: "string" } as const;

export const parameters = {
  jobId: { name: "id", in: "path", description: "`id` of a job.", schema: text, example: "job_00GxPqjL0a1b2c3d4e5f6g" },
  pipelineId: {
    name: "id",
    in: "path",
    description: "`id` of a pipeline.",
    schema: text,
    example: "pip_00GxPqjL0a1b2c3d4e5f6g",
  },
  presetName: { name: "name", in: "path", description: "Name of a preset.", schema: text, example: "web-photo" },
  uploadId: {
    name: "id",
    in: "path",
    description: "`upload_id` of an upload.",
    schema: text,
    example: "upl_00GxPqjL0a1b2c3d4e5f6g",
  },
  messageId: {
    name: "id",
    in: "path",
    description: "`id` of a message, which is sent as `webhook-id`.",
    schema: text,
    example: "msg_00GxPqjL0a1b2c3d4e5f6g",
  },
  endpointId: {
    name: "id",
    in: "path",
    description: "`id` of a webhook endpoint; `default` is the webhook URL of the account.",
    schema: text,
    example: "whe_00GxPqjL0a1b2c3d4e5f6g",
  },
  ofEndpoint: {
    name: "endpoint",
    in: "query",
    description:
      "Only messages to this endpoint. `default`: to the webhook URLs of the account and its jobs. A page can then have fewer messages than `limit`.",
    schema: text,
    example: "whe_00GxPqjL0a1b2c3d4e5f6g",
  },
  storageName: { name: "name", in: "path", description: "`name` of a storage.", schema: text, example: "archive" },
  apiKeyId: {
    name: "id",
    in: "path",
    description: "`id` of an API key.",
    schema: text,
    example: "key_00GxPqjL0a1b2c3d4e5f6g",
  },
  sessionId: {
    name: "id",
    in: "path",
    description: "`id` of a session.",
    schema: text,
    example: "ses_00GxPqjL0a1b2c3d4e5f6g",
  },
  memberId: {
    name: "id",
    in: "path",
    description: "`id` of a member or an invitation.",
    schema: text,
    example: "mem_00GxPqjL0a1b2c3d4e5f6g",
  },
  accountId: {
    name: "id",
    in: "path",
    description: "`id` of an account.",
    schema: text,
    example: "acc_00GxPqjL0a1b2c3d4e5f6g",
  },
  passkeyId: {
    name: "id",
    in: "path",
    description: "`id` of a passkey.",
    schema: text,
    example: "q3Fh0S5nX2yUeT8bLw9PzA",
  },
  token: {
    in: "path",
    description: "`download_token` of a result.",
    schema: text,
    example: "dl_0a1b2c3d4e5f6g7h8i9j0k1l2m3n4o5p6q7r8s9t0uv",
  },
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
  requested: {
    in: "query",
    description: "`true`: only accounts that request a plan.",
    schema: { type: "string", enum: ["true"] },
    example: "true",
  },
  after_account: {
    name: "after",
    in: "query",
    description: "`next` of the previous page. Default: the first page.",
    schema: text,
    example: "acc_00GxPqjL0a1b2c3d4e5f6g",
  },
  limit: {
    in: "query",
    description: "Items per page.",
    schema: { type: "integer", minimum: 1, maximum: PAGE_ITEMS_MAX, default: PAGE_ITEMS_DEFAULT },
    example: 50,
  },
  after: {
    in: "query",
    description: "`next` of the previous page. Default: the first page.",
    schema: text,
    example: "job_00GxPqjL0a1b2c3d4e5f6g",
  },
  status: {
    in: "query",
    description: "Only jobs with this status.",
    schema: { type: "string", enum: ["queued", "processing", "completed", "failed", "cancelled", "expired"] },
    example: "failed",
  },
  source_format: {
    in: "query",
    description: "Only jobs from this format: ID, extension or media type.",
    schema: text,
    example: "heic",
  },
  target_format: {
    in: "query",
    description: "Only jobs to this format: ID, extension or media type.",
    schema: text,
    example: "jpg",
  },
  key_id: {
    in: "query",
    description: "Only jobs or requests of this API key: its `id`.",
    schema: text,
    example: "key_00GxPqjL0a1b2c3d4e5f6g",
  },
  listed_job: {
    name: "job_id",
    in: "query",
    description: "Only this job, or requests that created or named it: its `id`.",
    schema: text,
    example: "job_00GxPqjL0a1b2c3d4e5f6g",
  },
  logEntryId: {
    name: "id",
    in: "path",
    description: "`id` of a request in the log.",
    schema: text,
    example: "req_00GxPqjL0a1b2c3d4e5f6g",
  },
  status_class: {
    in: "query",
    description: "Only requests with a status of this class.",
    schema: { type: "string", enum: ["2xx", "3xx", "4xx", "5xx"] },
    example: "4xx",
  },
  error_code: {
    in: "query",
    description: "Only requests that failed with this error code.",
    schema: { type: "string", maxLength: 64 },
    example: "quota_exceeded",
  },
  operation: {
    in: "query",
    description: "Only requests of this operation: its `operationId` in this document.",
    schema: { type: "string", maxLength: 64 },
    example: "createJob",
  },
  request_id: {
    in: "query",
    description: "Only the request with this request ID: `X-Request-Id` of its response.",
    schema: { type: "string", maxLength: 128 },
    example: "4f5f9c0e-1c7b-4e57-9a39-0b6c2f6a7d11",
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
  version: {
    name: "If-None-Match",
    in: "header",
    description: "The `ETag` of the client's version. The response is 304 if nothing has changed.",
    schema: text,
    example: '"5f1c3a0e9b7d24685f1c3a0e9b7d2468"',
  },
  lastEventId: {
    name: "Last-Event-ID",
    in: "header",
    description: "The `id` of the last received event, so that it is not sent again.",
    schema: text,
    example: "5f1c3a0e9b7d24685f1c3a0e9b7d2468",
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
  source: {
    in: "query",
    description: "Only conversions from this format: ID, extension or media type.",
    schema: text,
    example: "heic",
  },
  target: {
    in: "query",
    description: "Only conversions to this format: ID, extension or media type.",
    schema: text,
    example: "jpg",
  },
  month: {
    in: "query",
    description: "A UTC month, at most two years ago. Default: the current month.",
    schema: { type: "string", pattern: "^\\d{4}-(0[1-9]|1[0-2])$" },
    example: "2026-11",
  },
  stripeSignature: {
    name: "Stripe-Signature",
    in: "header",
    description: "Stripe's signature of the body and the time.",
    schema: text,
    example: "t=1795176000,v1=5257a869e7ecebeda32affa62cdca3fa51cad7e77a0e56ff536d0ce8e108d8bd",
  },
  family: {
    in: "query",
    description: "Only conversions from or to a format of this family.",
    schema: text,
    example: "image",
  },
  engine: {
    in: "query",
    description: "Only conversions that use this engine, as `getHealth` names it.",
    schema: text,
    example: "soffice",
  },
  conversions: {
    in: "query",
    description:
      "Whether to add `conversions`, and the media types and engines of the formats. Large lists are always compressed.",
    schema: { type: "boolean", default: false },
    example: true,
  },
  conversionSource: {
    name: "source",
    in: "path",
    description: "The source format: ID, extension or media type, in which the slash is encoded as `%2F`.",
    schema: text,
    example: "heic",
  },
  conversionTarget: {
    name: "target",
    in: "path",
    description: "The target format: ID, extension or media type, in which the slash is encoded as `%2F`.",
    schema: text,
    example: "jpg",
  },
} as const satisfies Record<string, Parameter>;

export type ParameterName = keyof typeof parameters;

/** @returns all parameters, as components of the document */
export const parameterComponents = (): Record<string, object> =>
  Object.fromEntries(
    Object.entries<Parameter>(parameters).map(([key, parameter]) => [
      key,
      { name: key, ...parameter, ...(parameter.in === "path" && { required: true }) },
    ]),
  );
