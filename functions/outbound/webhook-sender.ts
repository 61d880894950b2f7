import { WEBHOOK_ATTEMPT_MS_MAX, WEBHOOK_ERROR_CHARACTERS_MAX } from "../domain/limits.ts";
import type { WebhookAttempt } from "../domain/webhooks/message.ts";
import { webhookHeaders } from "../domain/webhooks/message.ts";
import type { SignedMessage, WebhookTester } from "../domain/webhooks/webhook-ports.ts";
import { reachable } from "./addresses.ts";
import { send } from "./request.ts";

/**
 * Sends a signed message once, without following redirects.
 *
 * @returns the status of the response
 * @throws Error if there is no response
 */
export const sendWebhook = async (
  importAllowed: readonly string[],
  { id, url, body, headers, secrets, at }: SignedMessage,
): Promise<number> => {
  const response = await send({
    method: "POST",
    url: new URL(url),
    headers: { ...webhookHeaders({ id, body }, secrets, at), ...headers },
    body,
    signal: AbortSignal.timeout(WEBHOOK_ATTEMPT_MS_MAX),
    reaches: reachable(importAllowed),
  });
  // Only the status of the response is used.
  response.destroy();
  return response.statusCode ?? 0;
};

/** @returns a function that sends a message once */
export const webhookTester =
  (importAllowed: readonly string[]): WebhookTester =>
  async (message) => {
    const ended = stopwatch(message.at);
    try {
      return ended({ answered: await sendWebhook(importAllowed, message) });
    } catch (error) {
      return ended({ error: reasonOf(error) });
    }
  };

/** @returns a function that returns the attempt that started now, with its duration until it is called */
export const stopwatch = (at: number) => {
  const started = performance.now();
  return (outcome: Pick<WebhookAttempt, "answered" | "error">): WebhookAttempt => ({
    at,
    durationMs: Math.round(performance.now() - started),
    ...outcome,
  });
};

/** @returns why there was no response, as it is stored */
export const reasonOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).slice(0, WEBHOOK_ERROR_CHARACTERS_MAX);
