import { RequestError } from "../../domain/errors.ts";
import { example, operation } from "../operation.ts";
import { keyed, useOnly } from "../permissions.ts";
import { param } from "../request.ts";
import { webhookView } from "./webhook-view.ts";

/** Sends a webhook message again, immediately, regardless of its status. */
export const redeliverWebhook = operation({
  id: "redeliverWebhook",
  methods: ["POST"],
  path: "/api/v1/webhooks/{id}/redeliver",
  auth: "key",
  scope: "webhooks",
  permissions: { tables: { ...keyed, jobs: ["GetItem", "UpdateItem"] }, only: useOnly, asks: ["webhooks"] },
  tag: "Webhooks",
  summary: "Redeliver a webhook message",
  description: "Sends a webhook message again, immediately, regardless of its status.",
  parameters: ["messageId"],
  answers: { 202: { description: "The message is queued for delivery.", examples: ["webhook"] } },
  errors: ["not_found"],
  examples: ({ jobs, messageOf, now }) => ({
    webhook: example(
      "Webhook",
      "A message that will be sent again",
      webhookView({ ...messageOf(jobs.completed), status: "pending", dueAt: now }),
    ),
  }),
  run: (context) => async (request) => {
    const id = param(request, "id");
    const message = await context.webhooks.get(id);
    if (message === undefined || message.accountId !== request.accountId) {
      throw new RequestError("not_found", `Message ${id} not found.`);
    }
    await context.webhooks.revive(id, request.now);
    await context.tasks.deliver(message, 0);
    return { status: 202, body: webhookView({ ...message, status: "pending", dueAt: request.now }) };
  },
});
