import { WEBHOOK_SECRET_OVERLAP_MS } from "../domain/limits.ts";
import { newWebhookSecret } from "../domain/webhooks.ts";
import { secretsView } from "./get-webhook-secret.ts";
import { http, type Operation } from "./http.ts";

/** Makes a new secret. The one before it goes on signing beside it for a day, so that a receiver can change over. */
export const rotateWebhookSecret: Operation = (context) => async (request) => {
  const { accountId, now } = request;
  const [latest] = (await context.accounts.getAccount(accountId))?.webhookSecrets ?? [];
  const secret = { secret: newWebhookSecret(context.random), createdAt: now };
  const webhookSecrets = [secret, ...(latest ? [{ ...latest, expiresAt: now + WEBHOOK_SECRET_OVERLAP_MS }] : [])];
  await context.accounts.change(accountId, { webhookSecrets });
  return { status: 201, body: secretsView(webhookSecrets, now) };
};

export const handler = http("rotateWebhookSecret", rotateWebhookSecret);
