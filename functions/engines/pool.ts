import { JobError } from "../domain/errors.ts";

/** Lends a bounded number of things, one borrower each at a time. */
export interface Pool<T> {
  use<R>(work: (thing: T) => Promise<R>): Promise<R>;
  /** Ends all; whoever waits, or comes later, fails with `engine_crashed`. */
  stop(): Promise<void>;
}

export interface PoolSettings<T> {
  readonly size: number;
  /** Borrowers that may wait; one more fails with `engine_failed`. */
  readonly waitingMax: number;
  readonly start: () => T;
  /** Whether it may be lent again; if not, it is ended, and another one started when it is needed. */
  readonly isFit: (thing: T) => boolean;
  readonly end: (thing: T) => Promise<void>;
}

/** Starts nothing before it is needed; the thing that came back last is lent first, because it is the warmest. */
export const pool = <T>({ size, waitingMax, start, isFit, end }: PoolSettings<T>): Pool<T> => {
  const all = new Set<T>();
  const idle: T[] = [];
  const waiting: { readonly go: (thing: T) => void; readonly fail: (error: JobError) => void }[] = [];
  let stopped = false;

  const begin = (): T => {
    const thing = start();
    all.add(thing);
    return thing;
  };

  const borrow = async (): Promise<T> => {
    if (stopped) {
      throw stopping();
    }
    const warm = idle.pop();
    if (warm !== undefined && isFit(warm)) {
      return warm;
    }
    if (warm !== undefined) {
      // It ended while it was idle. Its place stays taken until it is gone.
      await end(warm);
      all.delete(warm);
    }
    if (all.size < size) {
      return begin();
    }
    if (waiting.length >= waitingMax) {
      throw new JobError("engine_failed", "Too many conversions wait for a converter.");
    }
    return new Promise((go, fail) => waiting.push({ go, fail }));
  };

  const giveBack = async (thing: T): Promise<void> => {
    const fit = !stopped && isFit(thing);
    if (!fit) {
      await end(thing);
      all.delete(thing);
    }
    const next = stopped ? undefined : waiting.shift();
    if (next !== undefined) {
      next.go(fit ? thing : begin());
    } else if (fit) {
      idle.push(thing);
    }
  };

  return {
    use: async (work) => {
      const thing = await borrow();
      try {
        return await work(thing);
      } finally {
        await giveBack(thing);
      }
    },
    stop: async () => {
      stopped = true;
      for (const { fail } of waiting.splice(0)) {
        fail(stopping());
      }
      await Promise.all([...all].map(end));
    },
  };
};

const stopping = (): JobError => new JobError("engine_crashed", "The converters are being stopped.");
