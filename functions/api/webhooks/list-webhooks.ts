import { nextLink, pageOf } from "../middleware/pages.ts";
import { example, operation } from "../operation.ts";
import { keyed, useOnly } from "../permissions.ts";
import { webhookView } from "./webhook-view.ts";

/** Lists the account's webhook messages with all their attempts, newest first. */
export const listWebhooks = operation({
  id: "listWebhooks",
  methods: ["GET"],
  path: "/api/v1/webhooks",
  auth: "key",
  scope: "webhooks",
  permissions: { tables: { ...keyed, jobs: ["GetItem"] }, only: useOnly, index: "by-account" },
  tag: "Webhooks",
  summary: "List webhook messages",
  description: "Lists the webhook messages of the last 30 days with all their attempts, newest first.",
  parameters: ["limit", "after", "ofEndpoint"],
  answers: { 200: { description: "A page of messages.", examples: ["webhookList"], headers: ["Link"] } },
  errors: ["invalid_request"],
  examples: ({ jobs, messageOf }) => ({
    webhookList: example("WebhookList", "The last page", {
      messages: [webhookView(messageOf(jobs.completed))],
      next: null,
    }),
  }),
  run: (context) => async (request) => {
    const { endpoint: endpointId } = request.query;
    const { items, next } = await context.webhooks.list({
      accountId: request.accountId,
      ...pageOf(request, "msg_"),
      ...(endpointId !== undefined && { endpointId }),
    });
    return {
      status: 200,
      headers: nextLink(request, next),
      body: { messages: items.map(webhookView), next: next ?? null },
    };
  },
});
