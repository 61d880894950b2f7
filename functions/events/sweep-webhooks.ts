import { queueDelivery } from "../domain/exports/job-export.ts";
import { SWEEP_AHEAD_MS, SWEEP_MESSAGES_MAX } from "../domain/limits.ts";
import type { Context } from "../domain/ports.ts";

/**
 * Queues webhook messages and exports that are due before the next run: those with a pause longer than the queue's maximum delay, and
 * those whose queue message was lost. Only one attempt can hold a message, so duplicates are harmless.
 *
 * @returns the number of queued messages
 */
export const sweepWebhooks = (context: Context) => async (): Promise<number> => {
  const now = context.clock();
  const due = await context.webhooks.due(now + SWEEP_AHEAD_MS, SWEEP_MESSAGES_MAX);
  for (const message of due) {
    await queueDelivery(context.tasks, message, Math.max(0, (message.dueAt ?? now) - now));
  }
  return due.length;
};
