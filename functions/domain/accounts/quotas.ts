import { RequestError } from "../errors.ts";
import type { Job, JobOutcome } from "../jobs/job.ts";
import { USE_RETENTION_MONTHS } from "../limits.ts";
import type { KeyLimit } from "./keys.ts";
import { type Account, requestsPerMonth, shownRequests } from "./plans.ts";

/** Requests to be counted: the account, the month, and the account's limit. */
export interface QuotaClaim {
  readonly accountId: string;
  /** UTC calendar month, `2026-11`. */
  readonly month: string;
  /** UTC day of that month, 1 to 31. */
  readonly day: number;
  readonly kind: MeteredKind;
  readonly limit: number;
  /** Requests that are counted together, or not at all. @default 1 */
  readonly count?: number;
  /** The limit of the API key, which is counted in the same transaction. @default the key has none */
  readonly key?: KeyLimit;
}

/** What counts, in the words of the API document, the dashboard's plans page and docs/api.md. */
export const COUNTED_REQUESTS =
  "A conversion by one call counts as one request; upload, convert and download as separate calls count as one each; " +
  "downloads are never refused.";

/** The daily counts: accepted requests by operation, and jobs by outcome. */
export const useKinds = ["upload", "convert", "download", "completed", "failed", "cancelled"] as const;

export type UseKind = (typeof useKinds)[number];

/** Requests that count toward the quota. */
export type MeteredKind = Extract<UseKind, "convert" | "download" | "upload">;

/** One count of a kind on a day. */
export interface DayCount {
  readonly accountId: string;
  /** UTC calendar month, `2026-11`. */
  readonly month: string;
  /** UTC day of that month, 1 to 31. */
  readonly day: number;
  readonly kind: UseKind;
}

/** The usage of an account in a month. */
export interface MonthUse {
  /** Accepted requests minus refunded ones: the number that the quota limits. */
  readonly used: number;
  /**
   * By day of the month, 1 to 31; days and kinds without counts are omitted. A refunded request remains accepted, so
   * the sum of the days can exceed `used`. Jobs are counted on the day they end, which can be in another month.
   */
  readonly days: ReadonlyMap<number, Readonly<Partial<Record<UseKind, number>>>>;
}

/** @returns the UTC calendar month of the time, `2026-11` */
export const monthOf = (now: number): string => {
  const date = new Date(now);
  return `${date.getUTCFullYear()}-${String(date.getUTCMonth() + 1).padStart(2, "0")}`;
};

/** @returns the UTC day of the month, 1 to 31 */
export const dayOf = (now: number): number => new Date(now).getUTCDate();

/** @returns the number of days of the month */
export const daysOf = (month: string): number => {
  const [year = 0, number = 0] = month.split("-").map(Number);
  return new Date(Date.UTC(year, number, 0)).getUTCDate();
};

/** @returns the month that is this many months earlier */
export const monthBefore = (month: string, months: number): string => {
  const [year = 0, number = 0] = month.split("-").map(Number);
  return monthOf(Date.UTC(year, number - 1 - months, 1));
};

/** @returns the quota claim of a request of this account at this time */
export const quotaClaim = (account: Account, now: number, kind: MeteredKind, key?: KeyLimit): QuotaClaim => ({
  accountId: account.id,
  month: monthOf(now),
  day: dayOf(now),
  kind,
  limit: requestsPerMonth(account),
  ...(key && { key }),
});

/** @returns the count for the end of a job; undefined for unmetered jobs, such as those of test keys */
export const endCount = (
  { accountId, quotaMonth }: Pick<Job, "accountId" | "quotaMonth">,
  status: JobOutcome["status"],
  now: number,
): DayCount | undefined =>
  quotaMonth === "" ? undefined : { accountId, month: monthOf(now), day: dayOf(now), kind: status };

/** @returns when the counts of a month expire, milliseconds since 1970 */
export const countsExpireAt = (month: string): number => {
  const [year = 0, number = 0] = month.split("-").map(Number);
  return Date.UTC(year, number + USE_RETENTION_MONTHS, 1);
};

/** @returns the oldest month whose counts are kept */
export const oldestMonth = (now: number): string => monthBefore(monthOf(now), USE_RETENTION_MONTHS);

/**
 * @returns the quota headers: RateLimit and RateLimit-Policy of the IETF draft (draft-ietf-httpapi-ratelimit-headers),
 * and the older X-RateLimit headers, whose reset is in seconds since 1970; none for an unlimited account
 */
export const quotaHeaders = (claim: Pick<QuotaClaim, "limit">, used: number, now: number): Record<string, string> => {
  if (shownRequests(claim.limit) === null) {
    return {};
  }
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

/** @returns the error for an account that has used up its monthly quota */
export const quotaExceeded = (
  { limit, month, count = 1 }: Pick<QuotaClaim, "count" | "limit" | "month">,
  now: number,
): RequestError => {
  const { end } = monthBounds(now);
  const used =
    count === 1 ? `All ${limit} requests of ${month} are used.` : `Fewer than ${count} requests of ${month} are left.`;
  return new RequestError("quota_exceeded", `${used} The quota resets at ${new Date(end).toISOString()}.`, {
    headers: { "retry-after": String(Math.ceil((end - now) / 1_000)) },
  });
};

/** @returns the error for an API key that has used up its monthly limit */
export const keyQuotaExceeded = (limit: number, month: string, now: number): RequestError => {
  const { end } = monthBounds(now);
  const reset = new Date(end).toISOString();
  const detail = `This API key has used its limit of ${limit} requests of ${month}. The limit resets at ${reset}.`;
  return new RequestError("key_quota_exceeded", detail, {
    headers: { "retry-after": String(Math.ceil((end - now) / 1_000)) },
  });
};

/** @returns when the monthly quota resets, milliseconds since 1970 */
export const quotaReset = (now: number): number => monthBounds(now).end;

/** @returns the start and end of the UTC month of the time, in milliseconds since 1970 */
const monthBounds = (now: number): { start: number; end: number } => {
  const date = new Date(now);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  return { start: Date.UTC(year, month, 1), end: Date.UTC(year, month + 1, 1) };
};

/** @returns the headers of the per-second limit, with `left` requests remaining (-1: this one exceeded the limit) */
export const burstHeaders = (limit: number, left: number): Record<string, string> => ({
  "ratelimit-policy": `"burst";q=${limit};w=1`,
  ratelimit: `"burst";r=${Math.max(0, left)};t=1`,
});

/** @returns the error for an account that exceeds its requests per second */
export const burstExceeded = (limit: number): RequestError =>
  new RequestError("rate_limited", `The limit is ${limit} requests per second. Try again in 1 s.`, {
    headers: { "retry-after": "1" },
  });
