import { RequestError } from "./errors.ts";
import { type Account, requestsPerMonth } from "./plans.ts";

/** One request to be counted: whose, in which month, and how many that account may make. */
export interface QuotaClaim {
  readonly accountId: string;
  /** UTC calendar month, `2026-11`. */
  readonly month: string;
  readonly limit: number;
}

/** @returns the UTC calendar month that holds the time, `2026-11` */
export const monthOf = (now: number): string => new Date(now).toISOString().slice(0, 7);

/** @returns the claim of one request of this account at this time */
export const quotaClaim = (account: Account, now: number): QuotaClaim => ({
  accountId: account.id,
  month: monthOf(now),
  limit: requestsPerMonth(account),
});

/**
 * @returns the headers that tell a client where it stands: RateLimit and RateLimit-Policy of the IETF draft
 * (draft-ietf-httpapi-ratelimit-headers), and the older X-RateLimit family, whose reset is in seconds since 1970
 */
export const quotaHeaders = (claim: QuotaClaim, used: number, now: number): Record<string, string> => {
  const remaining = Math.max(0, claim.limit - used);
  const { start, end } = monthBounds(now);
  const secondsLeft = Math.ceil((end - now) / 1_000);
  return {
    "ratelimit-policy": `"month";q=${claim.limit};w=${(end - start) / 1_000}`,
    ratelimit: `"month";r=${remaining};t=${secondsLeft}`,
    "x-ratelimit-limit": String(claim.limit),
    "x-ratelimit-remaining": String(remaining),
    "x-ratelimit-reset": String(end / 1_000),
  };
};

/** @returns the error for an account that has used up its month */
export const quotaExceeded = (claim: QuotaClaim, now: number): RequestError => {
  const { end } = monthBounds(now);
  return new RequestError(
    "quota_exceeded",
    `All ${claim.limit} requests of ${claim.month} are used. The next month starts at ${new Date(end).toISOString()}.`,
    { headers: { "retry-after": String(Math.ceil((end - now) / 1_000)) } },
  );
};

/** @returns when the count of this month ends, milliseconds since 1970 */
export const quotaReset = (now: number): number => monthBounds(now).end;

/** @returns when the UTC month that holds the time starts and ends, in milliseconds since 1970 */
const monthBounds = (now: number): { start: number; end: number } => {
  const date = new Date(now);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  return { start: Date.UTC(year, month, 1), end: Date.UTC(year, month + 1, 1) };
};

/** @returns the headers that tell of the requests a second, `left` of which are left (-1: none was left for this one) */
export const burstHeaders = (limit: number, left: number): Record<string, string> => ({
  "ratelimit-policy": `"burst";q=${limit};w=1`,
  ratelimit: `"burst";r=${Math.max(0, left)};t=1`,
});

/** @returns the error for an account that makes too many requests at once */
export const burstExceeded = (limit: number): RequestError =>
  new RequestError("rate_limited", `An account may make ${limit} requests a second. Try again in a second.`, {
    headers: { "retry-after": "1" },
  });
