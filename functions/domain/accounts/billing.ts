import { type Account, type Billing, isSetByOperator, type PlanId } from "./plans.ts";

/** How a subscription affects the plan. Pure functions: the adapter calls the payment service. */

/** THE table of plans by subscription status. While a failed payment is retried, the plan continues. */
const planOfStatus = { active: "api", past_due: "api", ended: "free" } as const satisfies Record<
  Billing["status"],
  PlanId
>;

/** The changes of an account by a subscription. */
export interface BillingOutcome {
  readonly billing: Billing;
  /** The account's new plan. @default unchanged */
  readonly plan?: PlanId;
}

/** @returns whether the account has a subscription that has not ended */
export const hasSubscription = (
  account: Pick<Account, "billing">,
): account is { readonly billing: NonNullable<Account["billing"]> } =>
  account.billing !== undefined && account.billing.status !== "ended";

/**
 * @param billing the current state of a subscription of the account
 * @returns the changes; undefined when there are none: the state is known, or it is an old subscription that has ended
 * while another one is active
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
  // The payment service does not change plans that were agreed with the operator.
  return account.plan === plan || isSetByOperator(account.plan) ? { billing } : { billing, plan };
};

const isSame = (a: Billing | undefined, b: Billing): boolean =>
  a !== undefined &&
  a.customerId === b.customerId &&
  a.subscriptionId === b.subscriptionId &&
  a.status === b.status &&
  a.paidUntil === b.paidUntil &&
  (a.endsThen ?? false) === (b.endsThen ?? false);
