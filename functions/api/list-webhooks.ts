import { http, type Operation } from "./http.ts";
import { nextLink, pageOf } from "./pages.ts";
import { webhookView } from "./webhook-view.ts";

/** Lists the account's messages to webhooks with all their attempts, the newest first. */
export const listWebhooks: Operation = (context) => async (request) => {
  const { items, next } = await context.webhooks.list({ accountId: request.accountId, ...pageOf(request, "msg_") });
  return {
    status: 200,
    headers: nextLink(request, next),
    body: { messages: items.map(webhookView), next: next ?? null },
  };
};

export const handler = http("listWebhooks", listWebhooks);
