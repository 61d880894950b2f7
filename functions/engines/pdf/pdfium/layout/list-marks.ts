import type { ListMark } from "./model.ts";
import { inOrder, type Line } from "./rows.ts";

/** The mark at the start of a list item. */
export interface Mark extends Pick<ListMark, "mark" | "number" | "ordered"> {
  /** Kind of numbering, such as `a)`: items of one list have the same. */
  readonly kind: string;
  /** Position of the mark and of the text after it, from the edge where lines start. */
  readonly start: number;
  readonly text: number;
}

const BULLET = /^[•◦▪▫‣⁃●○■□◆◇➢➤►▶✓✔❖★·∙\uf000-\uf0ff]/u;
const DASH = /^[-−–—*o]$/u;
const TICK = /^[☐☒]$/u;

/** @returns whether the text begins with a box to tick, which stays in the text: each item of a list has another one */
export const startsWithTick = (text: string): boolean => TICK.test(text.trimStart().slice(0, 1));

/** @returns whether the text is only the mark of an unordered list, or a box to tick */
export const isBullet = (text: string): boolean =>
  text.length === 1 && (BULLET.test(text) || DASH.test(text) || TICK.test(text));

const NUMBER = /^(\(?)(\d{1,3}|[a-z]|[A-Z]|[ivxlc]{1,6}|[IVXLC]{1,6})([.)]|\.\))$/u;
/** In units of the letter size: minimum white space after a dash, which is a minus sign or an aside otherwise. */
const DASH_GAP = 0.35;

/** @returns the marks of those lines that are list items: bullets, and numbers that count */
export const marksOf = (lines: readonly Line[], rtl: boolean): (Mark | undefined)[] => {
  const marks = lines.map((line) => markAt(line, rtl));
  return marks.map((mark, index) => (mark !== undefined && isItem(mark, marks, index) ? mark : undefined));
};

const markAt = (line: Line, rtl: boolean): Mark | undefined => {
  const [first, second] = inOrder(line.words);
  if (first === undefined || (second === undefined && !BULLET.test(first.text))) {
    return undefined;
  }
  const start = rtl ? -first.right : first.left;
  const text = second === undefined ? start : rtl ? -second.right : second.left;
  const bullet = BULLET.exec(first.text)?.[0] ?? (isBullet(first.text) ? first.text : undefined);
  if (bullet !== undefined) {
    const gap = text - start - (first.right - first.left);
    const isDash = DASH.test(bullet);
    return isDash && gap < (bullet === "o" ? 2 : 1) * DASH_GAP * line.size
      ? undefined
      : { mark: bullet, ordered: false, kind: bullet, start, text };
  }
  const [, open = "", value = "", close = ""] = NUMBER.exec(first.text) ?? [];
  return value === ""
    ? undefined
    : {
        mark: first.text,
        ordered: true,
        number: numberOf(value),
        kind: `${open}${kindOf(value)}${close}`,
        start,
        text,
      };
};

const ROMAN: Readonly<Record<string, number>> = { i: 1, v: 5, x: 10, l: 50, c: 100 };

const kindOf = (value: string): string => (/\d/.test(value) ? "1" : value === value.toLowerCase() ? "a" : "A");

const numberOf = (value: string): number => {
  if (/\d/.test(value)) {
    return Number(value);
  }
  const lower = value.toLowerCase();
  if (lower.length === 1 && !/[ivx]/.test(lower)) {
    return lower.charCodeAt(0) - 96;
  }
  const digits = Array.from(lower, (letter) => ROMAN[letter] ?? 0);
  return digits.reduce((sum, digit, index) => sum + (digit < (digits[index + 1] ?? 0) ? -digit : digit), 0);
};

/** Lines in which the next item is searched. */
const AHEAD_MAX = 40;

/** A letter such as `i` may be a Roman number or a letter, so its value may be either. */
const follows = (one: Mark, other: Mark): boolean => {
  const values = ({ number = 0, mark }: Mark) => {
    const letter = /[a-zA-Z]/.exec(mark)?.[0]?.toLowerCase();
    return letter === undefined ? [number] : [number, letter.charCodeAt(0) - 96];
  };
  return one.kind === other.kind && values(one).some((value) => values(other).includes(value + 1));
};

const isItem = (mark: Mark, marks: readonly (Mark | undefined)[], index: number): boolean => {
  if (BULLET.test(mark.mark) || TICK.test(mark.mark)) {
    return true;
  }
  const [before, after] = [
    marks.slice(Math.max(0, index - AHEAD_MAX), index),
    marks.slice(index + 1, index + AHEAD_MAX),
  ];
  if (!mark.ordered) {
    return [...before, ...after].some((other) => other?.mark === mark.mark && Math.abs(other.start - mark.start) < 2);
  }
  return (
    /^\(?[1aiAI][.)]+$/.test(mark.mark) ||
    before.some((other) => other !== undefined && follows(other, mark)) ||
    after.some((other) => other !== undefined && follows(mark, other))
  );
};

/** Distance in points that separates two levels. */
const LEVEL_POINTS = 6;

/** Left edges of the levels of the current list. */
export type Levels = number[];

/** @returns the level of a mark at this position, from 0; a new level if it is indented further */
export const depthOf = (levels: Levels, start: number): number => {
  while (levels.length > 1 && start < (levels.at(-1) ?? 0) - LEVEL_POINTS) {
    levels.pop();
  }
  if (start > (levels.at(-1) ?? Number.NEGATIVE_INFINITY) + LEVEL_POINTS) {
    levels.push(start);
  }
  return Math.min(levels.length - 1, 8);
};
