import type { Schemas } from "../../api.ts";
import { relative } from "../../format.ts";
import { texts } from "../../text.ts";
import { Badge } from "../../ui/parts.tsx";

export type Delivery = Schemas["Webhook"];

const TONES = { pending: "busy", delivered: "good", failed: "bad" } as const;

/** The status, and the next attempt if the message was not accepted. */
export const DeliveryState = ({ message: { status, next_attempt_at } }: { readonly message: Delivery }) => {
  const { deliveries } = texts.value.webhooks;
  return (
    <span class="webhooks-state">
      <Badge tone={TONES[status]}>{deliveries.states[status]}</Badge>
      {status === "pending" && next_attempt_at !== null && (
        <small class="hint">{deliveries.next(relative(next_attempt_at))}</small>
      )}
    </span>
  );
};
