import type { Word } from "../content/content.ts";
import { type Box, median } from "../page/geometry.ts";
import type { Run } from "./model.ts";
import { joinRuns, spacedRun } from "./runs.ts";

/** Words on one baseline, from left to right: a row of the page, or a part of one. */
export interface Line extends Box {
  readonly words: readonly Word[];
  readonly baseline: number;
  /** Size of most of its letters, in points. */
  readonly size: number;
}

/** Share of a letter's size above and below its baseline: boxes of fonts differ too much to be compared. */
const ABOVE = 0.8;
const BELOW = 0.2;

/** @returns the line of words; expects at least one, sorted from left to right */
const lineOf = (words: readonly Word[]): Line => {
  const main = mainOf(words);
  const large = words.reduce((most, word) => (word.size > most.size ? word : most));
  return {
    words,
    left: words.reduce((least, word) => Math.min(least, word.left), Number.POSITIVE_INFINITY),
    right: words.reduce((most, word) => Math.max(most, word.right), Number.NEGATIVE_INFINITY),
    top: main.baseline - ABOVE * large.size,
    bottom: main.baseline + BELOW * large.size,
    baseline: main.baseline,
    size: main.size,
  };
};

/** @returns the first word of the size that most letters have */
const mainOf = (words: readonly Word[]): Word => {
  const letters = new Map<number, number>();
  let main = words[0] as Word;
  for (const word of words) {
    const size = Math.round(word.size * 2);
    const count = (letters.get(size) ?? 0) + word.text.length * word.size;
    letters.set(size, count);
    main = count > (letters.get(Math.round(main.size * 2)) ?? 0) ? word : main;
  }
  const size = Math.round(main.size * 2);
  return words.find((word) => Math.round(word.size * 2) === size) ?? main;
};

/** Rows still open while words are read from the top: more cannot overlap one word. */
const OPEN_MAX = 12;
/** Minimum share of the smaller height by which words of a row overlap. */
const OVERLAP = 0.55;
/** Maximum ratio of letter sizes within a row: an initial that spans lines does not join them. */
const SIZES = 2.4;

interface OpenRow {
  readonly words: Word[];
  top: number;
  bottom: number;
}

/** @returns the rows of words from the top; n log n in the number of words */
export const rowsOf = (words: readonly Word[]): Line[] => {
  const rows: OpenRow[] = [];
  for (const word of words.toSorted((one, other) => middleOf(one) - middleOf(other))) {
    const [top, bottom] = [word.baseline - ABOVE * word.size, word.baseline + BELOW * word.size];
    const row = rows.slice(-OPEN_MAX).findLast((open) => {
      const [least, most] = [Math.min(word.size, open.bottom - open.top), Math.max(word.size, open.bottom - open.top)];
      return Math.min(bottom, open.bottom) - Math.max(top, open.top) > OVERLAP * least && most < SIZES * least;
    });
    if (row === undefined) {
      rows.push({ words: [word], top, bottom });
    } else {
      row.words.push(word);
      // Larger letters define the row: a superscript is read before them.
      [row.top, row.bottom] = bottom - top > row.bottom - row.top ? [top, bottom] : [row.top, row.bottom];
    }
  }
  return joinRaised(rows)
    .map((row) => lineOf(row.words.toSorted((one, other) => one.left - other.left)))
    .toSorted((one, other) => one.baseline - other.baseline);
};

/** Overlap of high superscripts with their line, and their size in units of the line's. */
const RAISED_OVERLAP = 0.35;
const RAISED_SIZE = 0.9;
/** Maximum words of a row of superscripts. */
const RAISED_MAX = 8;
/** Rows below that may have the superscripts. */
const BELOW_MAX = 3;

/** @returns the rows, those with only high superscripts joined to the row whose words are next to them */
const joinRaised = (rows: readonly OpenRow[]): OpenRow[] => {
  const joined = new Set<OpenRow>();
  for (const [index, row] of rows.entries()) {
    const line = rows.slice(index + 1, index + 1 + BELOW_MAX).find((below) => isRaised(row, below));
    if (line !== undefined) {
      line.words.push(...row.words);
      joined.add(row);
    }
  }
  return rows.filter((row) => !joined.has(row));
};

const isRaised = ({ words, top, bottom }: OpenRow, line: OpenRow): boolean => {
  const height = bottom - top;
  return (
    words.length <= RAISED_MAX &&
    height < RAISED_SIZE * (line.bottom - line.top) &&
    bottom - line.top > RAISED_OVERLAP * height &&
    words.every((word) => {
      const gap = gapFrom(word, line.words) / word.size;
      return gap > RAISED_GAP.min && gap < RAISED_GAP.max;
    })
  );
};

/** Distance of a superscript from a word, in units of its size: boxes of letters overlap a little. */
const RAISED_GAP = { min: -0.2, max: 0.5 };

/** @returns the horizontal distance to the nearest word; negative if one of them is above or below it */
const gapFrom = (word: Word, others: readonly Word[]): number =>
  others.reduce(
    (least, { left, right }) => Math.min(least, Math.max(left - word.right, word.left - right)),
    Number.POSITIVE_INFINITY,
  );

