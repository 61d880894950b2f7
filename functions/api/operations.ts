import type { RequestErrorCode } from "../domain/errors.ts";
import { keyOperations } from "./key-operations.ts";
import type { ExampleName } from "./openapi/examples.ts";
import type { HeaderName } from "./openapi/headers.ts";
import type { ParameterName } from "./openapi/parameters.ts";
import type { TagName } from "./openapi/tags.ts";
import type { OperationId } from "./routes.ts";
import { sessionOperations } from "./session-operations.ts";

/** What the OpenAPI document says of an operation beyond its route. */
export interface OperationDescription {
  readonly tag: TagName;
  readonly text: string;
  readonly parameters?: readonly ParameterName[];
  /** Examples of a JSON body; their schemas are those that it may have. */
  readonly body?: readonly ExampleName[];
  /** Whether the body may be a multipart form with a file. */
  readonly form?: true;
  /** By status. */
  readonly answers: Readonly<Record<string, AnswerDescription>>;
  readonly errors: readonly RequestErrorCode[];
  /** Whether a test key can force every other error, too. */
  readonly forced?: true;
}

export interface AnswerDescription {
  readonly text: string;
  /** Of a JSON body; the first of them tells its schema. */
  readonly examples?: readonly ExampleName[];
  /** Media types of any other body. */
  readonly media?: readonly string[];
  readonly headers?: readonly HeaderName[];
}

