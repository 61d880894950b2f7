import type { KeyHolds } from "../../functions/domain/ports.ts";

/**
 * Holds in memory, since one process has those of one machine. Some requests take hours; the holds end with
 * the process, as the requests do.
 */
export const memoryHolds = (): KeyHolds => {
  const holders = new Map<string, string>();
  return {
    hold: async (key, requestId) => {
      if (holders.has(key)) {
        return false;
      }
      holders.set(key, requestId);
      return true;
    },
    release: async (key, requestId) => {
      if (holders.get(key) === requestId) {
        holders.delete(key);
      }
    },
  };
};
