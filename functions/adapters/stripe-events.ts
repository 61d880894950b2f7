import type Stripe from "stripe";
import * as z from "zod/mini";
import type { BillingEvent } from "../domain/account-ports.ts";
import { RequestError } from "../domain/errors.ts";

/** What Stripe tells. Only the subscription that a message is about is read of it: how it stands is asked for anew. */

interface Signed {
  readonly body: Uint8Array;
  readonly signature: string;
  /** `whsec_…` of the endpoint. */
  readonly secret: string;
}

/**
 * @returns the message's id, and the subscription that it is about; undefined when it is about none
 * @throws RequestError `invalid_request` when Stripe has not signed it in the last five minutes
 */
export const stripeEvent = (stripe: Stripe, signed: Signed): BillingEvent | undefined => {
  const { id, type, data } = eventSchema.parse(verified(stripe, signed));
  const subscriptionId = Object.hasOwn(events, type) ? events[type]?.parse(data.object) : undefined;
  return subscriptionId ? { id, subscriptionId } : undefined;
};

/** The package refuses by itself what was signed longer ago than five minutes. */
const verified = (stripe: Stripe, { body, signature, secret }: Signed): unknown => {
  if (secret === "") {
    // Anybody could sign with it.
    throw new TypeError("ANYFORM_STRIPE_WEBHOOK_SECRET is not set.");
  }
  try {
    return stripe.webhooks.constructEvent(Buffer.from(body), signature, secret);
  } catch {
    throw new RequestError("invalid_request", "The message is not one that the payment service has signed just now.");
  }
};

/** A thing by its id, or the thing itself. */
const reference = z.union([
  z.string(),
  z.pipe(
    z.object({ id: z.string() }),
    z.transform(({ id }) => id),
  ),
]);

const ofSubscription = z.pipe(
  z.object({ id: z.string() }),
  z.transform(({ id }) => id),
);
const ofSession = z.pipe(
  z.object({ subscription: z.nullable(reference) }),
  z.transform(({ subscription }) => subscription),
);
/** Endpoints of versions before 2025-03-31 have the subscription on the invoice itself. */
const ofInvoice = z.pipe(
  z.object({
    parent: z.nullish(z.object({ subscription_details: z.nullish(z.object({ subscription: z.nullish(reference) })) })),
    subscription: z.nullish(reference),
  }),
  z.transform(({ parent, subscription }) => parent?.subscription_details?.subscription ?? subscription),
);

/** THE table of messages that are listened to, and where each has its subscription. */
const events: Readonly<Record<string, z.ZodMiniType<string | null | undefined>>> = {
  "checkout.session.completed": ofSession,
  "customer.subscription.created": ofSubscription,
  "customer.subscription.updated": ofSubscription,
  "customer.subscription.deleted": ofSubscription,
  "invoice.payment_failed": ofInvoice,
  "invoice.paid": ofInvoice,
};

const eventSchema = z.object({ id: z.string(), type: z.string(), data: z.object({ object: z.unknown() }) });
