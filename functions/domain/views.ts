import * as z from "zod/mini";
import { jobErrors, requestErrors, uploadErrors } from "./errors.ts";
import { codeOf, count, failure, fidelity, flag, headers, id, next, orNull, sha256, text, time } from "./fields.ts";
import { described } from "./options/described.ts";

/** The answers of the API as schemas. The OpenAPI document and the types of the answers are both made from them. */

export const partSchema = described(
  z.strictObject({
    number: described(z.int().check(z.minimum(1)), "1 for the first part."),
    offset: count("Bytes of the file before this part."),
    size: count("Bytes of this part."),
    url: text("Where this part is PUT; it needs no API key, and is a secret."),
    headers: headers(),
    received: flag("Whether this part is here. One that is not, or is broken, is simply sent again."),
  }),
  "One part of a large file.",
);

/** How the bytes of a pending upload are sent: by one PUT, or by one for each part. */
export const transferSchema = described(
  z.strictObject({
    method: described(z.enum(["PUT"]), "How each request to the file store is made."),
    expires_at: time("Until when the URLs hold. `getUpload` gives new ones."),
    url: z.optional(text("Where the whole file is PUT; it needs no API key, and is a secret.")),
    headers: z.optional(headers()),
    parts: z.optional(
      described(z.array(partSchema), "In place of `url`: the parts of a large file, in any order and several at once."),
    ),
  }),
  "How the bytes of a pending upload are sent: by one PUT, or by one for each part.",
);

export const uploadErrorSchema = failure(uploadErrors, "Why a file never came, or is not what it was to be.");

export const uploadSchema = described(
  z.strictObject({
    upload_id: id("upl", "What `createJob` takes."),
    status: described(
      z.enum(["ready", "pending", "failed"]),
      "`pending` while bytes are to be sent, fetched or looked at.",
    ),
    filename: text("The name of the file, cleaned of folders and control characters."),
    size: orNull(count("Bytes; null while nobody knows.")),
    sha256: orNull(sha256()),
    format: orNull(text("The id of the format, told from the bytes first; null until they are here.")),
    media_type: orNull(text("The media type of that format.")),
    targets: described(z.array(z.string()), "Ids of the formats that it can become."),
    created_at: time("When the upload was made."),
    expires_at: time("When it goes, with its file."),
    upload: z.optional(transferSchema),
    error: orNull(uploadErrorSchema),
  }),
  "A file that is here, or is to come.",
);

export const resultSchema = described(
  z.strictObject({
    filename: text("The name that it is saved by."),
    size: count("Bytes of the file."),
    media_type: text("`application/zip` where one file became several."),
    sha256: sha256(),
    download_token: id("dl", "What `downloadResult` takes; a secret."),
    download_url: text("`downloadResult` with that token."),
    expires_at: time("When the file goes."),
  }),
  "The file that a job made.",
);

export const jobErrorSchema = failure(jobErrors, "Why a job failed.");

export const jobSchema = described(
  z.strictObject({
    id: id("job", "Of the job."),
    status: described(
      z.enum(["queued", "processing", "completed", "failed", "cancelled", "expired"]),
      "`queued`, `processing`, then `completed`, `failed` or `cancelled`; `expired` when the file of a completed job is gone.",
    ),
    progress: described(z.int().check(z.minimum(0), z.maximum(100)), "Percent."),
    upload_id: id("upl", "What is converted; of a merge, the first of them."),
    source_format: text("Id of the format."),
    target_format: text("Id of the format, whatever alias was asked for."),
    options: described(z.record(z.string(), z.unknown()), "As they were given; a password is not shown."),
    steps: described(
      z.array(
        z.strictObject({
          engine: text("What does the step."),
          from: text("Id of the format."),
          to: text("Id of the format."),
          duration_ms: orNull(described(z.int(), "Milliseconds; null until the job is completed.")),
        }),
      ),
      "The way from source to target.",
    ),
    fidelity: fidelity(),
    metadata: described(z.record(z.string(), z.string()), "As it was given."),
    created_at: time("When the job was accepted."),
    started_at: orNull(time("When the latest attempt began.")),
    finished_at: orNull(time("When the job ended.")),
    expires_at: orNull(time("When the result goes.")),
    result: orNull(resultSchema),
    warnings: described(
      z.array(z.strictObject({ code: text("Stable."), detail: text("What happened.") })),
      "What the client should know of a result that is otherwise good.",
    ),
    error: orNull(jobErrorSchema),
  }),
  "One conversion.",
);

export const jobListSchema = described(
  z.strictObject({ jobs: described(z.array(jobSchema), "The newest first."), next: next() }),
  "A page of jobs.",
);

export const accountSchema = described(
  z.strictObject({
    id: text("Of the account."),
    plan: described(z.enum(["free", "api", "enterprise"]), "What the account pays for."),
    quota: described(
      z.strictObject({
        limit: count("Requests that the account may make in a UTC month."),
        used: count("Requests that were counted in this one."),
        remaining: count("Requests that are left."),
        resets_at: time("When the next month begins."),
        requests_per_second: orNull(described(z.int(), "Requests that the account may make in one second; null: any.")),
      }),
      "What the account may do.",
    ),
    retention_hours: described(z.number(), "Hours that files stay after their job; 0: until the first download."),
  }),
  "Plan, quota, and what of it is used.",
);

const webhookType = () =>
  described(z.enum(["job.completed", "job.failed", "job.cancelled"]), "What the message tells of.");

