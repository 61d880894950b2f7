import { RequestError } from "../../functions/domain/errors.ts";
import type { Streams } from "../../functions/domain/gateway-ports.ts";
import { STREAMS_MAX, STREAMS_PER_ACCOUNT_MAX } from "../../functions/domain/limits.ts";

export interface LocalStreams extends Streams {
  /** Ends all streams, and those that are opened later. */
  close(): void;
}

/** A stream ends after five minutes, but most end much earlier, with their job. */
const RETRY_AFTER_SECONDS = 10;

/** Counts in memory: the limits are those of a process. */
export const memoryStreams = (max = STREAMS_MAX, perAccountMax = STREAMS_PER_ACCOUNT_MAX): LocalStreams => {
  const accounts = new Map<string, number>();
  const closing = new AbortController();
  let all = 0;
  const change = (accountId: string, by: number): void => {
    const count = (accounts.get(accountId) ?? 0) + by;
    all += by;
    if (count > 0) {
      accounts.set(accountId, count);
    } else {
      accounts.delete(accountId);
    }
  };
  return {
    closing: closing.signal,
    close: () => closing.abort(),
    open: (accountId) => {
      if ((accounts.get(accountId) ?? 0) >= perAccountMax) {
        throw refused("rate_limited", `The limit is ${perAccountMax} open streams.`);
      }
      if (all >= max) {
        throw refused("temporarily_unavailable", "Too many open streams.");
      }
      change(accountId, 1);
      let isOpen = true;
      return () => {
        if (isOpen) {
          isOpen = false;
          change(accountId, -1);
        }
      };
    },
  };
};

const refused = (code: "rate_limited" | "temporarily_unavailable", detail: string): RequestError =>
  new RequestError(code, `${detail} Try again in ${RETRY_AFTER_SECONDS} s, or use \`Prefer: wait\` with the status.`, {
    headers: { "retry-after": String(RETRY_AFTER_SECONDS) },
  });
