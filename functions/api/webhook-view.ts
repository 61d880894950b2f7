import { timestamp } from "../domain/times.ts";
import type { WebhookView } from "../domain/views.ts";
import type { WebhookMessage } from "../domain/webhooks.ts";

/** @returns the message as the API shows it */
export const webhookView = (message: WebhookMessage): WebhookView => ({
  id: message.id,
  job_id: message.jobId,
  type: message.type,
  url: message.url,
  status: message.status,
  attempts: message.attempts.map(({ at, durationMs, answered, error }) => ({
    at: timestamp(at),
    duration_ms: durationMs,
    status: answered ?? null,
    error: error ?? null,
  })),
  created_at: timestamp(message.createdAt),
  next_attempt_at: message.dueAt === undefined ? null : timestamp(message.dueAt),
});
