import { AnyformError } from "./errors.ts";

/** When a request is sent again, and after which pause. */

/** Attempts of one request: with every fifth one lost, one request in ten million is given up. */
export const ATTEMPTS_DEFAULT = 10;
/** Attempts at a host that is not there: together they wait for 3 s at the most, as long as a restart takes. */
const UNREACHABLE_ATTEMPTS_MAX = 5;
/** The pause doubles from the first to the longest; all nine together take 41 s at the most. */
const PAUSE_MS_FIRST = 200;
const PAUSE_MS_MAX = 10_000;
/** A service that asks for a longer pause than this is not waited for: a quota may take a month. */
const RETRY_AFTER_SECONDS_MAX = 60;

const RETRIED_STATUSES = new Set([408, 425, 429, 500, 502, 503, 504]);
/**
 * Said of bodies that the client makes well: they were cut or changed on the way. A conflict of idempotency keys is the
 * first attempt that still runs.
 */
const RETRIED_CODES = new Set(["idempotency_conflict", "malformed_json", "malformed_multipart", "unexpected_answer"]);
const UNREACHABLE_CODES = new Set(["ECONNREFUSED", "ENOTFOUND", "EHOSTUNREACH"]);

/**
 * @param attempt 1 for the first
 * @param random from 0 to 1; clients that failed together should not come back together
 * @returns milliseconds to wait before the next attempt; undefined when there should be none
 */
export const pauseBefore = (
  error: unknown,
  { attempt, attemptsMax, random }: { attempt: number; attemptsMax: number; random: number },
): number | undefined => {
  const limit = isUnreachable(error) ? Math.min(attemptsMax, UNREACHABLE_ATTEMPTS_MAX) : attemptsMax;
  if (attempt >= limit || !(error instanceof AnyformError) || !isRetried(error)) {
    return undefined;
  }
  const retryAfter = error.retryAfter ?? 0;
  if (retryAfter > RETRY_AFTER_SECONDS_MAX) {
    return undefined;
  }
  const pause = Math.min(PAUSE_MS_MAX, PAUSE_MS_FIRST * 2 ** (attempt - 1));
  return Math.max(retryAfter * 1_000, 0) + pause * (0.5 + random / 2);
};

const isRetried = ({ code, status }: AnyformError): boolean =>
  code === "not_reachable" || RETRIED_STATUSES.has(status) || RETRIED_CODES.has(code);

/** Node tells in the cause why a `fetch` failed; browsers do not. */
const isUnreachable = (error: unknown): boolean => {
  const cause = error instanceof AnyformError && error.cause instanceof Error ? error.cause.cause : undefined;
  const causes = cause instanceof AggregateError ? cause.errors : [cause];
  return causes.some((each) => each instanceof Error && "code" in each && UNREACHABLE_CODES.has(String(each.code)));
};

/** @returns when the milliseconds are over; rejects with the signal's reason when it comes first */
export const sleep = (milliseconds: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, milliseconds);
    signal?.addEventListener("abort", stop, { once: true });
  });
