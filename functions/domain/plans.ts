import { BURST_REQUESTS_MAX } from "./limits.ts";

/** The plans of the service, and accounts that hold one. */

/** `requestsPerMonth` is the quota of the plan; an enterprise account brings a number of its own, and is held to no number a second. */
export const plans = {
  free: { name: "Free", requestsPerMonth: 100, requestsPerSecond: BURST_REQUESTS_MAX, priceEurosPerMonth: 0 },
  api: { name: "API", requestsPerMonth: 5_000, requestsPerSecond: BURST_REQUESTS_MAX, priceEurosPerMonth: 29 },
  enterprise: {
    name: "Enterprise",
    requestsPerMonth: undefined,
    requestsPerSecond: undefined,
    priceEurosPerMonth: undefined,
  },
} as const;

export type PlanId = keyof typeof plans;

/** What webhooks are signed with: `whsec_` and 24 random bytes in base64. */
export interface WebhookSecret {
  readonly secret: string;
  readonly createdAt: number;
  /** When it was replaced, it signs until then beside the new one. */
  readonly expiresAt?: number;
}

/** What a payment service has told of an account's subscription. */
export interface Billing {
  /** The payment service's own ids. */
  readonly customerId: string;
  readonly subscriptionId: string;
  /** `active`, also while a payment is tried again (`past_due`); `ended` when the plan is no longer paid for. */
  readonly status: "active" | "past_due" | "ended";
  /** Until when it is paid for. */
  readonly paidUntil?: number;
  /** Whether it ends at `paidUntil`. */
  readonly endsThen?: boolean;
}

/** An account. Times are milliseconds since 1970. */
export interface Account {
  readonly id: string;
  readonly email: string;
  readonly plan: PlanId;
  /** Requests a month where they differ from the plan's; an enterprise account always has it. */
  readonly quota?: number;
  /** Hours that files stay after their job has ended; 0: until the first download. @default 24 */
  readonly retentionHours?: number;
  /** Newest first; those before it hold until their time. @default none: no webhooks are sent */
  readonly webhookSecrets?: readonly WebhookSecret[];
  /** Where the end of jobs is told that name no address of their own. @default nowhere */
  readonly webhookUrl?: string;
  /** Whether its owner has picked a plan; one made by the operator has. @default not yet */
  readonly planPicked?: boolean;
  /** A plan that its owner has asked the operator for. */
  readonly request?: { readonly plan: PlanId; readonly at: number; readonly note?: string };
  readonly billing?: Billing;
  /** A visitor without an address, who may try a few small files until then. @default no visitor */
  readonly visitorUntil?: number;
  readonly createdAt: number;
}

/** What of an account is changed from outside; null takes a value away, and what is not named stays. */
export type AccountChanges = {
  readonly [Name in "billing" | "planPicked" | "request" | "retentionHours" | "webhookSecrets" | "webhookUrl"]?:
    | Account[Name]
    | null;
};

/** @returns whether the text names a plan */
export const isPlanId = (text: string): text is PlanId => Object.hasOwn(plans, text);

/** @returns the requests that the account may make in a month */
export const requestsPerMonth = (account: Pick<Account, "plan" | "quota">): number =>
  account.quota ?? plans[account.plan].requestsPerMonth ?? 0;
