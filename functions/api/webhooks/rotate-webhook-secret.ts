import { WEBHOOK_SECRET_OVERLAP_MS } from "../../domain/limits.ts";
import { rotatedSecrets } from "../../domain/webhooks/endpoint.ts";
import { newWebhookSecret } from "../../domain/webhooks/message.ts";
import { operation } from "../operation.ts";
import { keyed, secretsOnly, useOnly } from "../permissions.ts";
import { secretsView } from "./webhook-view.ts";

/** Creates a new signing secret. The previous one also signs for another day, so that receivers can change over. */
export const rotateWebhookSecret = operation({
  id: "rotateWebhookSecret",
  methods: ["POST"],
  path: "/api/v1/webhooks/secret",
  auth: "key",
  scope: "webhooks",
  memoryMegabytes: 256,
  permissions: { tables: keyed, only: { ...useOnly, ...secretsOnly } },
  tag: "Webhooks",
  summary: "Rotate the signing secret",
  description:
    "Creates a new signing secret. The previous one also signs for another 24 hours, so that receivers can change over.",
  answers: { 201: { description: "The valid secrets.", examples: ["webhookSecrets"] } },
  run: (context) => async (request) => {
    const { accountId, now } = request;
    const earlier = (await context.accounts.getAccount(accountId))?.webhookSecrets ?? [];
    const secret = { secret: newWebhookSecret(context.random), createdAt: now };
    const webhookSecrets = rotatedSecrets(earlier, secret, WEBHOOK_SECRET_OVERLAP_MS);
    await context.accounts.change(accountId, { webhookSecrets });
    return { status: 201, body: secretsView(webhookSecrets, now) };
  },
});
