import { RequestError } from "./errors.ts";
import type { Job, JobOutcome } from "./jobs.ts";
import { USE_RETENTION_MONTHS } from "./limits.ts";
import { type Account, requestsPerMonth } from "./plans.ts";

/** One request to be counted: whose, in which month, and how many that account may make. */
export interface QuotaClaim {
  readonly accountId: string;
  /** UTC calendar month, `2026-11`. */
  readonly month: string;
  /** UTC day of that month, 1 to 31. */
  readonly day: number;
  readonly kind: MeteredKind;
  readonly limit: number;
}

/** What is counted of each day: accepted requests by operation, and jobs by how they ended. */
export const useKinds = ["upload", "convert", "download", "completed", "failed", "cancelled"] as const;

export type UseKind = (typeof useKinds)[number];

/** Requests that count towards the quota. */
export type MeteredKind = Extract<UseKind, "convert" | "download" | "upload">;

/** One more of a kind on a day. */
export interface DayCount {
  readonly accountId: string;
  /** UTC calendar month, `2026-11`. */
  readonly month: string;
  /** UTC day of that month, 1 to 31. */
  readonly day: number;
  readonly kind: UseKind;
}

/** What an account used in a month. */
export interface MonthUse {
  /** Accepted requests less those given back: what the quota is held against. */
  readonly used: number;
  /**
   * By day of the month, 1 to 31; days and kinds without any are not there. A request that is given back stays accepted, so
   * the days may come to more than `used`; jobs are counted on the day of their end, so theirs may be of another month.
   */
  readonly days: ReadonlyMap<number, Readonly<Partial<Record<UseKind, number>>>>;
}

/** @returns the UTC calendar month that holds the time, `2026-11` */
export const monthOf = (now: number): string => new Date(now).toISOString().slice(0, 7);

/** @returns the UTC day of the month, 1 to 31 */
export const dayOf = (now: number): number => new Date(now).getUTCDate();

/** @returns how many days the month has */
export const daysOf = (month: string): number => {
  const [year = 0, number = 0] = month.split("-").map(Number);
  return new Date(Date.UTC(year, number, 0)).getUTCDate();
};

/** @returns the month that lies so many months before this one */
export const monthBefore = (month: string, months: number): string => {
  const [year = 0, number = 0] = month.split("-").map(Number);
  return monthOf(Date.UTC(year, number - 1 - months, 1));
};

/** @returns the claim of one request of this account at this time */
export const quotaClaim = (account: Account, now: number, kind: MeteredKind): QuotaClaim => ({
  accountId: account.id,
  month: monthOf(now),
  day: dayOf(now),
  kind,
  limit: requestsPerMonth(account),
});

/** @returns what the end of a job counts as; undefined for one that was not counted, as with a test key */
export const endCount = (
  { accountId, quotaMonth }: Pick<Job, "accountId" | "quotaMonth">,
  status: JobOutcome["status"],
  now: number,
): DayCount | undefined =>
  quotaMonth === "" ? undefined : { accountId, month: monthOf(now), day: dayOf(now), kind: status };

/** @returns when the counts of a month may go, milliseconds since 1970 */
export const countsExpireAt = (month: string): number => {
  const [year = 0, number = 0] = month.split("-").map(Number);
  return Date.UTC(year, number + USE_RETENTION_MONTHS, 1);
};

/** @returns the month before which counts have had their time */
export const oldestMonth = (now: number): string => monthBefore(monthOf(now), USE_RETENTION_MONTHS);

/**
 * @returns the headers that tell a client where it stands: RateLimit and RateLimit-Policy of the IETF draft
 * (draft-ietf-httpapi-ratelimit-headers), and the older X-RateLimit family, whose reset is in seconds since 1970
 */
export const quotaHeaders = (claim: Pick<QuotaClaim, "limit">, used: number, now: number): Record<string, string> => {
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
export const quotaExceeded = (claim: Pick<QuotaClaim, "limit" | "month">, now: number): RequestError => {
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
