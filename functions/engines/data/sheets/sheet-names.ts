const NAME_CHARACTERS_MAX = 31;
const NOT_IN_NAMES = /[[\]:*?/\\]/g;

/** @returns valid names of Excel sheets: 31 characters, unique regardless of case */
export const sheetNames = (names: readonly string[]): string[] => {
  const taken = new Set<string>();
  return names.map((given, index) => {
    // A name must not start or end with an apostrophe.
    const name =
      given
        .replaceAll(NOT_IN_NAMES, "_")
        .replaceAll(/^'+|(?<!')'+$/g, "")
        .trim() || `Sheet${index + 1}`;
    let free = name.slice(0, NAME_CHARACTERS_MAX);
    for (let count = 2; taken.has(free.toLowerCase()); count += 1) {
      free = `${name.slice(0, NAME_CHARACTERS_MAX - String(count).length - 1)} ${count}`;
    }
    taken.add(free.toLowerCase());
    return free;
  });
};
