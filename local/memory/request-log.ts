import type { Metrics } from "../../functions/domain/metrics.ts";
import type { LoggedRequest, RequestLog, RequestStore } from "../../functions/domain/requests/logged-request.ts";

/** Milliseconds between the first entry of a batch and its write. */
const WRITE_MS = 1_000;

/** Entries of one write, which blocks the process for about 2 ms. */
export const BATCH_MAX = 200;

/** Entries that wait to be written, at most 5 kB each. If the database is locked or slow, the oldest are dropped. */
export const WAITING_MAX = 2_000;

export interface LocalRequestLog extends RequestLog {
  /** Writes all entries that wait. */
  flush(): Promise<void>;
}

interface Settings {
  readonly store: RequestStore;
  readonly metrics: Metrics;
  /** Writes the entries that wait in other processes. @default there are none */
  readonly flushOthers?: () => Promise<void>;
  /** Called when entries could not be written. They are lost. */
  readonly onError: (error: unknown) => void;
}

/** Collects entries in memory and writes them in batches, so that no request waits for its entry. */
export const bufferedRequestLog = ({
  store,
  metrics,
  flushOthers = async () => {},
  onError,
}: Settings): LocalRequestLog => {
  const waiting: LoggedRequest[] = [];
  let [timer, writing]: [NodeJS.Timeout | undefined, Promise<void> | undefined] = [undefined, undefined];
  const dropped = (value: number): void => metrics.record([{ metric: "request_log_dropped", labels: {}, value }]);

  const write = async (): Promise<void> => {
    // At most those that wait now: under constant load, the loop would not end.
    for (let left = waiting.length; left > 0; left -= BATCH_MAX) {
      const batch = waiting.splice(0, BATCH_MAX);
      try {
        await store.add(batch);
      } catch (error) {
        dropped(batch.length);
        onError(error);
      }
    }
  };
  const flush = async (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    await writing;
    writing = write();
    await writing;
  };
  const flushAll = async (): Promise<void> => {
    await Promise.all([flush(), flushOthers()]);
  };
  return {
    record: (entry) => {
      if (waiting.length >= WAITING_MAX) {
        waiting.shift();
        dropped(1);
      }
      waiting.push(entry);
      timer ??= setTimeout(flush, WRITE_MS).unref();
      return undefined;
    },
    flush,
    // Readers see their own requests.
    list: async (query) => {
      await flushAll();
      return store.list(query);
    },
    get: async (accountId, id, now) => {
      await flushAll();
      return store.get(accountId, id, now);
    },
    erase: async (accountId, limit) => {
      await flushAll();
      return store.erase(accountId, limit);
    },
  };
};
