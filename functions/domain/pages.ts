import type { Page } from "./ports.ts";

/** Sorts after every ID, because IDs start with letters: the start of the first page of a newest-first list. */
export const AFTER_ALL_IDS = "~";

/**
 * @param found the records in order, with one more than fits on the page if there are more
 * @returns the page, and the start of the next one
 */
export const pageOf = <T extends { readonly id: string }>(found: readonly T[], limit: number): Page<T> => {
  const items = found.slice(0, limit);
  const last = items.at(-1);
  return { items, ...(found.length > limit && last && { next: last.id }) };
};
