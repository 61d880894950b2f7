import type { BurstStore } from "../../functions/domain/ports.ts";

const SECOND_MS = 1_000;

/** Seconds by which a request can be late. An earlier time means that the clock was set back. */
const LATE_MAX = 10;

/**
 * Counts in memory, since one process counts the requests of one machine. Each second starts at zero. A late request of an
 * earlier second counts in the current one.
 */
export const memoryBursts = (): BurstStore => {
  let second = 0;
  const taken = new Map<string, number>();
  return {
    take: async (accountId, now, limit) => {
      const present = Math.floor(now / SECOND_MS);
      if (present > second || present < second - LATE_MAX) {
        second = present;
        taken.clear();
      }
      const before = taken.get(accountId) ?? 0;
      if (before >= limit) {
        return -1;
      }
      taken.set(accountId, before + 1);
      return limit - before - 1;
    },
  };
};