export const descriptions: Readonly<Record<OperationId, OperationDescription>> = {
  createUpload: {
    tag: "Uploads",
    text: `Takes a file in one of three ways; \`targets\` of the answer is what it can become, as its bytes tell.

1. A multipart form with the field \`file\`: the upload is \`ready\` with the answer. On AWS up to 4,500,000 bytes, on one machine up to 5 GB.
2. JSON with \`filename\` and \`size\`, up to 5 GB: \`upload\` of the answer says where to PUT the bytes, above 100 MB in parts, which can be sent in any order and again. Then call \`completeUpload\`.
3. JSON with a \`url\`: the service fetches the file in the background. Look at \`getUpload\`.

Files stay 24 hours. With a test key (\`af_test_…\`) a file may have 1 MB, nothing is counted, and a name such as \`fail-payload_too_large.png\` or \`fail-timed_out.png\` forces that error of the request or of the job.`,
    parameters: ["idempotencyKey"],
    form: true,
    body: ["directUpload", "urlUpload"],
    answers: {
      "201": {
        text: "The file is here, or is to come.",
        examples: ["uploadReady", "uploadInOne", "uploadInParts", "uploadFetched"],
        headers: ["Idempotent-Replayed"],
      },
    },
    errors: [
      "malformed_multipart",
      "malformed_json",
      "invalid_request",
      "expired",
      "payload_too_large",
      "unsupported_media_type",
      "unrecognised_format",
      "idempotency_conflict",
      "idempotency_mismatch",
    ],
    forced: true,
  },
  getUpload: {
    tag: "Uploads",
    text: "Tells how far an upload is: `pending`, then `ready` or `failed`. While bytes are to be sent it says how, with fresh URLs, and which parts are here, so that a broken upload goes on where it was.",
    parameters: ["uploadId", "wait", "prefer"],
    answers: {
      "200": { text: "The upload as it is.", examples: ["uploadInParts", "uploadReady", "uploadFailed"] },
    },
    errors: ["invalid_request", "not_found", "expired"],
  },
  completeUpload: {
    tag: "Uploads",
    text: "Ends an upload whose bytes were sent to the file store: checks that all are there, then their size and SHA-256, and tells the format. It may be called again.",
    parameters: ["uploadId", "wait", "prefer"],
    answers: {
      "200": { text: "The upload has ended.", examples: ["uploadReady", "uploadFailed"] },
      "202": { text: "It is being looked at.", examples: ["uploadFetched"], headers: ["Retry-After"] },
    },
    errors: ["invalid_request", "not_found", "upload_incomplete", "expired"],
  },
  createJob: {
    tag: "Conversions",
    text: "Converts an uploaded file, or makes one of several. `options` must fit the JSON Schema that `listFormats` gives for the conversion. Without `wait` the answer comes at once; look at `getJob` for the end, or have it told to `webhook_url`; where none is named, the address that the account has set is told.",
    parameters: ["wait", "prefer", "idempotencyKey"],
    body: ["conversion", "merge"],
    answers: {
      "200": {
        text: "The job ended within the wait.",
        examples: ["jobCompleted", "jobFailed"],
        headers: ["Location", "Idempotent-Replayed"],
      },
      "202": {
        text: "The job is accepted.",
        examples: ["jobQueued"],
        headers: ["Location", "Retry-After", "Idempotent-Replayed"],
      },
    },
    errors: [
      "malformed_json",
      "invalid_request",
      "not_found",
      "upload_incomplete",
      "expired",
      "payload_too_large",
      "unsupported_media_type",
      "unsupported_conversion",
      "invalid_options",
      "idempotency_mismatch",
    ],
  },
  getJob: {
    tag: "Conversions",
    text: "Tells how far a job is: `queued`, `processing`, then `completed`, `failed` or `cancelled`; `expired` when the file of a completed job is gone. With `wait` it answers when the status changes.",
    parameters: ["jobId", "wait", "prefer", "version"],
    answers: {
      "200": {
        text: "The job as it is.",
        examples: ["jobCompleted", "jobQueued", "jobProcessing", "jobFailed", "jobCancelled", "jobExpired"],
        headers: ["ETag", "Retry-After"],
      },
      "304": { text: "The client has this version.", headers: ["ETag", "Retry-After"] },
    },
    errors: ["invalid_request", "not_found"],
  },
  listJobs: {
    tag: "Conversions",
    text: "Lists the account's jobs of the last 30 days, the newest first. `next` and the `Link` header lead to the next page.",
    parameters: ["limit", "after", "status"],
    answers: { "200": { text: "A page of jobs.", examples: ["jobList"], headers: ["Link"] } },
    errors: ["invalid_request"],
  },
  createBatch: {
    tag: "Conversions",
    text: "Makes up to 100 conversions, each with the body of `createJob`. Each is accepted, refused and counted by itself, in their order; the answer is 200 even when all are refused.",
    parameters: ["idempotencyKey"],
    body: ["batchRequest"],
    answers: {
      "200": { text: "What became of each, in their order.", examples: ["batch"] },
    },
    errors: ["malformed_json", "invalid_request", "payload_too_large", "unsupported_media_type"],
  },
  deleteJob: {
    tag: "Conversions",
    text: "Cancels a job that has not ended, within a second; erases one that has, with its files, at once.",
    parameters: ["jobId"],
    answers: {
      "200": { text: "The job is cancelled.", examples: ["jobCancelled"] },
      "204": { text: "The job is erased." },
    },
    errors: ["not_found"],
  },
  downloadResult: {
    tag: "Downloads",
    text: "Leads to the file by a URL that holds five minutes. HEAD describes the file and does not count. The file itself comes from a store that knows ranges; some programs (wget, urllib, Java) send the API key on to it, which S3 refuses: they ask for JSON and get the URL from there.",
    parameters: ["token"],
    answers: {
      "200": { text: "Where the file is; for `Accept: application/json`.", examples: ["download"] },
      "302": { text: "The file is there.", headers: ["Location"] },
    },
    errors: ["not_found", "expired"],
  },
  getAccount: {
    tag: "Account",
    text: "Tells the account's plan, its quota, and what of it is used in this UTC month.",
    answers: { "200": { text: "The account.", examples: ["account"] } },
    errors: [],
  },
  ...keyOperations,
  listWebhooks: {
    tag: "Webhooks",
    text: "Lists the messages to webhooks of the last 30 days with all their attempts, the newest first.",
    parameters: ["limit", "after"],
    answers: { "200": { text: "A page of messages.", examples: ["webhookList"], headers: ["Link"] } },
    errors: ["invalid_request"],
  },
  redeliverWebhook: {
    tag: "Webhooks",
    text: "Sends a message to its webhook again, at once, whatever became of it.",
    parameters: ["messageId"],
    answers: { "202": { text: "It will be sent.", examples: ["webhook"] } },
    errors: ["not_found"],
  },
  getWebhookSecret: {
    tag: "Webhooks",
    text: "Tells what webhooks are signed with (Standard Webhooks). The first job with a webhook makes the first secret.",
    answers: { "200": { text: "The secrets that hold.", examples: ["webhookSecrets"] } },
    errors: [],
  },
  rotateWebhookSecret: {
    tag: "Webhooks",
    text: "Makes a new secret. The one before it goes on signing beside it for 24 hours, so that a receiver can change over.",
    answers: { "201": { text: "The secrets that hold.", examples: ["webhookSecrets"] } },
    errors: [],
  },
  listFormats: {
    tag: "Formats",
    text: "Lists the formats and conversions of this deployment, each with the options that it takes. Only what it can really do is there. The whole list has some megabytes: ask with `Accept-Encoding: gzip`, with a filter, or for the formats alone.",
    parameters: ["source", "target", "family", "conversions", "version"],
    answers: {
      "200": { text: "Formats and conversions.", examples: ["formatList"], headers: ["ETag"] },
      "304": { text: "The client has this version.", headers: ["ETag"] },
    },
    errors: ["invalid_request"],
  },
  getOpenapi: {
    tag: "Service",
    text: "Gives this document. It is made from the schemas that validate requests.",
    parameters: ["version"],
    answers: {
      "200": { text: "The document.", media: ["application/json"], headers: ["ETag"] },
      "304": { text: "The client has this version.", headers: ["ETag"] },
    },
    errors: [],
  },
  getDocs: {
    tag: "Service",
    text: "Gives a page that shows this document, and sends requests with a key that the reader types.",
    parameters: ["version"],
    answers: {
      "200": { text: "The page.", media: ["text/html"], headers: ["ETag"] },
      "304": { text: "The client has this version.", headers: ["ETag"] },
    },
    errors: [],
  },
  getDocsFile: {
    tag: "Service",
    text: "Gives a file of that page.",
    parameters: ["file", "version"],
    answers: {
      "200": {
        text: "The file.",
        media: ["text/javascript", "text/css", "text/plain", "image/svg+xml"],
        headers: ["ETag"],
      },
      "304": { text: "The client has this version.", headers: ["ETag"] },
    },
    errors: ["not_found"],
  },
  getHealth: {
    tag: "Service",
    text: "Tells load balancers and people that the service answers.",
    answers: { "200": { text: "The service answers.", examples: ["health"] } },
    errors: [],
  },
  ...sessionOperations,
};
