import { networksOf } from "../../../functions/domain/networks.ts";

/** Decides when a request starts, so that one client cannot delay the requests of others. */
export interface FairStarts {
  /** @returns when the request may start; undefined if it may start now */
  wait(client: string): Promise<void> | undefined;
}

/**
 * Requests that start in one iteration of the event loop. Each takes 0.1 to 1 ms, and new requests of other clients are
 * received between iterations.
 */
const STARTS_MAX = 4;

/**
 * Starts all requests at once while there are few. A burst of thousands is started in turns: one request of each client
 * after the other. The addresses of an IPv6 /48 count as one client.
 */
export const fairStarts = (): FairStarts => {
  /** The waiting requests of each client. The map is in the order of their turns. */
  const waiting = new Map<string, (() => void)[]>();
  let started = 0;
  const next = (): (() => void) | undefined => {
    for (const [client, requests] of waiting) {
      waiting.delete(client);
      const start = requests.shift();
      if (requests.length > 0) {
        waiting.set(client, requests);
      }
      return start;
    }
    return undefined;
  };
  const count = (): void => {
    if (started === 0) {
      setImmediate(startNext);
    }
    started += 1;
  };
  const startNext = (): void => {
    started = 0;
    for (let start = next(); start !== undefined; start = started < STARTS_MAX ? next() : undefined) {
      count();
      start();
    }
  };
  return {
    wait: (address) => {
      if (started < STARTS_MAX && waiting.size === 0) {
        count();
        return undefined;
      }
      const client = networksOf(address).at(-1)?.name ?? address;
      const { promise, resolve } = Promise.withResolvers<void>();
      const requests = waiting.get(client) ?? [];
      requests.push(resolve);
      waiting.set(client, requests);
      return promise;
    },
  };
};
