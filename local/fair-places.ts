/** Places that parties share. */
export interface FairPlaces {
  /**
   * Takes a place for the party.
   * @returns gives it back, once; undefined when the party already holds as many places as are left
   */
  take(party: string): (() => void) | undefined;
  /** @returns places that the party holds */
  heldBy(party: string): number;
}

/** Places that are taken otherwise: they count, and nobody gives them back here. */
export interface OtherPlaces {
  all(): number;
  heldBy(party: string): number;
}

/**
 * A party may hold as many places as are left (Choudhury and Hahne, "Dynamic queue length thresholds", 1998). So one alone
 * holds half of them at the most, two a third each, n of them 1/(n + 1) each; and whoever comes new finds room, however
 * many the others want.
 */
export const fairPlaces = (placesMax: number, others: OtherPlaces = { all: () => 0, heldBy: () => 0 }): FairPlaces => {
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
      const left = placesMax - all - others.all();
      if (heldBy(party) >= left) {
        return undefined;
      }
      change(party, 1);
      let given = false;
      return () => {
        if (!given) {
          given = true;
          change(party, -1);
        }
      };
    },
  };
};
