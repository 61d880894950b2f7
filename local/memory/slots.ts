import type { AccountSlots, SlotKind } from "../../functions/domain/task-ports.ts";

/**
 * Counts in memory, since one process has the slots of one machine.
 *
 * @param limits slots per account; kinds without a limit are limited elsewhere (`fair-tasks.ts`)
 */
export const memorySlots = (limits: Readonly<Partial<Record<SlotKind, number>>>): AccountSlots => {
  const taken = new Map<string, number>();
  return {
    take: async (accountId, kind) => {
      const key = `${kind} ${accountId}`;
      const before = taken.get(key) ?? 0;
      if (before >= (limits[kind] ?? Number.POSITIVE_INFINITY)) {
        return undefined;
      }
      taken.set(key, before + 1);
      let isTaken = true;
      return async () => {
        const left = (taken.get(key) ?? 0) - (isTaken ? 1 : 0);
        isTaken = false;
        if (left > 0) {
          taken.set(key, left);
        } else {
          taken.delete(key);
        }
      };
    },
  };
};
