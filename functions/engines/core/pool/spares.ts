/** Items that are used once, and started before they are needed. */
export interface Spares<T> {
  /** Runs the work with an item that nothing has used. The item is then ended, which the work does not wait for. */
  use<R>(work: (thing: T) => Promise<R>): Promise<R>;
  /** Ends all items. */
  stop(): Promise<void>;
}

export interface SparesSettings<T> {
  /** Maximum number of items that wait for work. 0: each item is started when it is needed. */
  readonly countMax: number;
  /** Items that may be ending at the same time; further work waits for them. */
  readonly endingMax: number;
  /** Milliseconds without work after which the waiting items are ended. */
  readonly idleMsMax: number;
  readonly start: () => T;
  /** Does what the work would wait for. */
  readonly prepare: (thing: T) => Promise<void>;
  /** Whether the item can be used. If not, another one is started. */
  readonly isFit: (thing: T) => boolean;
  readonly end: (thing: T) => Promise<void>;
  /** Called when an item could not be prepared, so that it is ended, or not be ended. */
  readonly onError: (error: unknown) => void;
}

interface Spare<T> {
  readonly thing: T;
  /** Resolves when the item is prepared, or has failed to. */
  readonly settled: Promise<void>;
}

/**
 * Prepares as many items as there are works at the same time. The first work after a pause waits for its item, because
 * nothing is prepared for a service that does not need it.
 */
export const spares = <T>(settings: SparesSettings<T>): Spares<T> => {
  const { countMax, endingMax, idleMsMax, start, isFit, end, onError } = settings;
  const all = new Set<T>();
  const ending = new Set<Promise<void>>();
  const waiting: Spare<T>[] = [];
  let [working, stopped, idle]: [number, boolean, NodeJS.Timeout | undefined] = [0, false, undefined];

  const begin = (): T => {
    const thing = start();
    all.add(thing);
    return thing;
  };
  const finish = (thing: T): Promise<void> => {
    const ended = end(thing)
      .catch(onError)
      .finally(() => {
        all.delete(thing);
        ending.delete(ended);
      });
    ending.add(ended);
    return ended;
  };
  const prepared = async (thing: T): Promise<void> => {
    try {
      await settings.prepare(thing);
    } catch (error) {
      await finish(thing);
      if (!stopped) {
        onError(error);
      }
    }
  };
  const refill = (): void => {
    while (!stopped && waiting.length < Math.min(countMax, working)) {
      const thing = begin();
      waiting.push({ thing, settled: prepared(thing) });
    }
  };
  const take = async (): Promise<T> => {
    const spare = waiting.shift();
    if (spare === undefined) {
      return begin();
    }
    await spare.settled;
    if (isFit(spare.thing)) {
      return spare.thing;
    }
    await finish(spare.thing);
    return begin();
  };
  const endWaiting = (): void => {
    for (const { thing } of waiting.splice(0)) {
      void finish(thing);
    }
  };

  return {
    use: async (work) => {
      clearTimeout(idle);
      working += 1;
      if (ending.size >= endingMax) {
        await Promise.race(ending);
      }
      const taking = take();
      refill();
      const thing = await taking;
      try {
        return await work(thing);
      } finally {
        void finish(thing);
        working -= 1;
        idle = setTimeout(endWaiting, idleMsMax).unref();
      }
    },
    stop: async () => {
      stopped = true;
      clearTimeout(idle);
      await Promise.all([...all].map(finish));
    },
  };
};
