import { setImmediate } from "node:timers/promises";

/** Time that passes only while no real work is in progress, so the speed of the machine affects no result. */
export interface VirtualTime {
  now(): number;
  sleep(milliseconds: number): Promise<void>;
  /** Performs real work, which takes no virtual time. */
  real<T>(work: () => Promise<T>): Promise<T>;
  /** Lets time pass until the work is done. */
  until<T>(work: Promise<T>): Promise<T>;
}

interface Timer {
  readonly at: number;
  readonly wake: () => void;
}

/** Turns of the event loop after which code that was resumed has started its next work. */
const TURNS = 3;

export const virtualTime = (): VirtualTime => {
  let [now, working] = [0, 0];
  let idle = Promise.withResolvers<void>();
  const timers: Timer[] = [];

  const settled = async (): Promise<void> => {
    for (let turn = 0; turn < TURNS; turn += 1) {
      await setImmediate();
      while (working > 0) {
        await idle.promise;
        turn = 0;
      }
    }
  };

  return {
    now: () => now,
    sleep: (milliseconds) => new Promise((wake) => timers.push({ at: now + milliseconds, wake })),
    real: async (work) => {
      working += 1;
      try {
        return await work();
      } finally {
        working -= 1;
        if (working === 0) {
          idle.resolve();
          idle = Promise.withResolvers<void>();
        }
      }
    },
    until: async (work) => {
      let done = false;
      const end = () => {
        done = true;
      };
      work.then(end, end);
      for (await settled(); !done; await settled()) {
        const [first] = timers.toSorted((one, other) => one.at - other.at);
        if (first === undefined) {
          throw new Error("The work waits for something other than virtual time.");
        }
        timers.splice(timers.indexOf(first), 1);
        now = first.at;
        first.wake();
      }
      return work;
    },
  };
};
