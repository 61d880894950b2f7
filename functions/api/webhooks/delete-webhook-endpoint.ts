import { operation } from "../operation.ts";
import { endpointsOnly, keyed, useOnly } from "../permissions.ts";
import { param } from "../request.ts";
import { changeEndpoint } from "./change-endpoints.ts";

/** Deletes a webhook endpoint. Its messages stay in the list. */
export const deleteWebhookEndpoint = operation({
  id: "deleteWebhookEndpoint",
  methods: ["DELETE"],
  path: "/api/v1/webhook-endpoints/{id}",
  auth: "key",
  scope: "webhooks",
  permissions: { tables: keyed, only: { ...useOnly, ...endpointsOnly } },
  tag: "Webhooks",
  summary: "Delete a webhook endpoint",
  description:
    "Deletes a webhook endpoint with its secrets. Messages that are not delivered yet fail. The list of messages still has them.",
  parameters: ["endpointId"],
  answers: { 204: { description: "The endpoint was deleted." } },
  errors: ["invalid_request", "not_found"],
  run: (context) => async (request) => {
    await changeEndpoint(context, request, param(request, "id"), () => undefined);
    return { status: 204 };
  },
});
