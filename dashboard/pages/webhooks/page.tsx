import { api, type Schemas } from "../../api.ts";
import { texts } from "../../text.ts";
import { PageHead } from "../../ui/parts.tsx";
import { useRemote } from "../../ui/remote.ts";
import { AddressCard } from "./address.tsx";
import { Deliveries } from "./deliveries.tsx";
import { EndpointsCard } from "./endpoints.tsx";
import { SecretsCard } from "./secrets.tsx";
import "../../ui/stacked.css";
import "./webhooks.css";

/** The webhook URL, the signing secret, the endpoints, and the deliveries. */
export const WebhooksPage = () => {
  const { webhooks } = texts.value;
  const endpoints = useRemote(() => api.get<Schemas["WebhookEndpointList"]>("webhook-endpoints"));
  return (
    <>
      <PageHead title={webhooks.title} lead={webhooks.lead} />
      <AddressCard />
      <SecretsCard />
      <EndpointsCard endpoints={endpoints} />
      <Deliveries endpoints={endpoints.data?.endpoints ?? []} />
    </>
  );
};
