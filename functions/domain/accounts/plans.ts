import { BURST_REQUESTS_MAX } from "../limits.ts";
import type { WebhookEndpoint } from "../webhooks/endpoint.ts";
import type { Team } from "./members.ts";

/** The plans of the service, and accounts. */

/**
 * The quota of accounts without a monthly limit: their requests are counted, but never refused. The stores compare
 * counts with it like with any quota; the API shows no number instead.
 */
export const UNLIMITED_REQUESTS = Number.MAX_SAFE_INTEGER;

/**
 * `requestsPerMonth` is the quota of the plan. Enterprise accounts have individual quotas and no limit per second. The
 * unlimited plan is for the owner of a machine: it is not offered, and only the operator can set it.
 */
export const plans = {
  free: { name: "Free", requestsPerMonth: 100, requestsPerSecond: BURST_REQUESTS_MAX, priceEurosPerMonth: 0 },
  api: { name: "API", requestsPerMonth: 5_000, requestsPerSecond: BURST_REQUESTS_MAX, priceEurosPerMonth: 29 },
  enterprise: {
    name: "Enterprise",
    requestsPerMonth: undefined,
    requestsPerSecond: undefined,
    priceEurosPerMonth: undefined,
  },
  unlimited: {
    name: "Unlimited",
    requestsPerMonth: UNLIMITED_REQUESTS,
    requestsPerSecond: undefined,
    priceEurosPerMonth: undefined,
  },
} as const;

export type PlanId = keyof typeof plans;

export const planIds = Object.keys(plans) as [PlanId, ...PlanId[]];

/** The signing secret of webhooks: `whsec_` and 24 random bytes in base64. */
export interface WebhookSecret {
  readonly secret: string;
  readonly createdAt: number;
  /** Set after a rotation: until then, it signs in addition to the new secret. */
  readonly expiresAt?: number;
}

/** An account's subscription, as reported by the payment service. */
export interface Billing {
  /** IDs of the payment service. */
  readonly customerId: string;
  readonly subscriptionId: string;
  /** `past_due` while a failed payment is retried; `ended` when the plan is no longer paid for. */
  readonly status: "active" | "past_due" | "ended";
  /** The end of the paid period. */
  readonly paidUntil?: number;
  /** Whether it ends at `paidUntil`. */
  readonly endsThen?: boolean;
}

/** An account. Times are milliseconds since 1970. */
export interface Account {
  readonly id: string;
  readonly email: string;
  readonly plan: PlanId;
  /** Requests per month, if they differ from the plan's; always set for enterprise accounts. */
  readonly quota?: number;
  /** Hours that files are kept after their job has ended; 0: until the first download. @default 24 */
  readonly retentionHours?: number;
  /** Newest first; older ones are valid until they expire. @default none: no webhooks are sent */
  readonly webhookSecrets?: readonly WebhookSecret[];
  /** The default webhook URL of jobs. @default none */
  readonly webhookUrl?: string;
  /** Further webhook endpoints, oldest first. @default none */
  readonly webhookEndpoints?: readonly WebhookEndpoint[];
  /** Whether the owner gets emails about the quota. @default yes */
  readonly quotaMails?: boolean;
  /** Whether a plan was picked, by the owner or by the operator. @default not yet */
  readonly planPicked?: boolean;
  /** A plan that the owner has requested from the operator. */
  readonly request?: { readonly plan: PlanId; readonly at: number; readonly note?: string };
  readonly billing?: Billing;
  /** Members in addition to the account's own address. @default none */
  readonly team?: Team;
  /** Set for a visitor without an email address: the end of the visit. @default not a visitor */
  readonly visitorUntil?: number;
  readonly createdAt: number;
}

/** Changes of an account. Null removes a value; missing fields stay unchanged. */
export type AccountChanges = {
  readonly [Name in
    | "billing"
    | "planPicked"
    | "quotaMails"
    | "request"
    | "retentionHours"
    | "webhookEndpoints"
    | "webhookSecrets"
    | "webhookUrl"]?: Account[Name] | null;
};

/** @returns whether the text names a plan */
export const isPlanId = (text: string): text is PlanId => Object.hasOwn(plans, text);

/** @returns the requests that the account may make in a month */
export const requestsPerMonth = (account: Pick<Account, "plan" | "quota">): number =>
  account.quota ?? plans[account.plan].requestsPerMonth ?? 0;

/** @returns the number of requests as the API shows it; null: unlimited */
export const shownRequests = (requests: number): number | null => (requests >= UNLIMITED_REQUESTS ? null : requests);

/** @returns whether the operator sets the plan for this account; payments do not change it */
export const isSetByOperator = (plan: PlanId): boolean => plan === "enterprise" || plan === "unlimited";
