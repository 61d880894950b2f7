import * as z from "zod/mini";
import { ENDPOINT_DESCRIPTION_CHARACTERS_MAX } from "../../domain/accounts/account-limits.ts";
import { cleanText } from "../../domain/clean-text.ts";
import { described } from "../../domain/conversions/options/described.ts";
import type { WebhookEndpoint } from "../../domain/webhooks/endpoint.ts";
import { webhookTypes } from "../../domain/webhooks/message.ts";
import { webhookUrl } from "../conversion/conversion-request.ts";

/** The fields of an endpoint that clients set. */

const url = () =>
  described(
    webhookUrl(),
    "The URL that receives the messages. Must be reachable from the internet; redirects are not followed.",
  );

const settings = () => ({
  events: z.optional(
    described(
      z.array(z.enum(webhookTypes)).check(z.minLength(1), z.maxLength(webhookTypes.length)),
      "The types of events that it receives. Default: all.",
    ),
  ),
  description: z.optional(
    z.nullable(described(z.string().check(z.maxLength(ENDPOINT_DESCRIPTION_CHARACTERS_MAX)), "A note for yourself.")),
  ),
  enabled: z.optional(described(z.boolean(), "Whether it receives messages. Default: true.")),
});

export const newEndpointRequest = z.strictObject({ url: url(), ...settings() });

export const endpointChangesRequest = z.strictObject({ url: z.optional(url()), ...settings() });

/** @returns the endpoint with the requested changes; missing fields stay unchanged */
export const withChanges = <E extends Omit<WebhookEndpoint, "createdAt" | "id" | "secrets">>(
  { description: earlier, ...endpoint }: E,
  { url, events, description = earlier ?? null, enabled }: z.infer<typeof endpointChangesRequest>,
) => {
  const note = description === null ? "" : cleanText(description);
  return {
    ...endpoint,
    ...(url !== undefined && { url }),
    // In the order of the table, without duplicates.
    ...(events !== undefined && { events: webhookTypes.filter((type) => events.includes(type)) }),
    ...(enabled !== undefined && { enabled }),
    ...(note !== "" && { description: note }),
  };
};
