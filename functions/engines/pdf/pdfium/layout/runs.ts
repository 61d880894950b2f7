import type { Run } from "./model.ts";

/** Scripts whose words follow each other without spaces. */
const CJK = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}、。，．：；！？「」『』（）]/u;

/** @returns the text of the runs */
export const textOf = (runs: readonly Run[]): string => runs.map(({ text }) => text).join("");

const alike = (one: Run, other: Run): boolean =>
  one.bold === other.bold &&
  one.italic === other.italic &&
  one.mono === other.mono &&
  one.font === other.font &&
  one.color === other.color &&
  one.link === other.link &&
  one.shift === other.shift &&
  one.underline === other.underline &&
  one.strike === other.strike &&
  one.highlight === other.highlight &&
  one.note === other.note &&
  one.field === undefined &&
  other.field === undefined &&
  Math.abs(one.size - other.size) < 0.2;

/** @returns the runs with equal styles joined and empty ones removed */
export const joinRuns = (runs: readonly Run[]): Run[] => {
  const joined: Run[] = [];
  for (const run of runs) {
    const last = joined.at(-1);
    if (last !== undefined && (alike(last, run) || (run.text.trim() === "" && run.link === last.link))) {
      joined[joined.length - 1] = { ...last, text: last.text + run.text };
    } else if (run.text !== "") {
      joined.push(run);
    }
  }
  return joined;
};

/** @returns the runs without leading and trailing spaces */
const trimRuns = (runs: readonly Run[]): Run[] => {
  const trimmed = runs.slice();
  for (let [first] = trimmed; first !== undefined && /^\s/u.test(first.text); [first] = trimmed) {
    const text = first.text.trimStart();
    trimmed.splice(0, 1, ...(text === "" ? [] : [{ ...first, text }]));
  }
  for (let last = trimmed.at(-1); last !== undefined && /\s$/u.test(last.text); last = trimmed.at(-1)) {
    const text = last.text.trimEnd();
    trimmed.splice(-1, 1, ...(text === "" ? [] : [{ ...last, text }]));
  }
  return trimmed;
};

/** @returns the runs without their first characters */
export const withoutStart = (runs: readonly Run[], characters: number): Run[] => {
  const [first, ...others] = runs;
  if (first === undefined || characters <= 0) {
    return trimRuns(runs);
  }
  const rest = first.text.slice(characters);
  return rest === ""
    ? withoutStart(others, characters - first.text.length)
    : trimRuns([{ ...first, text: rest }, ...others]);
};

/** @returns the run after white space, which is underlined, highlighted or linked only between two runs that both are */
export const spacedRun = (before: Run | undefined, run: Run, space: string): Run[] => {
  const isMarked = run.underline === true || run.highlight !== undefined || run.link !== undefined;
  const isSame =
    before?.underline === run.underline && before?.highlight === run.highlight && before?.link === run.link;
  return isMarked && !isSame
    ? [{ ...run, text: space, underline: undefined, highlight: undefined, link: undefined }, run]
    : [{ ...run, text: space + run.text }];
};

/** Characters of a divided word that are inspected. */
const WORD_MAX = 80;

/**
 * Joins two lines, or the parts of a paragraph that continues in another column.
 *
 * @param kept words with a hyphen that occur within a line of the document: their hyphen stays
 * @returns the runs with divided words joined and a space where the script uses spaces
 */
export const flowing = (runs: readonly Run[], more: readonly Run[], kept?: ReadonlySet<string>): Run[] => {
  const [last, next] = [runs.at(-1), more[0]];
  if (last === undefined || next === undefined) {
    return [...runs, ...more];
  }
  const divided = /([\p{L}\p{M}]+)([-\u00ad\u2010])$/u.exec(last.text.slice(-WORD_MAX));
  const following = /^\p{Ll}[\p{L}\p{M}]*/u.exec(next.text)?.[0];
  const compound = divided !== null && kept?.has(`${divided[1]}-${following}`.toLowerCase()) === true;
  if (divided !== null && !compound && (following !== undefined || divided[2] === "\u00ad")) {
    return joinRuns([...runs.slice(0, -1), { ...last, text: last.text.slice(0, -1) }, ...more]);
  }
  const together = CJK.test(last.text.at(-1) ?? "") && CJK.test(next.text.at(0) ?? "");
  const glued = together || /[\p{L}\p{N}][-\u2010/–]$/u.test(last.text.slice(-2));
  return joinRuns([...runs, ...(glued ? [next] : spacedRun(last, next, " ")), ...more.slice(1)]);
};
