/** A pseudorandom generator that returns the same values for the same seed. */
export interface Random {
  /** @returns an integer from 0 to one less than the limit */
  below(limit: number): number;
  /** @returns true with this probability */
  chance(probability: number): boolean;
  pick<Item>(items: readonly [Item, ...Item[]] | readonly Item[]): Item;
}

/** Mulberry32: 32 bits of state are enough to vary tests. */
export const seeded = (seed: number): Random => {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number): number => Math.floor(next() * limit);
  return {
    below,
    chance: (probability) => next() < probability,
    pick: <Item>(items: readonly Item[]): Item => {
      const item = items[below(items.length)];
      if (item === undefined && items.length === 0) {
        throw new TypeError("The list is empty.");
      }
      return item as Item;
    },
  };
};
