import type { Fill, PageContent, Rule, Word } from "../content/content.ts";
import type { Run } from "./model.ts";
import { type Line, rowsOf } from "./rows.ts";

/** A page's words with underlines, strikethroughs and highlights, and the rules and fills that are none. */
export interface Decorated {
  readonly words: readonly Word[];
  readonly rules: readonly Rule[];
  readonly fills: readonly Fill[];
}

type Look = Partial<Pick<Run, "underline" | "strike" | "highlight">>;

/** Maximum rules and fills that are compared with the text. */
const MARKS_MAX = 5_000;

/** @returns the words with the styles that rules and fills close to their letters give them */
export const decorated = ({ words, rules, fills }: Pick<PageContent, "words" | "rules" | "fills">): Decorated => {
  const rows = rowsOf(words);
  const looks = new Map<Word, Look>();
  const mark = (found: readonly Word[], look: Look): boolean => {
    for (const word of found) {
      looks.set(word, { ...looks.get(word), ...look });
    }
    return found.length === 0;
  };
  const uprights = rules.filter(({ across }) => !across).slice(0, MARKS_MAX);
  const [isRule, isFill] = [new Set(rules.slice(0, MARKS_MAX)), new Set(fills.slice(0, MARKS_MAX))];
  const otherRules = rules.filter((rule) => {
    const { look, found } = isRule.has(rule) ? lineThrough(rule, rows, uprights) : NOTHING;
    return mark(found, look);
  });
  const otherFills = fills.filter(
    (fill) => !isFill.has(fill) || mark(highlightedBy(fill, rows, otherRules), { highlight: fill.color }),
  );
  return { words: words.map((word) => looked(word, looks.get(word))), rules: otherRules, fills: otherFills };
};

const NOTHING: { readonly look: Look; readonly found: readonly Word[] } = { look: {}, found: [] };

const looked = (word: Word, look: Look | undefined): Word =>
  look === undefined ? word : { ...word, runs: word.runs.map((run) => ({ ...run, ...look })) };

/** In units of the letter size: places of an underline and of a strikethrough below the baseline. */
const UNDER = [0.02, 0.36] as const;
const THROUGH = [-0.45, -0.15] as const;
/** Tolerance at the ends of a line of text, in units of the letter size. */
const END = 0.35;

/** @returns the words that a rule underlines or strikes through */
const lineThrough = (rule: Rule, rows: readonly Line[], uprights: readonly Rule[]): typeof NOTHING => {
  if (!rule.across) {
    return NOTHING;
  }
  const touched = uprights.some(
    ({ at, from, to }) => at > rule.from - 2 && at < rule.to + 2 && from < rule.at + 2 && to > rule.at - 2,
  );
  for (const row of touched ? [] : rowsNear(rows, rule.at, rule.at)) {
    const found = coveredBy(row, rule.from, rule.to, END);
    // A row has the text of other columns, too: what counts is the baseline of these words.
    const { baseline, size } = found[0] ?? row;
    const offset = (rule.at - baseline) / size;
    const isUnder = offset >= UNDER[0] && offset <= UNDER[1];
    const isThrough = offset >= THROUGH[0] && offset <= THROUGH[1];
    if (found.length > 0 && (isUnder || isThrough)) {
      return { found, look: isUnder ? { underline: true } : { strike: true } };
    }
  }
  return NOTHING;
};

/** In units of the letter size: heights of a highlight, and tolerance at its ends. */
const HEIGHT = [0.6, 2] as const;
const HIGHLIGHT_END = 0.45;

const highlightedBy = (fill: Fill, rows: readonly Line[], rules: readonly Rule[]): readonly Word[] => {
  const row = rowsNear(rows, fill.top, fill.bottom).find(
    ({ baseline, size }) =>
      baseline - 0.3 * size > fill.top &&
      baseline < fill.bottom + 0.1 * size &&
      fill.bottom - fill.top > HEIGHT[0] * size &&
      fill.bottom - fill.top < HEIGHT[1] * size,
  );
  const isBordered = rules.some(
    ({ across, at, from, to }) =>
      across &&
      from < fill.right - 2 &&
      to > fill.left + 2 &&
      (Math.abs(at - fill.top) < 2 || Math.abs(at - fill.bottom) < 2),
  );
  return row === undefined || isBordered ? [] : coveredBy(row, fill.left, fill.right, HIGHLIGHT_END);
};

/** @returns the rows that a line or an area between two heights may belong to */
const rowsNear = (rows: readonly Line[], top: number, bottom: number): Line[] => {
  let [low, high] = [0, rows.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    [low, high] = (rows[middle]?.baseline ?? 0) < top - 2 ? [middle + 1, high] : [low, middle];
  }
  const near: Line[] = [];
  for (let at = Math.max(0, low - 3); at < rows.length && near.length < 12; at += 1) {
    const row = rows[at];
    if (row === undefined || row.top > bottom + row.size) {
      break;
    }
    near.push(row);
  }
  return near;
};

/** Maximum white space within underlined or highlighted words, in units of the letter size. */
const INNER_GAP = 1.2;

/** @returns the words between two places, if they fill the space between them */
const coveredBy = (row: Line, from: number, to: number, tolerance: number): Word[] => {
  const end = tolerance * row.size;
  const found = row.words.filter(({ left, right }) => (left + right) / 2 > from && (left + right) / 2 < to);
  const [first, last] = [found[0], found.at(-1)];
  const close =
    first !== undefined &&
    last !== undefined &&
    Math.abs(first.left - from) < end &&
    Math.abs(last.right - to) < end &&
    found.every((word, index) => word.left - (found[index - 1]?.right ?? word.left) < INNER_GAP * row.size);
  return close ? found : [];
};