const middleOf = ({ baseline, size }: Word): number => baseline - ((ABOVE - BELOW) / 2) * size;

/** @returns the line cut at white space wider than `gap` points, and where `isCut` says so */
export const piecesOf = (line: Line, gap: number, isCut?: (left: number, right: number) => boolean): Line[] => {
  const pieces: Word[][] = [];
  let end = Number.NEGATIVE_INFINITY;
  for (const word of line.words) {
    const last = pieces.at(-1);
    if (last === undefined || word.left - end > gap || isCut?.(end, word.left) === true) {
      pieces.push([word]);
    } else {
      last.push(word);
    }
    end = Math.max(end, word.right);
  }
  return pieces.map(lineOf);
};

/** @returns the text of a line in reading order */
export const lineText = (line: Line): string =>
  inOrder(line.words)
    .map(({ text }) => text)
    .join(" ");

const LETTERS = /\p{L}/u;

/** @returns the words of a line in reading order; words from the other direction keep theirs among themselves */
export const inOrder = (words: readonly Word[]): readonly Word[] => {
  if (!words.some(({ rtl }) => rtl)) {
    return words;
  }
  const rtl = readsRight(words);
  const groups: Word[][] = [];
  for (const word of words) {
    const last = groups.at(-1);
    const neutral = !LETTERS.test(word.text);
    if (last !== undefined && !neutral && last[0]?.rtl === word.rtl && LETTERS.test(last[0].text)) {
      last.push(word);
    } else {
      groups.push([word]);
    }
  }
  const ordered = groups.map((group) => (group[0]?.rtl === true ? group.toReversed() : group));
  return (rtl ? ordered.toReversed() : ordered).flat();
};

/** @returns whether most letters are of words from right to left */
export const readsRight = (words: readonly Word[]): boolean =>
  words.reduce((sum, { rtl, text }) => sum + (LETTERS.test(text) ? (rtl ? text.length : -text.length) : 0), 0) > 0;

/** Scripts that put no space between words. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\u3000-\u303f\uff00-\uffef]/u;

/** White space in units of the letter size, from which on a gap is a space, in scripts with and without spaces. */
const SPACE = 0.12;
const SPACE_UNSPACED = 0.6;
/** White space that becomes a tab, in units of the letter size and of the line's usual gap. */
const TAB = 2.2;
const TAB_GAPS = 4;

/** @returns the words of a line in reading order, each with the white space before it */
const spacedWords = (line: Line): { readonly word: Word; readonly space: "" | " " | "\t" }[] => {
  const words = inOrder(line.words);
  const gaps = words.slice(1).map((word, index) => gapOf(words[index] ?? word, word));
  const tab = Math.max(TAB * line.size, TAB_GAPS * median(gaps.filter((gap) => gap < TAB * line.size)));
  return words.map((word, index) => {
    const before = words[index - 1];
    const gap = gaps[index - 1] ?? 0;
    return { word, space: before === undefined ? "" : gap > tab ? "\t" : isSpaced(before, word, gap) ? " " : "" };
  });
};

/** @returns the text of a line in reading order, with spaces, and tabs at wide gaps */
export const runsOf = (line: Line): Run[] => {
  const runs: Run[] = [];
  for (const { word, space } of spacedWords(line)) {
    const [first, ...others] = shifted(word, line);
    runs.push(...(first === undefined ? [] : spacedRun(runs.at(-1), first, space)), ...others);
  }
  return joinRuns(runs);
};

/** @returns where the text after each tab of {@link runsOf} starts: its left edge, or right edge if it reads from there */
export const tabsOf = (line: Line): number[] =>
  spacedWords(line).flatMap(({ word, space }) => (space === "\t" ? [word.rtl ? word.right : word.left] : []));

const gapOf = (one: Word, other: Word): number => Math.max(one.left, other.left) - Math.min(one.right, other.right);

const isSpaced = (before: Word, word: Word, gap: number): boolean => {
  if (before.spaced) {
    return true;
  }
  const unspaced = UNSPACED.test(before.text.at(-1) ?? "") || UNSPACED.test(word.text.at(0) ?? "");
  return gap > (unspaced ? SPACE_UNSPACED : SPACE) * Math.min(before.size, word.size);
};

/** Small letters above or below the line's baseline, in units of the letter size. */
const SMALL = 0.8;
const RAISED = 0.15;
const LOWERED = 0.08;

/** @returns the runs of a word, as superscript or subscript if it is small and off the line's baseline */
const shifted = (word: Word, line: Line): readonly Run[] => {
  const offset = (line.baseline - word.baseline) / line.size;
  if (word.size > SMALL * line.size || (offset < RAISED && offset > -LOWERED)) {
    return word.runs;
  }
  const shift = offset > 0 ? "above" : "below";
  return word.runs.map((run) => (run.shift === undefined ? { ...run, shift, size: line.size } : run));
};
