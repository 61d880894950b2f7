/** How many slots each account holds. */
export interface SlotsHeld {
  /** @returns gives the slot back; call it once */
  take(accountId: string): () => void;
  /** @returns accounts that hold more slots than one of those that wait: it comes first. Nobody's, when nobody waits */
  byMoreThanLeast(waiting: ReadonlyMap<string, unknown>): ReadonlySet<string>;
}

export const slotsHeld = (): SlotsHeld => {
  const held = new Map<string, number>();
  const leastOf = (waiting: ReadonlyMap<string, unknown>): number => {
    // If more accounts wait than hold a slot, some of them hold none, and no search is needed.
    if (waiting.size > held.size) {
      return 0;
    }
    return Math.min(...[...waiting.keys()].map((accountId) => held.get(accountId) ?? 0));
  };
  return {
    take: (accountId) => {
      held.set(accountId, (held.get(accountId) ?? 0) + 1);
      return () => {
        const left = (held.get(accountId) ?? 0) - 1;
        if (left > 0) {
          held.set(accountId, left);
        } else {
          held.delete(accountId);
        }
      };
    },
    byMoreThanLeast: (waiting) => {
      const least = leastOf(waiting);
      return new Set([...held].filter(([, count]) => count > least).map(([accountId]) => accountId));
    },
  };
};
