import {
  countsOf,
  type EngineCount,
  type EngineDayStore,
  type EngineDays,
  type EngineFailure,
  failuresOf,
  statusDay,
} from "../domain/status/engine-days.ts";

/** Minimum milliseconds between two writes. A process that ends in between loses the counts of this time. */
const STORE_MS = 10_000;

interface EngineDaysSettings {
  readonly store: EngineDayStore;
  readonly clock: () => number;
  /** Called when counts could not be stored. They are kept and stored later. */
  readonly onError: (error: unknown) => void;
}

/** Adds up the counts in memory, so that a busy converter writes once in ten seconds. */
export const bufferedEngineDays = ({ store, clock, onError }: EngineDaysSettings): EngineDays => {
  // By day, engine and count: at most two days, each with the engines and buckets of fixed tables.
  let pending = new Map<string, EngineCount & { readonly day: string }>();
  let failed = new Map<string, EngineFailure>();
  let storedAt = 0;
  const add = (day: string, { engine, count, value }: EngineCount): void => {
    const key = `${day} ${engine} ${count}`;
    pending.set(key, { day, engine, count, value: (pending.get(key)?.value ?? 0) + value });
  };
  const storeFailures = async (): Promise<void> => {
    const taken = failed;
    failed = new Map();
    if (taken.size > 0) {
      try {
        await store.noteFailures([...taken.values()]);
      } catch (error) {
        failed = new Map([...taken, ...failed]);
        onError(error);
      }
    }
  };
  const flush = async (): Promise<void> => {
    const taken = pending;
    pending = new Map();
    storedAt = clock();
    for (const [day, counts] of Map.groupBy(taken.values(), (count) => count.day)) {
      try {
        await store.add(day, counts);
      } catch (error) {
        for (const count of counts) {
          add(day, count);
        }
        onError(error);
      }
    }
    await storeFailures();
  };
  return {
    ended: (job, outcome) => {
      const now = clock();
      for (const count of countsOf(job, outcome)) {
        add(statusDay(now), count);
      }
      for (const failure of failuresOf(job, outcome, now)) {
        failed.set(failure.engine, failure);
      }
    },
    storeWhenDue: async () => {
      if (pending.size > 0 && clock() - storedAt >= STORE_MS) {
        await flush();
      }
    },
    since: async (day) => {
      if (pending.size > 0) {
        await flush();
      }
      return store.since(day);
    },
    failures: async () => {
      await storeFailures();
      return store.failures();
    },
  };
};
