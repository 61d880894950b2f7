/** The number of slots that each account holds. */
export interface SlotsHeld {
  /** @returns a function that releases the slot; call it once */
  take(accountId: string): () => void;
  /** @returns accounts that hold more slots than a waiting account, which takes precedence; empty if none waits */
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
