import { example, operation } from "../operation.ts";
import { keyed, useOnly } from "../permissions.ts";
import { secretsView } from "./webhook-view.ts";

/** Returns the signing secrets: one, or two while a rotated one is still valid; or none yet. */
export const getWebhookSecret = operation({
  id: "getWebhookSecret",
  methods: ["GET"],
  path: "/api/v1/webhooks/secret",
  auth: "key",
  scope: "webhooks",
  memoryMegabytes: 256,
  permissions: { tables: keyed, only: useOnly },
  tag: "Webhooks",
  summary: "Retrieve the signing secret",
  description:
    "Returns the secrets that sign webhook messages (Standard Webhooks). The first secret is created with the first job that has a webhook.",
  answers: { 200: { description: "The valid secrets.", examples: ["webhookSecrets"] } },
  examples: ({ time, now }) => ({
    webhookSecrets: example(
      "WebhookSecrets",
      "The current secret and a rotated one",
      secretsView(
        [
          { secret: "whsec_bmV3IG5ldyBuZXcgbmV3IG5ldyBuZXc=", createdAt: time },
          { secret: "whsec_b2xkIG9sZCBvbGQgb2xkIG9sZCBvbGQ=", createdAt: time - 1e10, expiresAt: time + 86_400_000 },
        ],
        now,
      ),
    ),
  }),
  run:
    () =>
    async ({ account, now }) => ({
      status: 200,
      body: secretsView(account?.webhookSecrets ?? [], now),
    }),
});
