import type { RequestLog, RequestStore } from "../domain/requests/logged-request.ts";
import type { RequestLogMode } from "../domain/requests/request-log-mode.ts";

/**
 * Milliseconds that a response waits for its entry. A write takes about 5 ms; Lambda may stop the process as soon as the
 * response is returned.
 */
const WRITE_MS_MAX = 300;

const FAILED = 400;

/**
 * Stores each entry before the response is returned, unless the table takes too long.
 * @param onError called when an entry could not be stored. It is lost.
 */
export const storedRequestLog = (
  store: RequestStore,
  { mode, onError }: { readonly mode: RequestLogMode; readonly onError: (error: unknown) => void },
): RequestLog => ({
  ...store,
  record: (entry) =>
    mode === "off" || (mode === "failed" && entry.status < FAILED)
      ? undefined
      : withinLimit(store.add([entry])).catch(onError),
});

const withinLimit = async (work: Promise<void>): Promise<void> => {
  const { promise: late, reject } = Promise.withResolvers<void>();
  const timer = setTimeout(() => reject(new Error("The request log took too long.")), WRITE_MS_MAX);
  try {
    await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
};
