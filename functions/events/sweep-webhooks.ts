import { SWEEP_AHEAD_MS, SWEEP_MESSAGES_MAX } from "../domain/limits.ts";
import type { Context } from "../domain/ports.ts";

/**
 * Has messages to webhooks tried that are due, or will be before the next look: those whose pause is longer than a queue
 * waits, and those whose queue message was lost. An attempt takes a message only once, so one too many does no harm.
 *
 * @returns how many messages it sent
 */
export const sweepWebhooks = (context: Context) => async (): Promise<number> => {
  const now = context.clock();
  const due = await context.webhooks.due(now + SWEEP_AHEAD_MS, SWEEP_MESSAGES_MAX);
  for (const { id, dueAt = now } of due) {
    await context.tasks.deliver(id, Math.max(0, dueAt - now));
  }
  return due.length;
};
