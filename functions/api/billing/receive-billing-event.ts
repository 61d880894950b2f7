import * as z from "zod/mini";
import { BILLING_EVENT_BYTES_MAX, BILLING_LOOKS_MAX } from "../../domain/accounts/account-limits.ts";
import type { BilledAccount, BillingEvent, BillingService } from "../../domain/accounts/account-ports.ts";
import { afterBilling, type BillingOutcome } from "../../domain/accounts/billing.ts";
import { described } from "../../domain/conversions/options/described.ts";
import { text } from "../../domain/fields.ts";
import type { Context } from "../../domain/ports.ts";
import { logger } from "../../logger.ts";
import { readBytes } from "../middleware/read-json.ts";
import { example, operation } from "../operation.ts";
import { paymentsOf } from "./payments.ts";

/**
 * Receives webhooks of the payment service. A webhook is only a hint to fetch the current subscription, so duplicates,
 * delays and reordering do no harm. Webhooks that get an error response are redelivered for days.
 */
export const receiveBillingEvent = operation({
  id: "receiveBillingEvent",
  methods: ["POST"],
  path: "/api/v1/session/billing/events",
  auth: "none",
  permissions: {
    tables: { keys: ["GetItem", "UpdateItem"] },
    only: { keys: { records: "acc_*", attributes: ["billing", "kind", "pk", "plan", "planPicked", "quota"] } },
    pays: true,
  },
  tag: "Service",
  summary: "Receive a billing event",
  description:
    "Receives signed webhooks of the payment service. Each one is a hint to fetch the current subscription, so duplicates and reordering do no harm. Events that get an error response are redelivered.",
  parameters: ["stripeSignature"],
  requests: ["billingEvent"],
  answers: { 204: { description: "The event was received." } },
  errors: ["malformed_json", "invalid_request", "payload_too_large", "not_offered"],
  examples: () => ({
    billingEvent: example("BillingEvent", "A renewed subscription", {
      id: "evt_1",
      type: "customer.subscription.updated",
      data: { object: { id: "sub_1" } },
    }),
  }),
  schemas: () => ({
    // Only the reference to the subscription is read, once the signature is verified.
    BillingEvent: described(
      z.looseObject({
        id: text("Event ID."),
        type: text("Event type, as named by the payment service."),
        data: described(z.looseObject({}), "The subject of the event."),
      }),
      "A webhook of the payment service.",
    ),
  }),
  run: (context) => async (request) => {
    const payments = paymentsOf(context);
    const body = await readBytes(request, BILLING_EVENT_BYTES_MAX);
    const event = await payments.eventOf(body, request.headers["stripe-signature"] ?? "");
    if (event !== undefined) {
      await follow(context, payments, event);
    }
    return { status: 204 };
  },
});

/**
 * Fetches the subscription until nothing changes. When two events are processed concurrently, the one that fetched
 * first may write last; its next fetch detects this.
 */
const follow = async (context: Context, payments: BillingService, event: BillingEvent): Promise<void> => {
  for (let attempt = 0; attempt < BILLING_LOOKS_MAX; attempt += 1) {
    const latest = await payments.subscription(event.subscriptionId);
    const outcome = latest && (await apply(context, latest));
    if (outcome === undefined) {
      return;
    }
    const { plan, billing } = outcome;
    const line = { event_id: event.id, account_id: latest?.accountId, status: billing.status };
    logger.info("subscription", { ...line, ...(plan !== undefined && { plan }) });
  }
};

/** @returns what changed in the account; undefined: nothing */
const apply = async (
  { accounts }: Context,
  { accountId, billing: latest }: BilledAccount,
): Promise<BillingOutcome | undefined> => {
  const account = await accounts.getAccount(accountId);
  const outcome = account && afterBilling(account, latest);
  if (outcome === undefined) {
    return undefined;
  }
  // The plan is written first: if the second write is lost, the redelivered event still finds a difference.
  if (outcome.plan !== undefined) {
    await accounts.setPlan(accountId, outcome.plan, undefined);
  }
  await accounts.change(accountId, { billing: outcome.billing, planPicked: true });
  return outcome;
};
