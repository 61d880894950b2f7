/**
 * Names the columns of a table: a name that is missing is `column` and its number, one that stands there already gets a
 * number behind it.
 *
 * @param width how many are needed
 */
export const columnNames = (given: readonly (string | null)[], width = given.length): string[] =>
  distinct(
    Array.from({ length: Math.max(width, given.length) }, (_, index) => given[index] ?? ""),
    (name) => name,
  );

/** @returns the names so that no two are the same in any case, as SQL sees them */
export const sqlNames = (given: readonly string[]): string[] =>
  distinct(
    given.map((name) => name.replaceAll("\0", "")),
    (name) => name.toLowerCase(),
  );

const distinct = (names: readonly string[], seenAs: (name: string) => string): string[] => {
  const taken = new Set<string>();
  // The numbers that a name has had: to try them all again for each of 16,000 columns of one name takes a minute.
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

/** Characters that a name of a file cannot have somewhere, or that would lead out of its folder. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is not to be in a name
const NOT_IN_NAMES = /[\u0000-\u001f\u007f<>:"/\\|?*]+/g;
const NAME_CHARACTERS_MAX = 100;

/** @returns a name for a part, from the name of a sheet or a table */
export const partName = (name: string): string =>
  name.replaceAll(NOT_IN_NAMES, "_").replace(/^\.+/, "_").trim().slice(0, NAME_CHARACTERS_MAX) || "table";
