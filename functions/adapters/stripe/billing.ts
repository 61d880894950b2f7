import type Stripe from "stripe";
import * as z from "zod/mini";
import type { StripeSettings } from "../../config.ts";
import { BILLING_CALL_MS_MAX, BILLING_RETRIES_MAX } from "../../domain/accounts/account-limits.ts";
import type { BillingService } from "../../domain/accounts/account-ports.ts";
import type { Account, Billing } from "../../domain/accounts/plans.ts";
import { RequestError } from "../../domain/errors.ts";
import { sha256Hex } from "../../domain/ids.ts";
import { stripeEvent } from "./events.ts";

/** Payments by Stripe: Checkout sells a subscription, and the customer portal ends it. */
export const stripeBilling = (settings: StripeSettings, clock: () => number): BillingService => {
  const stripe = once(() => stripeClient(settings));
  return {
    checkout: async (account, returnUrl) => {
      const params = checkoutOf(account, settings.price, returnUrl);
      // Repeated requests on one day return the same page, which is paid once. Page and idempotency key are valid for a day.
      const day = new Date(clock()).toISOString().slice(0, 10);
      const subscription = account.billing?.subscriptionId ?? "first";
      const idempotencyKey = sha256Hex(JSON.stringify([day, subscription, params]));
      const session = await answerOf((await stripe()).checkout.sessions.create(params, { idempotencyKey }));
      return urlOf(session.url);
    },
    portal: async ({ customerId }, returnUrl) => {
      const params = { customer: customerId, return_url: returnUrl };
      return urlOf((await answerOf((await stripe()).billingPortal.sessions.create(params))).url);
    },
    eventOf: async (body, signature) =>
      stripeEvent(await stripe(), { body, signature, secret: settings.webhookSecret }),
    subscription: async (id) => {
      const found = await existing(answerOf((await stripe()).subscriptions.retrieve(id)));
      const accountId = found?.metadata.account_id;
      const billing = found && billingOf(found);
      return accountId === undefined || billing === undefined ? undefined : { accountId, billing };
    },
  };
};

const once = <T>(make: () => Promise<T>): (() => Promise<T>) => {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make();
    return made;
  };
};

/** The package has 240 kB of code, so it is only loaded for these calls. */
const stripeClient = async ({ secretKey, api }: StripeSettings): Promise<Stripe> => {
  const { Stripe: Client } = await import("stripe");
  const { protocol, hostname, port } = new URL(api ?? "https://api.stripe.com");
  return new Client(secretKey, {
    protocol: protocol === "http:" ? "http" : "https",
    host: hostname,
    ...(port !== "" && { port }),
    timeout: BILLING_CALL_MS_MAX,
    maxNetworkRetries: BILLING_RETRIES_MAX,
    telemetry: false,
  });
};

/** The account ID is stored on the subscription, so that every later event can be matched. */
const checkoutOf = (account: Account, price: string, returnUrl: string): Stripe.Checkout.SessionCreateParams => ({
  mode: "subscription",
  line_items: [{ price, quantity: 1 }],
  client_reference_id: account.id,
  ...(account.billing === undefined ? { customer_email: account.email } : { customer: account.billing.customerId }),
  metadata: { account_id: account.id },
  subscription_data: { metadata: { account_id: account.id } },
  success_url: `${returnUrl}?paid=1`,
  cancel_url: returnUrl,
});

const urlOf = (url: string | null): string => {
  if (url === null) {
    throw new TypeError("Stripe returned a session without a URL.");
  }
  return url;
};

/**
 * Meaning of Stripe's subscription statuses (docs.stripe.com/billing/subscriptions/overview). `incomplete` is omitted:
 * its first payment is pending, so it changes nothing.
 */
const statuses: Readonly<Record<string, Billing["status"]>> = {
  active: "active",
  trialing: "active",
  past_due: "past_due",
  canceled: "ended",
  unpaid: "ended",
  incomplete_expired: "ended",
  paused: "ended",
};

const SECOND_MS = 1_000;

const billingOf = (subscription: Stripe.Subscription): Billing | undefined => {
  const status = statuses[subscription.status];
  if (status === undefined) {
    return undefined;
  }
  const { customer, cancel_at, cancel_at_period_end, ended_at, items } = subscription;
  const until = ended_at ?? cancel_at ?? items.data[0]?.current_period_end;
  const endsThen = status !== "ended" && (cancel_at_period_end || cancel_at !== null);
  return {
    customerId: typeof customer === "string" ? customer : customer.id,
    subscriptionId: subscription.id,
    status,
    ...(until !== undefined && { paidUntil: until * SECOND_MS }),
    ...(endsThen && { endsThen }),
  };
};

const RETRY_SECONDS = 30;

/** Stripe errors contain headers and request data, which must not reach clients or logs. */
const answerOf = async <T>(call: Promise<T>): Promise<T> => {
  try {
    return await call;
  } catch (error) {
    const failure = failureSchema.safeParse(error);
    if (!failure.success) {
      throw error;
    }
    const { type, code, statusCode } = failure.data;
    if (type === "StripeConnectionError" || type === "StripeAPIError" || type === "StripeRateLimitError") {
      const detail = "The payment service is not responding. Try again shortly.";
      throw new RequestError("temporarily_unavailable", detail, { headers: { "retry-after": String(RETRY_SECONDS) } });
    }
    const words = ["Stripe refused:", type, code, `(${statusCode ?? "no status"})`].filter(Boolean);
    throw new StripeRefusal(words.join(" "), code ?? undefined);
  }
};

const failureSchema = z.object({
  type: z.string(),
  code: z.nullish(z.string()),
  statusCode: z.nullish(z.number()),
});

class StripeRefusal extends Error {
  readonly code: string | undefined;

  constructor(message: string, code: string | undefined) {
    super(message);
    this.name = "StripeRefusal";
    this.code = code;
  }
}

/** @returns undefined if Stripe has no such object */
const existing = async <T>(call: Promise<T>): Promise<T | undefined> => {
  try {
    return await call;
  } catch (error) {
    if (error instanceof StripeRefusal && error.code === "resource_missing") {
      return undefined;
    }
    throw error;
  }
};
