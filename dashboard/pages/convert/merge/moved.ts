/** @returns the list with the item at `from` moved to the index `to` */
export const moved = <T>(items: readonly T[], from: number, to: number): readonly T[] => {
  const others = items.toSpliced(from, 1);
  return items[from] === undefined ? items : others.toSpliced(to, 0, items[from]);
};
