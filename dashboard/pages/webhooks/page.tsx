import { texts } from "../../text.ts";
import { PageHead } from "../../ui/parts.tsx";
import { AddressCard } from "./address.tsx";
import { Deliveries } from "./deliveries.tsx";
import { SecretsCard } from "./secrets.tsx";
import "../../ui/stacked.css";
import "./webhooks.css";

/** The webhook URL, the signing secret, and the deliveries. */
export const WebhooksPage = () => {
  const { webhooks } = texts.value;
  return (
    <>
      <PageHead title={webhooks.title} lead={webhooks.lead} />
      <AddressCard />
      <SecretsCard />
      <Deliveries />
    </>
  );
};
