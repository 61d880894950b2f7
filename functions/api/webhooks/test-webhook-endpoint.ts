import { WEBHOOK_TESTS_PER_MINUTE } from "../../domain/accounts/account-limits.ts";
import { newId } from "../../domain/ids.ts";
import { timestamp } from "../../domain/times.ts";
import { DEFAULT_ENDPOINT, endpointsOf, type WebhookEndpoint } from "../../domain/webhooks/endpoint.ts";
import type { WebhookTestEvent, WebhookTestView } from "../../domain/webhooks/webhook-views.ts";
import { requireAccount } from "../account/require-account.ts";
import { example, operation } from "../operation.ts";
import { keyed, secretsOnly, useOnly } from "../permissions.ts";
import { type ApiRequest, param } from "../request.ts";
import { takeAllowance } from "../sign-in/allowances.ts";
import { endpointNotFound } from "./change-endpoints.ts";
import { webhookSecrets } from "./webhook-secrets.ts";

/** Sends a signed test message to an endpoint, once, and returns the result. */
export const testWebhookEndpoint = operation({
  id: "testWebhookEndpoint",
  methods: ["POST"],
  path: "/api/v1/webhook-endpoints/{id}/test",
  auth: "key",
  scope: "webhooks",
  timeoutSeconds: 29,
  permissions: {
    tables: keyed,
    only: {
      ...secretsOnly,
      quotas: { attributes: [...useOnly.quotas.attributes, "ttl"] },
    },
    outbound: true,
  },
  tag: "Webhooks",
  summary: "Send a test webhook",
  description: `Sends a signed message of the type \`webhook.test\` to the endpoint, also to a disabled one, and waits up to 15 seconds for the response. The response is 200 also if the delivery fails: see \`delivered\`, \`status\` and \`error\`. The message is not retried, and not listed. Up to ${WEBHOOK_TESTS_PER_MINUTE.limit} tests per minute.`,
  parameters: ["endpointId"],
  answers: { 200: { description: "The result of the delivery.", examples: ["webhookTest", "webhookTestFailed"] } },
  errors: ["not_found"],
  examples: ({ messageOf, jobs }) => ({
    webhookTest: example("WebhookTest", "The endpoint accepted the message", {
      delivered: true,
      message_id: messageOf(jobs.completed).id,
      duration_ms: 131,
      status: 204,
      error: null,
    } satisfies WebhookTestView),
    webhookTestFailed: example("WebhookTest", "Nothing listens at the URL", {
      delivered: false,
      message_id: messageOf(jobs.completed).id,
      duration_ms: 12,
      status: null,
      error: "connect ECONNREFUSED 203.0.113.7:443",
    } satisfies WebhookTestView),
  }),
  run: (context) => async (request) => {
    const { accountId, now } = request;
    const { id, url, secrets } = requireEndpoint(request);
    const text = "Too many test messages";
    await takeAllowance(context, request, {
      name: "webhook-tests",
      who: accountId,
      allowance: WEBHOOK_TESTS_PER_MINUTE,
      text,
    });
    const event: WebhookTestEvent = { type: "webhook.test", timestamp: timestamp(now), data: { endpoint_id: id } };
    const message = { id: newId("webhook", now, context.random), url, body: JSON.stringify(event), at: now };
    const signers = id === DEFAULT_ENDPOINT ? await webhookSecrets(context, request) : secrets;
    const { answered, durationMs, error } = await context.tryWebhook({ ...message, secrets: signers });
    const body: WebhookTestView = {
      delivered: answered !== undefined && answered >= 200 && answered < 300,
      message_id: message.id,
      duration_ms: durationMs,
      status: answered ?? null,
      error: error ?? null,
    };
    return { status: 200, body };
  },
});

/** @throws RequestError `not_found` */
const requireEndpoint = (request: ApiRequest<unknown>): WebhookEndpoint => {
  const wanted = param(request, "id");
  const endpoint = endpointsOf(requireAccount(request)).find(({ id }) => id === wanted);
  if (endpoint === undefined) {
    throw endpointNotFound(wanted);
  }
  return endpoint;
};
