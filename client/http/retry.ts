import { AnyformError } from "./errors.ts";

/** Decides whether a request is retried, and after which pause. */

/** Attempts per request: if every fifth attempt is lost, one request in ten million fails. */
export const ATTEMPTS_DEFAULT = 10;
/** Attempts for an unreachable host: they wait for at most 3 s in total, the duration of a restart. */
const UNREACHABLE_ATTEMPTS_MAX = 5;
/** The pause doubles from the first to the longest; all nine take at most 41 s in total. */
const PAUSE_MS_FIRST = 200;
const PAUSE_MS_MAX = 10_000;
/** Longer pauses requested by the service are not waited for. */
const RETRY_AFTER_SECONDS_MAX = 60;

/** Nothing changes until the next month. */
const QUOTA_CODES: ReadonlySet<string> = new Set(["quota_exceeded", "key_quota_exceeded"]);
const RETRIED_STATUSES = new Set([408, 425, 429, 500, 502, 503, 504]);
/**
 * Errors about malformed bodies are retried because the client sends well-formed ones: they were truncated or changed
 * in transit. A conflict of idempotency keys means that the first attempt is still running.
 */
const RETRIED_CODES = new Set(["idempotency_conflict", "malformed_json", "malformed_multipart", "unexpected_answer"]);
const UNREACHABLE_CODES = new Set(["ECONNREFUSED", "ENOTFOUND", "EHOSTUNREACH"]);

/**
 * @param attempt 1 for the first
 * @param random from 0 to 1, so that clients that failed together do not retry together
 * @returns milliseconds to wait before the next attempt; undefined if the request is not retried
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

/** A failed job stays failed, whatever its status suggests. */
const isRetried = ({ code, status, jobId }: AnyformError): boolean => jobId === undefined && isTransient(code, status);

const isTransient = (code: string, status: number): boolean =>
  code === "not_reachable" || (RETRIED_STATUSES.has(status) && !QUOTA_CODES.has(code)) || RETRIED_CODES.has(code);

/** Node reports the reason of a failed `fetch` as its cause; browsers do not. */
const isUnreachable = (error: unknown): boolean => {
  const cause = error instanceof AnyformError && error.cause instanceof Error ? error.cause.cause : undefined;
  const causes = cause instanceof AggregateError ? cause.errors : [cause];
  return causes.some((each) => each instanceof Error && "code" in each && UNREACHABLE_CODES.has(String(each.code)));
};

/** Waits for the given time. Rejects with the signal's reason if it aborts first. */
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

/** Shortest time in milliseconds between two requests for a state that has not changed. */
const POLL_MS_MIN = 1_000;

/**
 * Requests a state that the service waits for. If too many requests of the account wait, it responds at once: then this
 * pauses, unless the state has changed.
 */
export const pollOnce = async <State>(
  request: () => Promise<State>,
  { hasChanged, signal }: { readonly hasChanged: (state: State) => boolean; readonly signal?: AbortSignal | undefined },
): Promise<State> => {
  const start = Date.now();
  const state = await request();
  const early = POLL_MS_MIN - (Date.now() - start);
  if (early > 0 && !hasChanged(state)) {
    await sleep(early, signal);
  }
  return state;
};
