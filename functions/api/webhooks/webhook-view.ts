import type { WebhookSecret } from "../../domain/accounts/plans.ts";
import { timestamp } from "../../domain/times.ts";
import type { WebhookEndpoint } from "../../domain/webhooks/endpoint.ts";
import type { WebhookMessage } from "../../domain/webhooks/message.ts";
import type { EndpointView, WebhookSecretView, WebhookView } from "../../domain/webhooks/webhook-views.ts";

/** @returns the message as the API returns it */
export const webhookView = (message: WebhookMessage): WebhookView => ({
  id: message.id,
  job_id: message.jobId,
  endpoint_id: message.endpointId ?? null,
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

/** @returns the secrets that are still valid, as the API returns them */
export const secretsView = (secrets: readonly WebhookSecret[], now: number): WebhookSecretView => ({
  secrets: secrets
    .filter(({ expiresAt = Number.POSITIVE_INFINITY }) => expiresAt > now)
    .map(({ secret, createdAt, expiresAt }) => ({
      secret,
      created_at: timestamp(createdAt),
      expires_at: expiresAt === undefined ? null : timestamp(expiresAt),
    })),
});

/** @returns the endpoint as the API returns it, with the secrets that are still valid */
export const endpointView = (endpoint: WebhookEndpoint, now: number): EndpointView => ({
  id: endpoint.id,
  url: endpoint.url,
  description: endpoint.description ?? null,
  events: [...endpoint.events],
  enabled: endpoint.enabled,
  ...secretsView(endpoint.secrets, now),
  created_at: timestamp(endpoint.createdAt),
});
