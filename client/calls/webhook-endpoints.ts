import type {
  NewWebhookEndpoint,
  WebhookEndpoint,
  WebhookEndpointChanges,
  WebhookEndpointList,
  WebhookSecrets,
  WebhookTest,
} from "../api.ts";
import type { Service } from "../http/request.ts";

/** Webhook endpoints of the account, which receive the chosen events of all its jobs. Requires the scope `webhooks`. */
export interface WebhookEndpoints {
  /** @returns the endpoints with their secrets; `default` is the webhook URL of the account */
  list(): Promise<WebhookEndpointList>;
  create(endpoint: NewWebhookEndpoint): Promise<WebhookEndpoint>;
  /** Missing fields stay unchanged. */
  update(id: string, changes: WebhookEndpointChanges): Promise<WebhookEndpoint>;
  remove(id: string): Promise<void>;
  /** Creates a new secret. The previous one remains valid for a day, and both sign each message. */
  rotateSecret(id: string): Promise<WebhookSecrets>;
  /** Sends a signed test message, and returns how the endpoint responded. */
  test(id: string): Promise<WebhookTest>;
}

export const webhookEndpointsOf = (service: Service): WebhookEndpoints => {
  const post = <Body>(to: string, body?: object): Promise<Body> =>
    service.json({
      method: "POST",
      to,
      ...(body !== undefined && {
        headers: { "content-type": "application/json" },
        body: () => JSON.stringify(body),
      }),
    });
  return {
    list: () => service.json({ to: PATH }),
    create: (endpoint) => post(PATH, endpoint),
    update: (id, changes) => post(pathOf(id), changes),
    remove: async (id) => {
      await service.done({ method: "DELETE", to: pathOf(id) });
    },
    rotateSecret: (id) => post(`${pathOf(id)}/secret`),
    test: (id) => post(`${pathOf(id)}/test`),
  };
};

const PATH = "webhook-endpoints";

const pathOf = (id: string): string => `${PATH}/${encodeURIComponent(id)}`;
