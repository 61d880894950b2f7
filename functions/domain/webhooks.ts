import { createHmac } from "node:crypto";
import { type Job, type JobStatus, jobView } from "./jobs.ts";
import { RECORD_RETENTION_MS } from "./limits.ts";
import type { WebhookSecret } from "./plans.ts";
import { timestamp } from "./times.ts";

/** One message to a webhook: it is told until it is taken, or given up. Times are milliseconds since 1970. */
export interface WebhookMessage {
  /** `msg_…`, made from the job's id, so that a job's end is told by one message only; it is the `webhook-id`. */
  readonly id: string;
  readonly accountId: string;
  readonly jobId: string;
  readonly type: WebhookType;
  readonly url: string;
  /** The body, as it is sent each time. */
  readonly body: string;
  readonly status: "pending" | "delivered" | "failed";
  readonly attempts: readonly WebhookAttempt[];
  readonly createdAt: number;
  /** When a pending one is tried next. */
  readonly dueAt?: number;
  /** When the record goes. */
  readonly recordExpiresAt: number;
}

export interface WebhookAttempt {
  readonly at: number;
  readonly durationMs: number;
  /** The status that the receiver answered. */
  readonly answered?: number;
  /** Why there was no answer. */
  readonly error?: string;
}

export type WebhookType = "job.completed" | "job.failed" | "job.cancelled";

/** Milliseconds from one attempt to the next (Standard Webhooks): the first is at once, after the last it is given up. */
export const WEBHOOK_PAUSES_MS: readonly number[] = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400].map(
  (seconds) => seconds * 1_000,
);

/** @returns what a job's end is called; undefined while it has not ended */
const webhookTypeOf = (status: JobStatus): WebhookType | undefined =>
  status === "completed" || status === "failed" || status === "cancelled" ? `job.${status}` : undefined;

/** @returns the id of the one message that tells of the job's end */
export const messageIdOf = (jobId: string): string => jobId.replace(/^job_/, "msg_");

/** @returns the message that tells of the job's end; undefined when nobody wants to know, or it has not ended */
export const webhookMessageOf = (job: Job, now: number): WebhookMessage | undefined => {
  const type = webhookTypeOf(job.status);
  if (type === undefined || job.webhook === undefined) {
    return undefined;
  }
  const { url, baseUrl } = job.webhook;
  return {
    id: messageIdOf(job.id),
    accountId: job.accountId,
    jobId: job.id,
    type,
    url,
    body: JSON.stringify({ type, timestamp: timestamp(job.finishedAt ?? now), data: jobView(job, baseUrl, now) }),
    status: "pending",
    attempts: [],
    createdAt: now,
    dueAt: now,
    recordExpiresAt: now + RECORD_RETENTION_MS,
  };
};

const SECRET_PREFIX = "whsec_";

/** @returns a new secret of 192 random bits */
export const newWebhookSecret = (random: (count: number) => Uint8Array): string =>
  SECRET_PREFIX + Buffer.from(random(24)).toString("base64");

/** @returns the headers of one attempt (Standard Webhooks): a signature for each secret that holds */
export const webhookHeaders = (
  { id, body }: Pick<WebhookMessage, "id" | "body">,
  secrets: readonly WebhookSecret[],
  now: number,
): Record<string, string> => {
  const seconds = String(Math.floor(now / 1_000));
  const signatures = secrets
    .filter(({ expiresAt = Number.POSITIVE_INFINITY }) => expiresAt > now)
    .map(({ secret }) => {
      const key = Buffer.from(secret.slice(SECRET_PREFIX.length), "base64");
      return `v1,${createHmac("sha256", key).update(`${id}.${seconds}.${body}`).digest("base64")}`;
    });
  return {
    "content-type": "application/json",
    "webhook-id": id,
    "webhook-timestamp": seconds,
    "webhook-signature": signatures.join(" "),
  };
};

/** @returns what becomes of a message after an attempt: taken by any 2xx, given up at a 410 and after the last pause */
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
