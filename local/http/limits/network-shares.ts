import { networksOf } from "../../../functions/domain/networks.ts";

/** A limited quantity that the networks of clients share: connections, requests, or bytes. */
export interface NetworkShares {
  /**
   * Takes an amount for the address.
   * @returns a function that returns it, once; undefined if the address, or a network that contains it, has its share
   */
  take(address: string, amount?: number): (() => void) | undefined;
  /** @returns the amount that all networks hold */
  held(): number;
}

export interface ShareLimits {
  /** The amount for all clients. */
  readonly max: number;
  /** The amount for one client; larger IPv6 networks get several times as much. @default half of `max` */
  readonly clientMax?: number;
}

/**
 * A network can hold at most as much as remains free (Choudhury and Hahne, "Dynamic queue length thresholds", 1998). So
 * a single network holds at most half, two a third each, and a new client always finds some.
 */
export const networkShares = ({ max, clientMax = max }: ShareLimits): NetworkShares => {
  const heldBy = new Map<string, number>();
  let all = 0;
  const change = (name: string, by: number): void => {
    const amount = (heldBy.get(name) ?? 0) + by;
    if (amount > 0) {
      heldBy.set(name, amount);
    } else {
      heldBy.delete(name);
    }
  };
  return {
    held: () => all,
    take: (address, amount = 1) => {
      const networks = networksOf(address);
      const free = max - all;
      const isOver = networks.some(
        ({ name, shares }) => (heldBy.get(name) ?? 0) + amount > Math.min(free, clientMax * shares),
      );
      if (isOver) {
        return undefined;
      }
      const add = (by: number): void => {
        all += by;
        for (const { name } of networks) {
          change(name, by);
        }
      };
      add(amount);
      let isReturned = false;
      return () => {
        if (!isReturned) {
          isReturned = true;
          add(-amount);
        }
      };
    },
  };
};
