import { context as deployedContext } from "#context";
import type { Account } from "../domain/accounts/plans.ts";
import { isNoticeId } from "../domain/accounts/quota-notices.ts";
import { attachment } from "../domain/content-disposition.ts";
import { WEBHOOK_ATTEMPT_MS_MAX } from "../domain/limits.ts";
import { attemptMeasured } from "../domain/measurements.ts";
import type { Context } from "../domain/ports.ts";
import type { WebhookEndpoint } from "../domain/webhooks/endpoint.ts";
import type { WebhookMessage } from "../domain/webhooks/message.ts";
import { sendWebhook } from "../outbound/webhook-sender.ts";
import { deliverNotice } from "./deliver-notice.ts";
import { DeliveryEnded, deliverMessage } from "./delivery.ts";
import { fairTaskHandler } from "./queue.ts";

/** Attempts to deliver a due webhook message, or a notice about a quota. */
export const deliverWebhook = (context: Context) => {
  const [message, notice] = [sendMessage(context), deliverNotice(context)];
  return (id: string) => (isNoticeId(id) ? notice(id) : message(id));
};

const sendMessage = deliverMessage({
  name: "webhook",
  claimMs: 2 * WEBHOOK_ATTEMPT_MS_MAX,
  send: async (context, message, at) => {
    const { url, secrets } = receiverOf(await context.accounts.getAccount(message.accountId), message);
    const content = await contentOf(context, message);
    const sent = { id: message.id, url, secrets, at, ...content };
    return { answered: await sendWebhook(context.importAllowed ?? [], sent) };
  },
  note: async ({ metrics }, _message, { attempt, next }) => metrics.record(attemptMeasured(attempt, next)),
});

/** @throws DeliveryEnded if the endpoint was deleted or disabled */
const receiverOf = (
  account: Account | undefined,
  { url, endpointId }: WebhookMessage,
): Pick<WebhookEndpoint, "secrets" | "url"> => {
  if (endpointId === undefined) {
    return { url, secrets: account?.webhookSecrets ?? [] };
  }
  const endpoint = account?.webhookEndpoints?.find(({ id }) => id === endpointId);
  if (endpoint === undefined) {
    throw new DeliveryEnded("The endpoint was deleted.");
  }
  if (!endpoint.enabled) {
    throw new DeliveryEnded("The endpoint is disabled.");
  }
  return endpoint;
};

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
