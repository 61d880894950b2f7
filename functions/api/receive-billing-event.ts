import { BILLING_EVENT_BYTES_MAX, BILLING_LOOKS_MAX } from "../domain/account-limits.ts";
import type { BilledAccount, BillingEvent, BillingService } from "../domain/account-ports.ts";
import { afterBilling, type BillingOutcome } from "../domain/billing.ts";
import type { Context } from "../domain/ports.ts";
import { logger } from "../logger.ts";
import { http, type Operation } from "./http.ts";
import { readBytes } from "./middleware/read-json.ts";
import { paymentsOf } from "./payments.ts";

/**
 * Hears from the payment service that something happened to a subscription. The message is only the reason to ask how the
 * subscription stands now, so one that comes twice, late or out of turn does no harm; one that cannot be taken is answered
 * with an error, and the payment service sends it again for days.
 */
export const receiveBillingEvent: Operation = (context) => async (request) => {
  const payments = paymentsOf(context);
  const body = await readBytes(request, BILLING_EVENT_BYTES_MAX);
  const event = await payments.eventOf(body, request.headers["stripe-signature"] ?? "");
  if (event !== undefined) {
    await follow(context, payments, event);
  }
  return { status: 204 };
};

/**
 * Looks until there is nothing more to change: of two messages that are taken at once, the one that has looked first may
 * write last, and sees so by its next look.
 */
const follow = async (context: Context, payments: BillingService, event: BillingEvent): Promise<void> => {
  for (let look = 0; look < BILLING_LOOKS_MAX; look += 1) {
    const told = await payments.subscription(event.subscriptionId);
    const outcome = told && (await apply(context, told));
    if (outcome === undefined) {
      return;
    }
    const { plan, billing } = outcome;
    const line = { event_id: event.id, account_id: told?.accountId, status: billing.status };
    logger.info("subscription", { ...line, ...(plan !== undefined && { plan }) });
  }
};

/** @returns what was changed of the account; undefined: nothing */
const apply = async (
  { accounts }: Context,
  { accountId, billing: told }: BilledAccount,
): Promise<BillingOutcome | undefined> => {
  const account = await accounts.getAccount(accountId);
  const outcome = account && afterBilling(account, told);
  if (outcome === undefined) {
    return undefined;
  }
  // The plan comes first: should the second write be lost, the message that comes again still finds something to change.
  if (outcome.plan !== undefined) {
    await accounts.setPlan(accountId, outcome.plan, undefined);
  }
  await accounts.change(accountId, { billing: outcome.billing, planPicked: true });
  return outcome;
};

export const handler = http("receiveBillingEvent", receiveBillingEvent);
