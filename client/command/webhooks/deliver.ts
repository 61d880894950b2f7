import { createHmac } from "node:crypto";
import type { Job } from "../../api.ts";
import { sleep } from "../../http/retry.ts";
import { type EventType, eventTypeOf } from "./job-events.ts";

/** Sends events as the service sends webhook messages (Standard Webhooks). */

/** A message about the end of a job. */
export interface Message {
  /** `msg_…`, derived from the job's ID as by the service. */
  readonly id: string;
  readonly type: EventType;
  readonly body: string;
}

export interface Delivery {
  readonly attempts: number;
  /** Status of the last response. */
  readonly status: number | undefined;
  /** Why there was no response. */
  readonly error: string | undefined;
  readonly milliseconds: number;
}

/** Pauses between attempts, in milliseconds: long enough for a restart of the receiver. */
const PAUSES_MS: readonly number[] = [1_000, 2_000, 4_000];
/** The limit of the service, in milliseconds. */
const ATTEMPT_MS_MAX = 15_000;
const SECRET_PREFIX = "whsec_";

/** @returns the message of a job; undefined if it has not ended */
export const messageOf = (job: Job): Message | undefined => {
  const type = eventTypeOf(job);
  return type === undefined
    ? undefined
    : {
        id: job.id.replace(/^job_/, "msg_"),
        type,
        body: JSON.stringify({ type, timestamp: job.finished_at, data: job }),
      };
};

/** Sends the message until a response has a 2xx status, or no attempts are left. */
export const deliver = async (
  message: Message,
  { url, secrets, signal }: { readonly url: URL; readonly secrets: readonly string[]; readonly signal: AbortSignal },
): Promise<Delivery> => {
  for (let attempts = 1; ; attempts += 1) {
    const delivery = { attempts, ...(await attempt(message, { url, secrets, signal })) };
    const pause = PAUSES_MS[attempts - 1];
    if (isAccepted(delivery) || pause === undefined) {
      return delivery;
    }
    await sleep(pause, signal);
  }
};

export const isAccepted = ({ status = 0 }: Pick<Delivery, "status">): boolean => status >= 200 && status < 300;

const attempt = async (
  message: Message,
  { url, secrets, signal }: { readonly url: URL; readonly secrets: readonly string[]; readonly signal: AbortSignal },
): Promise<Omit<Delivery, "attempts">> => {
  const begun = performance.now();
  const since = () => Math.round(performance.now() - begun);
  try {
    const response = await fetch(url, {
      method: "POST",
      headers: headersOf(message, secrets, Math.floor(Date.now() / 1_000)),
      body: message.body,
      redirect: "manual",
      signal: AbortSignal.any([signal, AbortSignal.timeout(ATTEMPT_MS_MAX)]),
    });
    await response.body?.cancel();
    return { status: response.status, error: undefined, milliseconds: since() };
  } catch (error) {
    signal.throwIfAborted();
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    const reason = cause instanceof Error ? cause.message || cause.name : String(cause);
    return { status: undefined, error: reason, milliseconds: since() };
  }
};

/** A signature for each secret: after a rotation, two are valid. */
const headersOf = ({ id, body }: Message, secrets: readonly string[], seconds: number): Record<string, string> => ({
  "content-type": "application/json",
  "webhook-id": id,
  "webhook-timestamp": String(seconds),
  "webhook-signature": secrets
    .map((secret) => {
      const key = Buffer.from(secret.slice(SECRET_PREFIX.length), "base64");
      return `v1,${createHmac("sha256", key).update(`${id}.${seconds}.${body}`).digest("base64")}`;
    })
    .join(" "),
});
