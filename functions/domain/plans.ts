/** The plans of the service, and accounts that hold one. */

/** `requestsPerMonth` is the quota of the plan; an enterprise account brings a number of its own. */
export const plans = {
  free: { name: "Free", requestsPerMonth: 100, priceEurosPerMonth: 0 },
  api: { name: "API", requestsPerMonth: 5_000, priceEurosPerMonth: 29 },
  enterprise: { name: "Enterprise", requestsPerMonth: undefined, priceEurosPerMonth: undefined },
} as const;

export type PlanId = keyof typeof plans;

/** An account. Times are milliseconds since 1970. */
export interface Account {
  readonly id: string;
  readonly email: string;
  readonly plan: PlanId;
  /** Requests a month where they differ from the plan's; an enterprise account always has it. */
  readonly quota?: number;
  readonly createdAt: number;
}

/** @returns whether the text names a plan */
export const isPlanId = (text: string): text is PlanId => Object.hasOwn(plans, text);

/** @returns the requests that the account may make in a month */
export const requestsPerMonth = (account: Pick<Account, "plan" | "quota">): number =>
  account.quota ?? plans[account.plan].requestsPerMonth ?? 0;
