import { example, operation } from "../operation.ts";
import { endpointsOnly, keyed, useOnly } from "../permissions.ts";
import { param } from "../request.ts";
import { changeEndpoint, endpointNotFound } from "./change-endpoints.ts";
import { endpointChangesRequest, withChanges } from "./endpoint-request.ts";
import { endpointView } from "./webhook-view.ts";

/** Changes a webhook endpoint; missing fields stay unchanged. */
export const updateWebhookEndpoint = operation({
  id: "updateWebhookEndpoint",
  methods: ["POST"],
  path: "/api/v1/webhook-endpoints/{id}",
  auth: "key",
  scope: "webhooks",
  permissions: { tables: keyed, only: { ...useOnly, ...endpointsOnly } },
  tag: "Webhooks",
  summary: "Update a webhook endpoint",
  description:
    "Changes the URL, the events or the description of a webhook endpoint, or disables it. Missing fields stay unchanged. Messages that are not delivered yet are sent to the new URL; with a disabled endpoint they fail, and can be redelivered. New events apply to jobs that are created from now on.",
  parameters: ["endpointId"],
  requests: ["endpointChanges"],
  answers: { 200: { description: "The endpoint.", examples: ["endpoint"] } },
  errors: ["not_found"],
  examples: () => ({
    endpointChanges: example("WebhookEndpointChanges", "Disable an endpoint", { enabled: false }),
  }),
  schemas: () => ({ WebhookEndpointChanges: endpointChangesRequest }),
  body: endpointChangesRequest,
  run: (context) => async (request) => {
    const id = param(request, "id");
    const changed = await changeEndpoint(context, request, id, (endpoint) => withChanges(endpoint, request.body));
    if (changed === undefined) {
      throw endpointNotFound(id);
    }
    return { status: 200, body: endpointView(changed, request.now) };
  },
});
