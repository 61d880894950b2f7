import type Stripe from "stripe";
import * as z from "zod/mini";
import type { BillingEvent } from "../../domain/accounts/account-ports.ts";
import { RequestError } from "../../domain/errors.ts";

/** Stripe webhook events. Only the subscription ID is read; its current status is always fetched. */

interface Signed {
  readonly body: Uint8Array;
  readonly signature: string;
  /** `whsec_…` of the endpoint. */
  readonly secret: string;
}

/**
 * @returns the IDs of the event and its subscription; undefined if it does not concern a subscription
 * @throws RequestError `invalid_request` unless Stripe signed it within the last five minutes
 */
export const stripeEvent = (stripe: Stripe, signed: Signed): BillingEvent | undefined => {
  const { id, type, data } = eventSchema.parse(verified(stripe, signed));
  const subscriptionId = Object.hasOwn(events, type) ? events[type]?.parse(data.object) : undefined;
  return subscriptionId ? { id, subscriptionId } : undefined;
};

/** The package rejects signatures that are older than five minutes. */
const verified = (stripe: Stripe, { body, signature, secret }: Signed): unknown => {
  if (secret === "") {
    // Anyone could sign with an empty secret.
    throw new TypeError("ANYFORM_STRIPE_WEBHOOK_SECRET is not set.");
  }
  try {
    return stripe.webhooks.constructEvent(Buffer.from(body), signature, secret);
  } catch {
    throw new RequestError("invalid_request", "Invalid or expired signature of the payment service.");
  }
};

/** An object, or its ID. */
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
/** Endpoints with versions before 2025-03-31 have the subscription on the invoice. */
const ofInvoice = z.pipe(
  z.object({
    parent: z.nullish(z.object({ subscription_details: z.nullish(z.object({ subscription: z.nullish(reference) })) })),
    subscription: z.nullish(reference),
  }),
  z.transform(({ parent, subscription }) => parent?.subscription_details?.subscription ?? subscription),
);

/** Handled events, with the location of the subscription in each. */
const events: Readonly<Record<string, z.ZodMiniType<string | null | undefined>>> = {
  "checkout.session.completed": ofSession,
  "customer.subscription.created": ofSubscription,
  "customer.subscription.updated": ofSubscription,
  "customer.subscription.deleted": ofSubscription,
  "invoice.payment_failed": ofInvoice,
  "invoice.paid": ofInvoice,
};

const eventSchema = z.object({ id: z.string(), type: z.string(), data: z.object({ object: z.unknown() }) });
