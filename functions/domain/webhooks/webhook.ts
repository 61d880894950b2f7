import { createHmac } from "node:crypto";
import type { WebhookSecret } from "../accounts/plans.ts";
import { type Job, type JobStatus, jobView, resultFilename } from "../jobs/job.ts";
import { RECORD_RETENTION_MS, WEBHOOK_FILE_BYTES_MAX } from "../limits.ts";
import { timestamp } from "../times.ts";

/** A webhook message, retried until it is delivered or given up. Times are milliseconds since 1970. */
export interface WebhookMessage {
  /** `msg_…`, derived from the ID of the job or pipeline, which so has only one message; sent as `webhook-id`. */
  readonly id: string;
  readonly accountId: string;
  /** The ID of the job, or of the pipeline. */
  readonly jobId: string;
  readonly type: WebhookType;
  readonly url: string;
  /** The body of every attempt. */
  readonly body: string;
  /** The result, which is the body instead while it exists. */
  readonly file?: WebhookFile;
  readonly status: "pending" | "delivered" | "failed";
  readonly attempts: readonly WebhookAttempt[];
  readonly createdAt: number;
  /** When a pending message is sent next. */
  readonly dueAt?: number;
  /** When the record is deleted. */
  readonly recordExpiresAt: number;
}

/** A file that a webhook sends. */
export interface WebhookFile {
  readonly key: string;
  readonly bytes: number;
  readonly mediaType: string;
  readonly filename: string;
}

export interface WebhookAttempt {
  readonly at: number;
  readonly durationMs: number;
  /** The HTTP status of the response. */
  readonly answered?: number;
  /** Why there was no response. */
  readonly error?: string;
}

export const webhookTypes = [
  "job.completed",
  "job.failed",
  "job.cancelled",
  "pipeline.completed",
  "pipeline.failed",
  "pipeline.cancelled",
] as const;

export type WebhookType = (typeof webhookTypes)[number];

/**
 * Milliseconds between attempts (Standard Webhooks). The first attempt is immediate; after the last, the message fails.
 */
export const WEBHOOK_PAUSES_MS: readonly number[] = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400].map(
  (seconds) => seconds * 1_000,
);

/** @returns the event type of an ended job; undefined for an unfinished one */
const webhookTypeOf = (status: JobStatus): WebhookType | undefined =>
  status === "completed" || status === "failed" || status === "cancelled" ? `job.${status}` : undefined;

/** @returns the ID of the message about a job or a pipeline */
export const messageIdOf = (id: string): string => id.replace(/^(?:job|pip)_/, "msg_");

/** @returns the message about the end of the job; undefined without a webhook, or for an unfinished job */
export const webhookMessageOf = (job: Job, now: number): WebhookMessage | undefined => {
  const type = webhookTypeOf(job.status);
  if (type === undefined || job.webhook === undefined) {
    return undefined;
  }
  const { url, baseUrl, sendsFile } = job.webhook;
  const file = sendsFile && fileOf(job);
  return {
    id: messageIdOf(job.id),
    accountId: job.accountId,
    jobId: job.id,
    type,
    url,
    body: JSON.stringify({ type, timestamp: timestamp(job.finishedAt ?? now), data: jobView(job, baseUrl, now) }),
    ...(file && { file }),
    status: "pending",
    attempts: [],
    createdAt: now,
    dueAt: now,
    recordExpiresAt: now + RECORD_RETENTION_MS,
  };
};

/** @returns the result, if it is small enough to be sent */
const fileOf = (job: Job): WebhookFile | undefined => {
  const { result } = job;
  return result === undefined || result.bytes > WEBHOOK_FILE_BYTES_MAX
    ? undefined
    : { key: result.key, bytes: result.bytes, mediaType: result.mediaType, filename: resultFilename(job, result) };
};

const SECRET_PREFIX = "whsec_";

/** @returns a new secret of 192 random bits */
export const newWebhookSecret = (random: (count: number) => Uint8Array): string =>
  SECRET_PREFIX + Buffer.from(random(24)).toString("base64");

/** @returns the headers of one attempt (Standard Webhooks), with a signature for each valid secret */
export const webhookHeaders = (
  { id, body }: { readonly id: string; readonly body: string | Uint8Array },
  secrets: readonly WebhookSecret[],
  now: number,
): Record<string, string> => {
  const seconds = String(Math.floor(now / 1_000));
  const signatures = secrets
    .filter(({ expiresAt = Number.POSITIVE_INFINITY }) => expiresAt > now)
    .map(({ secret }) => {
      const key = Buffer.from(secret.slice(SECRET_PREFIX.length), "base64");
      return `v1,${createHmac("sha256", key).update(`${id}.${seconds}.`).update(body).digest("base64")}`;
    });
  return {
    "content-type": "application/json",
    "webhook-id": id,
    "webhook-timestamp": seconds,
    "webhook-signature": signatures.join(" "),
  };
};

/** @returns the state of a message after an attempt: delivered on 2xx, failed on 410 and after the last attempt */
export const afterAttempt = (
  { attempts }: Pick<WebhookMessage, "attempts">,
  attempt: WebhookAttempt,
): Pick<WebhookMessage, "status" | "dueAt"> => {
  const { answered = 0 } = attempt;
  if (answered >= 200 && answered < 300) {
    return { status: "delivered" };
  }
  const pause = WEBHOOK_PAUSES_MS[attempts.length];
  return answered === 410 || pause === undefined
    ? { status: "failed" }
    : { status: "pending", dueAt: attempt.at + attempt.durationMs + pause };
};
