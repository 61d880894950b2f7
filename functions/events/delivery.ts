import { queueDelivery } from "../domain/exports/job-export.ts";
import type { Context } from "../domain/ports.ts";
import { afterAttempt, type WebhookAttempt, type WebhookMessage } from "../domain/webhooks/message.ts";
import { logger } from "../logger.ts";
import { reasonOf, stopwatch } from "../outbound/webhook-sender.ts";
import type { MessageOutcome } from "./queue.ts";

/** How messages of a kind are sent. */
export interface MessageKind {
  readonly name: "export" | "notice" | "webhook";
  /** Milliseconds that an attempt holds a message. If it never ends, the message is due again afterward. */
  readonly claimMs: number;
  /** Sends the message. @throws DeliveryEnded, or any error, which is recorded and retried */
  readonly send: (context: Context, message: WebhookMessage, at: number) => Promise<Answered & Pick<Tried, "location">>;
  /** Called before an attempt is recorded. */
  readonly note: (context: Context, message: WebhookMessage, tried: Tried) => Promise<void>;
}

/** The response of a server. */
export type Answered = Pick<WebhookAttempt, "answered" | "error">;

export interface Tried {
  readonly attempt: WebhookAttempt;
  readonly next: Pick<WebhookMessage, "status" | "dueAt">;
  /** Where the content was sent, if that was decided now. */
  readonly location?: string;
}

/** Another attempt would fail as well. */
export class DeliveryEnded extends Error {}

/** Longest pause that a queue can delay, in milliseconds. The sweeper handles longer ones. */
const QUEUE_PAUSE_MS_MAX = 15 * 60_000;

/**
 * Attempts to deliver a due message. Any 2xx accepts it, a 410 ends it, and otherwise it is due again after the next
 * pause of the schedule. It may be called any number of times; one attempt at a time holds the message.
 */
export const deliverMessage =
  (kind: MessageKind) =>
  (context: Context) =>
  async (id: string): Promise<MessageOutcome> => {
    const now = context.clock();
    const message = await context.webhooks.get(id);
    if (message?.status !== "pending" || message.dueAt === undefined || message.dueAt > now) {
      return "done";
    }
    if (!(await context.webhooks.claim(id, message.dueAt, now + kind.claimMs))) {
      return "done";
    }
    const tried = await attempted(kind, context, message, now);
    const { attempt, next } = tried;
    await kind.note(context, message, tried);
    await context.webhooks.record(id, attempt, next);
    logger.info(`${kind.name} tried`, {
      message_id: id,
      job_id: message.jobId,
      account_id: message.accountId,
      status: next.status,
      answered: attempt.answered,
      duration_ms: attempt.durationMs,
    });
    const pause = (next.dueAt ?? 0) - context.clock();
    if (next.dueAt !== undefined && pause <= QUEUE_PAUSE_MS_MAX) {
      await queueDelivery(context.tasks, message, Math.max(0, pause));
    }
    return "done";
  };

const attempted = async (kind: MessageKind, context: Context, message: WebhookMessage, at: number): Promise<Tried> => {
  const ended = stopwatch(at);
  try {
    const { location, ...outcome } = await kind.send(context, message, at);
    const attempt = ended(outcome);
    return { attempt, next: afterAttempt(message, attempt), ...(location !== undefined && { location }) };
  } catch (error) {
    const attempt = ended({ error: reasonOf(error) });
    return { attempt, next: error instanceof DeliveryEnded ? { status: "failed" } : afterAttempt(message, attempt) };
  }
};
