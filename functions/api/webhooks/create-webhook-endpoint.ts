import { WEBHOOK_ENDPOINTS_MAX } from "../../domain/accounts/account-limits.ts";
import { RequestError } from "../../domain/errors.ts";
import { newEndpoint } from "../../domain/webhooks/endpoint.ts";
import { webhookTypes } from "../../domain/webhooks/message.ts";
import { example, operation } from "../operation.ts";
import { endpointsOnly, keyed, useOnly } from "../permissions.ts";
import { changeEndpoints } from "./change-endpoints.ts";
import { newEndpointRequest, withChanges } from "./endpoint-request.ts";
import { endpointView } from "./webhook-view.ts";

/** Adds a webhook endpoint with a new secret. */
export const createWebhookEndpoint = operation({
  id: "createWebhookEndpoint",
  methods: ["POST"],
  path: "/api/v1/webhook-endpoints",
  auth: "key",
  scope: "webhooks",
  permissions: { tables: keyed, only: { ...useOnly, ...endpointsOnly } },
  tag: "Webhooks",
  summary: "Create a webhook endpoint",
  description: `Adds a webhook endpoint with its own signing secret. It receives the chosen events of all jobs and pipelines that are created from now on, in addition to their own webhook URL, and notices about the quota. An account can have up to ${WEBHOOK_ENDPOINTS_MAX} endpoints.`,
  requests: ["newEndpoint"],
  answers: { 201: { description: "The endpoint with its secret.", examples: ["endpoint"] } },
  errors: ["limit_reached"],
  examples: ({ endpoint, now }) => ({
    newEndpoint: example("NewWebhookEndpoint", "An endpoint for failures and the quota", {
      url: endpoint.url,
      description: "On-call channel",
      events: ["job.failed", "pipeline.failed", "quota.warning", "quota.reached"],
    }),
    endpoint: example("WebhookEndpoint", "An endpoint", endpointView(endpoint, now)),
  }),
  schemas: () => ({ NewWebhookEndpoint: newEndpointRequest }),
  body: newEndpointRequest,
  run: (context) => async (request) => {
    const { body, now } = request;
    const fields = withChanges({ url: body.url, events: webhookTypes, enabled: true }, body);
    const endpoint = newEndpoint(context, fields, now);
    await changeEndpoints(context, request, (endpoints) => {
      if (endpoints.length >= WEBHOOK_ENDPOINTS_MAX) {
        const detail = `An account can have up to ${WEBHOOK_ENDPOINTS_MAX} webhook endpoints. Delete an unused one.`;
        throw new RequestError("limit_reached", detail);
      }
      return [...endpoints, endpoint];
    });
    return { status: 201, body: endpointView(endpoint, now) };
  },
});
