import { ENDPOINT_CHANGES_MAX } from "../../domain/accounts/account-limits.ts";
import { RequestError } from "../../domain/errors.ts";
import type { Context } from "../../domain/ports.ts";
import { DEFAULT_ENDPOINT, type WebhookEndpoint } from "../../domain/webhooks/endpoint.ts";
import { type ApiRequest, invalidValue } from "../request.ts";

type Endpoints = readonly WebhookEndpoint[];

/**
 * Changes the endpoints of the account. If another request has changed them in the meantime, the change is made again.
 *
 * @param change returns the changed endpoints
 * @returns the changed endpoints
 * @throws RequestError `temporarily_unavailable` if other requests always change them in the meantime
 */
export const changeEndpoints = async (
  { accounts }: Pick<Context, "accounts">,
  { accountId }: Pick<ApiRequest, "accountId">,
  change: (endpoints: Endpoints) => Endpoints,
): Promise<Endpoints> => {
  for (let tries = 0; tries < ENDPOINT_CHANGES_MAX; tries += 1) {
    const { webhookEndpoints } = (await accounts.getAccount(accountId)) ?? {};
    const changed = change(webhookEndpoints ?? []);
    const from = webhookEndpoints === undefined ? {} : { webhookEndpoints };
    if (await accounts.change(accountId, { webhookEndpoints: changed }, from)) {
      return changed;
    }
  }
  throw new RequestError("temporarily_unavailable", "The endpoints are being changed. Try again shortly.", {
    headers: { "retry-after": "1" },
  });
};

/**
 * Changes one endpoint.
 *
 * @param change returns the changed endpoint; undefined removes it
 * @returns the endpoint
 * @throws RequestError `not_found`; `invalid_request` for the default endpoint
 */
export const changeEndpoint = async (
  context: Pick<Context, "accounts">,
  request: Pick<ApiRequest, "accountId">,
  id: string,
  change: (endpoint: WebhookEndpoint) => WebhookEndpoint | undefined,
): Promise<WebhookEndpoint | undefined> => {
  if (id === DEFAULT_ENDPOINT) {
    const detail =
      "The default endpoint is the webhook URL of the account: use POST /api/v1/session/account and POST /api/v1/webhooks/secret.";
    throw invalidValue("/id", detail);
  }
  const changed = await changeEndpoints(context, request, (endpoints) => {
    if (!endpoints.some((endpoint) => endpoint.id === id)) {
      throw endpointNotFound(id);
    }
    return endpoints.flatMap((endpoint) => (endpoint.id === id ? (change(endpoint) ?? []) : [endpoint]));
  });
  return changed.find((endpoint) => endpoint.id === id);
};

export const endpointNotFound = (id: string): RequestError =>
  new RequestError("not_found", `Endpoint ${id.slice(0, 50)} not found.`);
