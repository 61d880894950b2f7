/** Names with more characters are not compared: they are not typing errors, and the comparison is quadratic. */
const CHARACTERS_MAX = 50;

/**
 * @returns the candidate that the name probably means: at most one typing error per three characters away, or a
 * candidate with the name as one of its words (`target` for `target_format`)
 */
export const nearestName = (name: string, candidates: readonly string[]): string | undefined => {
  const written = name.trim().toLowerCase();
  if (written.length < 2 || written.length > CHARACTERS_MAX) {
    return undefined;
  }
  const errorsMax = Math.max(1, Math.floor(written.length / 3));
  const [best] = candidates
    .filter((candidate) => Math.abs(candidate.length - written.length) <= errorsMax)
    .map((candidate) => ({ candidate, errors: typingErrors(written, candidate.toLowerCase()) }))
    .filter(({ errors }) => errors <= errorsMax)
    .sort((one, other) => one.errors - other.errors);
  return best?.candidate ?? candidates.find((candidate) => candidate.split("_").includes(written));
};

/** @returns the question to append to a message, with a space before it; empty if no candidate is near */
export const suggestion = (name: string, candidates: readonly string[]): string => {
  const nearest = nearestName(name, candidates);
  return nearest === undefined ? "" : ` Did you mean "${nearest}"?`;
};

/** @returns insertions, deletions, replacements and swaps of neighbors (optimal string alignment distance) */
const typingErrors = (from: string, to: string): number => {
  const rows = [Array.from({ length: to.length + 1 }, (_, column) => column)];
  for (let row = 1; row <= from.length; row += 1) {
    const cells = [row];
    for (let column = 1; column <= to.length; column += 1) {
      const at = (up: number, left: number): number =>
        (up === 0 ? cells : rows[row - up])?.[column - left] ?? Number.POSITIVE_INFINITY;
      const swapped = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      const replaced = at(1, 1) + (from[row - 1] === to[column - 1] ? 0 : 1);
      cells.push(Math.min(at(1, 0) + 1, at(0, 1) + 1, replaced, swapped ? at(2, 2) + 1 : Number.POSITIVE_INFINITY));
    }
    rows.push(cells);
  }
  return rows.at(-1)?.at(-1) ?? 0;
};
