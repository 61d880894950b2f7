import type { AccountStore } from "./account-ports.ts";
import { type Account, type PlanId, plans } from "./plans.ts";

/** A plan with the requests per month, if they differ from the plan's. */
export interface GivenPlan {
  readonly plan: PlanId;
  readonly quota: number | undefined;
}

/** Changes the plan of the account, and clears the owner's request only if it was for this plan. */
export const givePlan = async (
  accounts: AccountStore,
  { id, request }: Pick<Account, "id" | "request">,
  { plan, quota }: GivenPlan,
): Promise<void> => {
  await accounts.setPlan(id, plan, quota);
  await accounts.change(id, { planPicked: true, ...(request?.plan === plan && { request: null }) });
};

/** @returns whether the plan has no quota, so that one must be set */
export const needsQuota = (plan: PlanId): boolean => plans[plan].requestsPerMonth === undefined;