export const webhookSchema = described(
  z.strictObject({
    id: id("msg", "The `webhook-id` of the message, the same with every attempt."),
    job_id: text("The job whose end it tells."),
    type: webhookType(),
    url: text("Where it is sent."),
    status: described(z.enum(["pending", "delivered", "failed"]), "`failed` when it was given up."),
    attempts: described(
      z.array(
        z.strictObject({
          at: time("When it was sent."),
          duration_ms: described(z.int(), "Milliseconds until the answer, or until it was given up."),
          status: orNull(described(z.int(), "The HTTP status that the receiver answered.")),
          error: orNull(text("Why there was no answer.")),
        }),
      ),
      "All attempts so far, the oldest first.",
    ),
    created_at: time("When the job ended."),
    next_attempt_at: orNull(time("When it is tried next; null when it is not.")),
  }),
  "A message to a webhook.",
);

export const webhookListSchema = described(
  z.strictObject({ messages: described(z.array(webhookSchema), "The newest first."), next: next() }),
  "A page of messages.",
);

export const webhookSecretSchema = described(
  z.strictObject({
    secrets: described(
      z.array(
        z.strictObject({
          secret: text("`whsec_` and the key in base64, as libraries of Standard Webhooks take it."),
          created_at: time("When it was made."),
          expires_at: orNull(time("Until when it still signs, where it was replaced.")),
        }),
      ),
      "The newest first; each signs every message.",
    ),
  }),
  "What webhooks are signed with.",
);

/** What is sent to a webhook. */
export const webhookEventSchema = described(
  z.strictObject({ type: webhookType(), timestamp: time("When the job ended."), data: jobSchema }),
  "What is sent to a webhook.",
);

export const downloadSchema = described(
  z.strictObject({
    url: text("Where the file is; it needs no API key, and is a secret."),
    expires_at: time("Until when the URL holds."),
    filename: text("The name that the file is saved by."),
    size: count("Bytes of the file."),
    sha256: sha256(),
  }),
  "Where a result is.",
);

export const formatSchema = described(
  z.strictObject({
    id: text("What the API calls it."),
    name: text("What people call it."),
    family: text("What it is for: image, document, audio, …"),
    extensions: described(z.array(z.string()), "Without the dot; the first is the one that we write."),
    media_types: described(z.array(z.string()), "The first is the one that we write."),
    readable: flag("Whether anything can be made of it here."),
    writable: flag("Whether it can be made here."),
    engines: described(z.array(z.string()), "What reads or writes it here, as `getHealth` names it."),
  }),
  "A format of files.",
);

export const conversionSchema = described(
  z.strictObject({
    source: text("Id of the format that is read."),
    target: text("Id of the format that is written."),
    fidelity: fidelity(),
    steps: described(
      z.array(z.strictObject({ engine: text("What does it."), from: text("Id."), to: text("Id.") })),
      "The way there.",
    ),
    drops: described(z.array(z.string()), "What the source can carry and the result does not."),
    options: described(z.record(z.string(), z.unknown()), "JSON Schema (2020-12) of the `options` that it takes."),
    merges: flag("Whether several files of the source become one."),
    max_bytes: count("Bytes of the largest file that it takes; of a merge, of all of them."),
  }),
  "What can be made of what, and how.",
);

export const formatListSchema = described(
  z.strictObject({
    formats: described(z.array(formatSchema), "Those that the conversions name."),
    conversions: described(
      z.array(conversionSchema),
      "Every pair that this deployment converts; none with `conversions=false`.",
    ),
  }),
  "Formats and conversions.",
);

export const healthSchema = described(
  z.strictObject({
    status: described(z.enum(["ok"]), "Nothing else is said: a service that is not well does not answer."),
    engines: described(z.record(z.string(), z.string()), "The versions of what converts, by name."),
  }),
  "That the service answers.",
);

export const problemSchema = described(
  z.strictObject({
    type: text("Leads to the row of the code in `x-errors` of this document."),
    title: text("The code in words."),
    status: described(z.int(), "The HTTP status."),
    detail: text("What was wrong with this request, and what would be right."),
    instance: text("The path of the request, without anything secret."),
    code: codeOf(requestErrors, "Stable: what a program should look at."),
    request_id: text("What to send us when you ask about it; `X-Request-Id` of the answer, too."),
    retryable: flag("Whether the same request may succeed later without a change."),
    errors: z.optional(
      described(
        z.array(
          z.strictObject({
            pointer: text("JSON pointer (RFC 6901) into the body, or `/` and the name of a parameter."),
            code: text("What is wrong there."),
            detail: text("The same in words."),
          }),
        ),
        "Everything that is wrong in the request.",
      ),
    ),
    supported_targets: z.optional(described(z.array(z.string()), "Formats that the file can become instead.")),
  }),
  "Problem details (RFC 9457).",
);

export const batchSchema = described(
  z.strictObject({
    items: described(
      z.array(
        z.strictObject({
          status: described(z.int(), "The HTTP status that the conversion would have got by itself."),
          job: orNull(jobSchema),
          problem: orNull(problemSchema),
        }),
      ),
      "What became of each conversion, in their order.",
    ),
  }),
  "The outcome of a batch.",
);

export type BatchView = z.infer<typeof batchSchema>;
export type AccountView = z.infer<typeof accountSchema>;
export type WebhookView = z.infer<typeof webhookSchema>;
export type WebhookSecretView = z.infer<typeof webhookSecretSchema>;
export type TransferView = z.infer<typeof transferSchema>;
export type UploadView = z.infer<typeof uploadSchema>;
export type JobView = z.infer<typeof jobSchema>;
export type DownloadView = z.infer<typeof downloadSchema>;
export type FormatListView = z.infer<typeof formatListSchema>;
export type ProblemView = z.infer<typeof problemSchema>;
