/**
 * Stored data is untrusted: it may come from another version of these pages.
 *
 * @returns the valid items of a stored list; none if it is missing or damaged
 */
export const storedList = <Item>(text: string | null, isItem: (value: unknown) => value is Item): readonly Item[] => {
  try {
    const value: unknown = JSON.parse(text ?? "[]");
    return Array.isArray(value) ? value.filter(isItem) : [];
  } catch {
    return [];
  }
};
