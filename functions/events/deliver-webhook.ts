import { context as deployedContext } from "#context";
import { WEBHOOK_ATTEMPT_MS_MAX, WEBHOOK_ERROR_CHARACTERS_MAX } from "../domain/limits.ts";
import { attemptMeasured } from "../domain/measurements.ts";
import type { Context } from "../domain/ports.ts";
import { afterAttempt, type WebhookAttempt, type WebhookMessage, webhookHeaders } from "../domain/webhooks/webhook.ts";
import { logger } from "../logger.ts";
import { reachable } from "../outbound/addresses.ts";
import { send } from "../outbound/request.ts";
import { fairTaskHandler, type MessageOutcome } from "./queue.ts";

/** Milliseconds that an attempt holds a message. If it never ends, the message is due again afterward. */
const CLAIM_MS = 2 * WEBHOOK_ATTEMPT_MS_MAX;

/** Longest pause that a queue can delay, in milliseconds. The sweeper handles longer ones. */
const QUEUE_PAUSE_MS_MAX = 15 * 60_000;

/**
 * Attempts to deliver a due webhook message. Any 2xx accepts it, a 410 ends it, and otherwise it is due again after the
 * next pause of the schedule. It may be called any number of times; one attempt at a time holds the message.
 */
export const deliverWebhook =
  (context: Context) =>
  async (id: string): Promise<MessageOutcome> => {
    const now = context.clock();
    const message = await context.webhooks.get(id);
    if (message?.status !== "pending" || message.dueAt === undefined || message.dueAt > now) {
      return "done";
    }
    if (!(await context.webhooks.claim(id, message.dueAt, now + CLAIM_MS))) {
      return "done";
    }
    const attempt = await tried(context, message, now);
    const next = afterAttempt(message, attempt);
    await context.webhooks.record(id, attempt, next);
    context.metrics.record(attemptMeasured(attempt, next));
    logger.info("webhook tried", {
      message_id: id,
      job_id: message.jobId,
      account_id: message.accountId,
      status: next.status,
      answered: attempt.answered,
      duration_ms: attempt.durationMs,
    });
    const pause = (next.dueAt ?? 0) - context.clock();
    if (next.dueAt !== undefined && pause <= QUEUE_PAUSE_MS_MAX) {
      await context.tasks.deliver(message, Math.max(0, pause));
    }
    return "done";
  };

let deliverOne: ReturnType<typeof deliverWebhook> | undefined;

export const handler = fairTaskHandler(deployedContext, (id) => {
  deliverOne ??= deliverWebhook(deployedContext());
  return deliverOne(id);
});

const tried = async (context: Context, message: WebhookMessage, at: number): Promise<WebhookAttempt> => {
  const started = performance.now();
  const account = await context.accounts.getAccount(message.accountId);
  try {
    const response = await send({
      method: "POST",
      url: new URL(message.url),
      headers: webhookHeaders(message, account?.webhookSecrets ?? [], at),
      body: message.body,
      signal: AbortSignal.timeout(WEBHOOK_ATTEMPT_MS_MAX),
      reaches: reachable(context.importAllowed ?? []),
    });
    // Only the status of the response is used.
    response.destroy();
    return { at, durationMs: since(started), answered: response.statusCode ?? 0 };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { at, durationMs: since(started), error: reason.slice(0, WEBHOOK_ERROR_CHARACTERS_MAX) };
  }
};

const since = (started: number): number => Math.round(performance.now() - started);
