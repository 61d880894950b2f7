import { createHmac } from "node:crypto";
import type { WebhookSecret } from "../accounts/plans.ts";
import { newId, sha256Hex } from "../ids.ts";
import { RECORD_RETENTION_MS } from "../limits.ts";
import type { JobEndpoints } from "./endpoint.ts";

/** A webhook message, retried until it is delivered or given up. Times are milliseconds since 1970. */
export interface WebhookMessage {
  /**
   * `msg_…`, derived from what it is about and the endpoint, which so has only one message about it; sent as
   * `webhook-id`.
   */
  readonly id: string;
  readonly accountId: string;
  /** The ID of the job or pipeline; of the account, for a quota. */
  readonly jobId: string;
  /** The endpoint, whose secrets sign the message. @default the account's webhook URL, or the URL of the job */
  readonly endpointId?: string;
  readonly type: WebhookType;
  readonly url: string;
  /** The body of every attempt. */
  readonly body: string;
  /** The result, which is the body instead while it exists. */
  readonly file?: WebhookFile;
  /** What else the notice of a quota does: see quota-notices.ts. */
  readonly notice?: QuotaNotice;
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

export const jobTypes = ["job.completed", "job.failed", "job.cancelled"] as const;

export const pipelineTypes = ["pipeline.completed", "pipeline.failed", "pipeline.cancelled"] as const;

export const quotaTypes = ["quota.warning", "quota.reached"] as const;

export const webhookTypes = [...jobTypes, ...pipelineTypes, ...quotaTypes] as const;

export type WebhookType = (typeof webhookTypes)[number];

/** A message to the endpoints that receive the type, and an email. */
export interface QuotaNotice {
  readonly endpoints: JobEndpoints["to"];
  /** Whether the owner gets an email. */
  readonly mails: boolean;
}

/**
 * Milliseconds between attempts (Standard Webhooks). The first attempt is immediate; after the last, the message fails.
 */
export const WEBHOOK_PAUSES_MS: readonly number[] = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400].map(
  (seconds) => seconds * 1_000,
);

/** @returns the ID of the message about a job or a pipeline */
export const messageIdOf = (id: string): string => id.replace(/^(?:job|pip)_/, "msg_");

/** What messages are about: a job, a pipeline, or the quota of an account. */
export interface Announced {
  readonly id: string;
  readonly accountId: string;
  readonly createdAt: number;
  readonly endpoints?: JobEndpoints;
}

/** @returns the IDs of the messages about it, sent or not */
export const messageIdsOf = (announced: Announced): readonly string[] => [
  messageIdOf(announced.id),
  ...(announced.endpoints?.to ?? []).map(({ id }) => endpointMessageId(announced, id)),
];

/** @returns the ID of the message to an endpoint: as old as what it is about, and the same in every call */
const endpointMessageId = ({ id, createdAt }: Announced, endpointId: string): string => {
  const digest = Buffer.from(sha256Hex(`${id} ${endpointId}`), "hex");
  return newId("webhook", createdAt, (count) => digest.subarray(0, count));
};

/** The content of messages about the same event. */
export interface Announcement extends Pick<WebhookMessage, "body" | "type"> {
  readonly recordExpiresAt?: number;
}

/** @returns the new message @param now when it is first due */
export const newMessage = (
  { id: jobId, accountId }: Pick<Announced, "accountId" | "id">,
  { type, body, recordExpiresAt }: Announcement,
  { now, ...to }: Pick<WebhookMessage, "id" | "url"> & Partial<WebhookMessage> & { readonly now: number },
): WebhookMessage => ({
  accountId,
  jobId,
  type,
  body,
  status: "pending",
  attempts: [],
  createdAt: now,
  dueAt: now,
  recordExpiresAt: recordExpiresAt ?? now + RECORD_RETENTION_MS,
  ...to,
});

/** @returns a message for each of the endpoints that receive the type */
export const endpointMessages = (
  announced: Announced,
  announcement: Announcement,
  now: number,
): readonly WebhookMessage[] =>
  (announced.endpoints?.to ?? []).flatMap(({ id: endpointId, url, events }) =>
    events.includes(announcement.type)
      ? [
          newMessage(announced, announcement, {
            id: endpointMessageId(announced, endpointId),
            url,
            endpointId,
            now,
          }),
        ]
      : [],
  );

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
