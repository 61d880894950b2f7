import type { WebhookSecret } from "../domain/plans.ts";
import { timestamp } from "../domain/times.ts";
import type { WebhookSecretView } from "../domain/views.ts";
import { http, type Operation } from "./http.ts";

/** Tells what webhooks are signed with now: one secret, or two while one that was replaced still holds; or none yet. */
export const getWebhookSecret: Operation =
  () =>
  async ({ account, now }) => ({
    status: 200,
    body: secretsView(account?.webhookSecrets ?? [], now),
  });

export const handler = http("getWebhookSecret", getWebhookSecret);

export const secretsView = (secrets: readonly WebhookSecret[], now: number): WebhookSecretView => ({
  secrets: secrets
    .filter(({ expiresAt = Number.POSITIVE_INFINITY }) => expiresAt > now)
    .map(({ secret, createdAt, expiresAt }) => ({
      secret,
      created_at: timestamp(createdAt),
      expires_at: expiresAt === undefined ? null : timestamp(expiresAt),
    })),
});
