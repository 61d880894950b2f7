import { WEBHOOK_SECRET_OVERLAP_MS } from "../../domain/limits.ts";
import { rotatedSecrets } from "../../domain/webhooks/endpoint.ts";
import { newWebhookSecret } from "../../domain/webhooks/message.ts";
import { operation } from "../operation.ts";
import { endpointsOnly, keyed, useOnly } from "../permissions.ts";
import { param } from "../request.ts";
import { changeEndpoint } from "./change-endpoints.ts";
import { secretsView } from "./webhook-view.ts";

/** Creates a new secret of an endpoint. The previous one also signs for another day. */
export const rotateEndpointSecret = operation({
  id: "rotateEndpointSecret",
  methods: ["POST"],
  path: "/api/v1/webhook-endpoints/{id}/secret",
  auth: "key",
  scope: "webhooks",
  permissions: { tables: keyed, only: { ...useOnly, ...endpointsOnly } },
  tag: "Webhooks",
  summary: "Rotate the secret of a webhook endpoint",
  description:
    "Creates a new signing secret of the endpoint. The previous one also signs for another 24 hours, so that the receiver can change over.",
  parameters: ["endpointId"],
  answers: { 201: { description: "The valid secrets.", examples: ["webhookSecrets"] } },
  errors: ["invalid_request", "not_found"],
  run: (context) => async (request) => {
    const { now } = request;
    const secret = { secret: newWebhookSecret(context.random), createdAt: now };
    const changed = await changeEndpoint(context, request, param(request, "id"), (endpoint) => ({
      ...endpoint,
      secrets: rotatedSecrets(endpoint.secrets, secret, WEBHOOK_SECRET_OVERLAP_MS),
    }));
    return { status: 201, body: secretsView(changed?.secrets ?? [], now) };
  },
});
