import { RequestError } from "../domain/errors.ts";
import { http, type Operation } from "./http.ts";
import { param } from "./request.ts";
import { webhookView } from "./webhook-view.ts";

/** Sends a message to its webhook again, at once, whatever became of it. */
export const redeliverWebhook: Operation = (context) => async (request) => {
  const id = param(request, "id");
  const message = await context.webhooks.get(id);
  if (message === undefined || message.accountId !== request.accountId) {
    throw new RequestError("not_found", `There is no message ${id}.`);
  }
  await context.webhooks.revive(id, request.now);
  await context.tasks.deliver(id, 0);
  return { status: 202, body: webhookView({ ...message, status: "pending", dueAt: request.now }) };
};

export const handler = http("redeliverWebhook", redeliverWebhook);
