import { GotenbergError } from "./errors.ts";

/** Forms whose results are sent to a webhook: their work continues after the response. */
export interface Background {
  /** @throws GotenbergError 429 if too many forms are being processed, of this key or altogether */
  start(key: string, work: () => Promise<void>): void;
  /** Waits for the running work, for a limited time. */
  drain(milliseconds: number): Promise<void>;
}

const RUNNING_MAX = 64;
const RUNNING_PER_KEY_MAX = 16;

/** @param onError called with an error of the work; it does not end the service */
export const background = (onError: (error: unknown) => void): Background => {
  const running = new Map<Promise<void>, string>();
  return {
    start: (key, work) => {
      const own = [...running.values()].filter((each) => each === key).length;
      if (running.size >= RUNNING_MAX || own >= RUNNING_PER_KEY_MAX) {
        throw new GotenbergError(429, "Too many requests with a webhook are being processed.");
      }
      const task = work()
        .catch(onError)
        .finally(() => running.delete(task));
      running.set(task, key);
    },
    drain: async (milliseconds) => {
      const late = new Promise((resolve) => setTimeout(resolve, milliseconds).unref());
      await Promise.race([Promise.all(running.keys()), late]);
    },
  };
};
