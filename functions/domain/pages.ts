import type { Page } from "./ports.ts";

/** Behind every id, all of which begin with letters: where the first page of a list that begins with the newest starts. */
export const BEHIND_ALL = "~";

/**
 * @param found records in their order, one more than the page may have where there are as many
 * @returns the page, and where the next one begins
 */
export const pageOf = <T extends { readonly id: string }>(found: readonly T[], limit: number): Page<T> => {
  const items = found.slice(0, limit);
  const last = items.at(-1);
  return { items, ...(found.length > limit && last && { next: last.id }) };
};
