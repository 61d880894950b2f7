import type { Account, Billing, PlanId } from "./plans.ts";

/** What a subscription means for a plan. Pure: the payment service is asked by its adapter. */

/** THE table: the plan of who pays, and of who has stopped. While a payment is tried again the plan goes on. */
const planOfStatus = { active: "api", past_due: "api", ended: "free" } as const satisfies Record<
  Billing["status"],
  PlanId
>;

/** What a subscription changes of an account. */
export interface BillingOutcome {
  readonly billing: Billing;
  /** The account's new plan. @default it stays */
  readonly plan?: PlanId;
}

/** @returns whether the account has a subscription that has not ended */
export const hasSubscription = (
  account: Pick<Account, "billing">,
): account is { readonly billing: NonNullable<Account["billing"]> } =>
  account.billing !== undefined && account.billing.status !== "ended";

/**
 * @param billing a subscription of the account as it now stands
 * @returns what it changes; undefined when it changes nothing: all of it is known, or it is an old one that has ended
 * beside the one that is paid for
 */
export const afterBilling = (
  account: Pick<Account, "billing" | "plan">,
  billing: Billing,
): BillingOutcome | undefined => {
  const isOther = account.billing?.subscriptionId !== billing.subscriptionId;
  if (isSame(account.billing, billing) || (billing.status === "ended" && isOther && hasSubscription(account))) {
    return undefined;
  }
  const plan = planOfStatus[billing.status];
  // What was agreed with the operator is no payment service's to change.
  return account.plan === plan || account.plan === "enterprise" ? { billing } : { billing, plan };
};

const isSame = (a: Billing | undefined, b: Billing): boolean =>
  a !== undefined &&
  a.customerId === b.customerId &&
  a.subscriptionId === b.subscriptionId &&
  a.status === b.status &&
  a.paidUntil === b.paidUntil &&
  (a.endsThen ?? false) === (b.endsThen ?? false);
