import { endpointsOf } from "../../domain/webhooks/endpoint.ts";
import { example, operation } from "../operation.ts";
import { keyed, useOnly } from "../permissions.ts";
import { endpointView } from "./webhook-view.ts";

/** Lists the webhook endpoints of the account with their secrets. */
export const listWebhookEndpoints = operation({
  id: "listWebhookEndpoints",
  methods: ["GET"],
  path: "/api/v1/webhook-endpoints",
  auth: "key",
  scope: "webhooks",
  memoryMegabytes: 256,
  permissions: { tables: keyed, only: useOnly },
  tag: "Webhooks",
  summary: "List webhook endpoints",
  description:
    "Lists the webhook endpoints of the account with their signing secrets. The webhook URL of the account, if any, is the first one, with the ID `default`: jobs can replace it with `webhook_url`.",
  answers: { 200: { description: "The endpoints.", examples: ["endpointList"] } },
  examples: ({ endpoint, now }) => ({
    endpointList: example("WebhookEndpointList", "One endpoint", { endpoints: [endpointView(endpoint, now)] }),
  }),
  run:
    () =>
    async ({ account, now }) => ({
      status: 200,
      body: {
        endpoints: (account === undefined ? [] : endpointsOf(account)).map((endpoint) => endpointView(endpoint, now)),
      },
    }),
});
