/** Slots that parties share. A party is an account or a client. */
export interface FairSlots {
  /**
   * Takes a slot for the party.
   * @returns a function that releases it, once; undefined if the party already holds as many slots as are free
   */
  take(party: string): (() => void) | undefined;
  /** @returns the number of slots that the party holds */
  heldBy(party: string): number;
}

/** Slots that are taken elsewhere: they count, but are not released here. */
export interface OtherSlots {
  all(): number;
  heldBy(party: string): number;
}

/**
 * A party can hold as many slots as remain free (Choudhury and Hahne, "Dynamic queue length thresholds", 1998). So a
 * single party holds at most half of them, two a third each, n of them 1/(n + 1) each; a new party always finds free
 * slots.
 */
export const fairSlots = (slotsMax: number, others: OtherSlots = { all: () => 0, heldBy: () => 0 }): FairSlots => {
  const held = new Map<string, number>();
  let all = 0;
  const heldBy = (party: string): number => (held.get(party) ?? 0) + others.heldBy(party);
  const change = (party: string, by: number): void => {
    const count = (held.get(party) ?? 0) + by;
    all += by;
    if (count > 0) {
      held.set(party, count);
    } else {
      held.delete(party);
    }
  };
  return {
    heldBy,
    take: (party) => {
      const free = slotsMax - all - others.all();
      if (heldBy(party) >= free) {
        return undefined;
      }
      change(party, 1);
      let released = false;
      return () => {
        if (!released) {
          released = true;
          change(party, -1);
        }
      };
    },
  };
};
