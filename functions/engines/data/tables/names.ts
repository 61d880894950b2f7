/**
 * Names the columns of a table: a missing name is `column` and its number, and duplicates get a number at the end.
 *
 * @param width number of columns
 */
export const columnNames = (given: readonly (string | null)[], width = given.length): string[] =>
  distinct(
    Array.from({ length: Math.max(width, given.length) }, (_, index) => given[index] ?? ""),
    (name) => name,
  );

/** @returns the names, unique regardless of case, as SQL requires */
export const sqlNames = (given: readonly string[]): string[] =>
  distinct(
    given.map((name) => name.replaceAll("\0", "")),
    (name) => name.toLowerCase(),
  );

const distinct = (names: readonly string[], seenAs: (name: string) => string): string[] => {
  const taken = new Set<string>();
  // The last number of each name: retrying them all for each of 16,000 columns with one name takes a minute.
  const counts = new Map<string, number>();
  return names.map((given, index) => {
    const name = given.trim() === "" ? `column${index + 1}` : given;
    let [free, count] = [name, counts.get(seenAs(name)) ?? 2];
    for (; taken.has(seenAs(free)); count += 1) {
      free = `${name}_${count}`;
    }
    counts.set(seenAs(name), count);
    taken.add(seenAs(free));
    return free;
  });
};

/** Characters that some systems do not allow in file names, or that separate folders. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are not allowed in names
const NOT_IN_NAMES = /[\u0000-\u001f\u007f<>:"/\\|?*]+/g;
const NAME_CHARACTERS_MAX = 100;

/** @returns a name for a part, from the name of a sheet or a table */
export const partName = (name: string): string =>
  name.replaceAll(NOT_IN_NAMES, "_").replace(/^\.+/, "_").trim().slice(0, NAME_CHARACTERS_MAX) || "table";
