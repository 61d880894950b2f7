import { context as deployedContext } from "#context";
import { attachment } from "../domain/content-disposition.ts";
import { WEBHOOK_ATTEMPT_MS_MAX } from "../domain/limits.ts";
import { attemptMeasured } from "../domain/measurements.ts";
import type { Context } from "../domain/ports.ts";
import { type WebhookMessage, webhookHeaders } from "../domain/webhooks/webhook.ts";
import { reachable } from "../outbound/addresses.ts";
import { send } from "../outbound/request.ts";
import { deliverMessage } from "./delivery.ts";
import { fairTaskHandler } from "./queue.ts";

/** Attempts to deliver a due webhook message. */
export const deliverWebhook = deliverMessage({
  name: "webhook",
  claimMs: 2 * WEBHOOK_ATTEMPT_MS_MAX,
  send: async (context, message, at) => {
    const account = await context.accounts.getAccount(message.accountId);
    const { body, headers } = await contentOf(context, message);
    const response = await send({
      method: "POST",
      url: new URL(message.url),
      headers: { ...webhookHeaders({ id: message.id, body }, account?.webhookSecrets ?? [], at), ...headers },
      body,
      signal: AbortSignal.timeout(WEBHOOK_ATTEMPT_MS_MAX),
      reaches: reachable(context.importAllowed ?? []),
    });
    // Only the status of the response is used.
    response.destroy();
    return { answered: response.statusCode ?? 0 };
  },
  note: async ({ metrics }, _message, { attempt, next }) => metrics.record(attemptMeasured(attempt, next)),
});

let deliverOne: ReturnType<typeof deliverWebhook> | undefined;

export const handler = fairTaskHandler(deployedContext, (id) => {
  deliverOne ??= deliverWebhook(deployedContext());
  return deliverOne(id);
});

interface Content {
  readonly body: string | Uint8Array;
  readonly headers: Readonly<Record<string, string>>;
}

/** The result as the body, with its signature. Once it has expired, the message is sent as JSON. */
const contentOf = async ({ files }: Context, { body, file, jobId, type }: WebhookMessage): Promise<Content> => {
  const content = file && (await files.read(file.key, 0, file.bytes));
  if (file === undefined || content === undefined) {
    return { body, headers: {} };
  }
  const chunks: Uint8Array[] = [];
  for await (const chunk of content) {
    chunks.push(chunk);
  }
  const headers = {
    "content-type": file.mediaType,
    "content-disposition": attachment(file.filename),
    "anyform-event": type,
    "anyform-job": jobId,
  };
  return { body: Buffer.concat(chunks), headers };
};
