import { JobError } from "../../../domain/errors.ts";

/** Lends a limited number of items, each to one borrower at a time. */
export interface Pool<T> {
  use<R>(work: (thing: T) => Promise<R>): Promise<R>;
  /** The same for work that takes less time than a start: others wait for its item, and start none meanwhile. */
  useBriefly<R>(work: (thing: T) => Promise<R>): Promise<R>;
  /**
   * Starts an item, unless there are as many as the size, and prepares it. Borrowers wait for it meanwhile, and start none.
   * @param work is passed a function that returns whether a borrower waits
   */
  prepare(work: (thing: T, isAwaited: () => boolean) => Promise<void>): Promise<void>;
  /** Ends all items. Waiting and later borrowers fail with `engine_failed`. */
  stop(): Promise<void>;
}

export interface PoolSettings<T> {
  readonly size: number;
  /** Maximum number of waiting borrowers; further ones fail with `engine_failed`. */
  readonly waitingMax: number;
  readonly start: () => T;
  /** Whether the item may be lent again. If not, it is ended, and a new one is started when needed. */
  readonly isFit: (thing: T) => boolean;
  readonly end: (thing: T) => Promise<void>;
}

/** Starts items on demand. The most recently returned item is lent first, because it is the warmest. */
export const pool = <T>({ size, waitingMax, start, isFit, end }: PoolSettings<T>): Pool<T> => {
  const all = new Set<T>();
  const idle: T[] = [];
  const waiting: { readonly go: (thing: T) => void; readonly fail: (error: JobError) => void }[] = [];
  let stopped = false;
  let brief = 0;

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
      // It ended while idle. Its slot stays taken until it is gone.
      await end(warm);
      all.delete(warm);
    }
    if (all.size < size && brief === 0) {
      return begin();
    }
    if (waiting.length >= waitingMax) {
      throw new JobError("engine_failed", "Too many conversions are waiting for a converter.");
    }
    return new Promise((go, fail) => waiting.push({ go, fail }));
  };

  const release = async (thing: T): Promise<void> => {
    const fit = !stopped && isFit(thing);
    if (!fit) {
      await end(thing);
      all.delete(thing);
    }
    const next = fit ? waiting.shift() : undefined;
    if (next !== undefined) {
      next.go(thing);
    } else if (fit) {
      idle.push(thing);
    }
    startForWaiting();
  };

  /** Those that waited for an item in brief use get further ones, if it was lent to another. */
  const startForWaiting = (): void => {
    while (all.size < size && brief === 0) {
      const next = waiting.shift();
      if (next === undefined) {
        return;
      }
      next.go(begin());
    }
  };

  const use = async <R>(work: (thing: T) => Promise<R>): Promise<R> => {
    const thing = await borrow();
    try {
      return await work(thing);
    } finally {
      await release(thing);
    }
  };

  const briefly = async <R>(work: Promise<R>): Promise<R> => {
    brief += 1;
    try {
      return await work;
    } finally {
      brief -= 1;
    }
  };

  return {
    use,
    useBriefly: (work) => use((thing) => briefly(work(thing))),
    prepare: async (work) => {
      if (stopped) {
        throw stopping();
      }
      if (all.size < size) {
        const thing = begin();
        try {
          await briefly(work(thing, () => waiting.length > 0));
        } finally {
          await release(thing);
        }
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

const stopping = (): JobError => new JobError("engine_failed", "The converters are shutting down.");
