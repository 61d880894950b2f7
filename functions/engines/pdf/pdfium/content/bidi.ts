import { hasLtr, hasRtl, isMark } from "./characters.ts";
import type { Glyph } from "./glyphs.ts";

/** Glyphs of a word in logical order, and whether the word reads from right to left. */
export interface Ordered {
  readonly glyphs: readonly Glyph[];
  readonly rtl: boolean;
}

/** Maximum gap within a word, in units of the letter size: where spaces are drawn, and where they are not. */
const GAP_WITH_SPACES_MAX = 0.25;
const GAP_MAX = 0.12;

/** @returns the words of a line with text that reads from right to left, in reading order, from the glyphs' places */
export const orderedWords = (line: readonly Glyph[]): Ordered[] => {
  const words = wordsFromRight(line);
  const letters = (test: (text: string) => boolean) => line.reduce((sum, { text }) => sum + (test(text) ? 1 : 0), 0);
  const rtl = letters(hasRtl) >= letters(hasLtr);
  const ordered = words.map((glyphs) => ({ glyphs: logical(glyphs, rtl), rtl: directionIn(glyphs, rtl) }));
  return inLineOrder(rtl ? ordered : ordered.toReversed(), rtl);
};

/** @returns the words of a line from the right, each with its glyphs from the right */
const wordsFromRight = (line: readonly Glyph[]): Glyph[][] => {
  const bases = fromRight(line.filter(({ text }) => !isMark(text)));
  const limit = bases.some(({ text }) => text === " ") ? GAP_WITH_SPACES_MAX : GAP_MAX;
  const words: Glyph[][] = [];
  let word: Glyph[] = [];
  let edge = Number.NEGATIVE_INFINITY;
  for (const glyph of withMarks(bases, fromRight(line.filter(({ text }) => isMark(text))))) {
    const marked = isMark(glyph.text);
    const parted = glyph.text === " " || (!marked && edge - glyph.right > limit * glyph.style.size);
    if (parted && word.length > 0) {
      words.push(word);
      word = [];
    }
    if (glyph.text !== " ") {
      word.push(glyph);
      edge = marked ? edge : glyph.left;
    }
  }
  return word.length > 0 ? [...words, word] : words;
};

const centerOf = ({ left, right }: Glyph): number => (left + right) / 2;

const fromRight = (glyphs: readonly Glyph[]): Glyph[] =>
  glyphs.toSorted((one, other) => centerOf(other) - centerOf(one));

/** @returns the glyphs with each mark after the base that is nearest */
const withMarks = (bases: readonly Glyph[], marks: readonly Glyph[]): Glyph[] => {
  const all: Glyph[] = [];
  let next = 0;
  for (const [index, base] of bases.entries()) {
    all.push(base);
    const following = bases[index + 1];
    const border = following === undefined ? Number.NEGATIVE_INFINITY : (centerOf(base) + centerOf(following)) / 2;
    for (let mark = marks[next]; mark !== undefined && centerOf(mark) >= border; mark = marks[next]) {
      all.push(mark);
      next += 1;
    }
  }
  return [...all, ...marks.slice(next)];
};

const isLtr = ({ text }: Glyph): boolean => hasLtr(text) || /^\p{N}/u.test(text);
/** Characters that belong to the number that they touch. */
const isUnit = (glyph: Glyph | undefined): boolean => glyph !== undefined && /^[%‰#$€£¥°٪]$/u.test(glyph.text);

/** @returns the glyphs of a word, given from the right, in logical order */
const logical = (glyphs: readonly Glyph[], rtlLine: boolean): readonly Glyph[] => {
  if (!rtlLine) {
    return inLtrLine(glyphs);
  }
  const ordered: Glyph[] = [];
  for (let at = 0; at < glyphs.length; ) {
    const end = endOfRun(glyphs, at);
    ordered.push(...glyphs.slice(at, end).toReversed());
    at = end;
  }
  return ordered;
};

/** @returns the end of the run from left to right that starts at a glyph; the next glyph if none does */
const endOfRun = (glyphs: readonly Glyph[], start: number): number => {
  let end = start + 1;
  for (let at = isUnit(glyphs[start]) ? start + 1 : start; at < glyphs.length; at += 1) {
    const glyph = glyphs[at];
    if (glyph === undefined || hasRtl(glyph.text)) {
      break;
    }
    if (isLtr(glyph)) {
      end = isUnit(glyphs[at + 1]) ? at + 2 : at + 1;
    } else if (end === start + 1 && !isLtr(glyphs[start] ?? glyph)) {
      break;
    }
  }
  return end;
};

/** In a line from left to right only the letters of a word are turned round, not the punctuation around them. */
const inLtrLine = (glyphs: readonly Glyph[]): readonly Glyph[] => {
  const first = glyphs.findIndex(({ text }) => hasRtl(text));
  const last = glyphs.findLastIndex(({ text }) => hasRtl(text));
  return first < 0
    ? glyphs.toReversed()
    : [
        ...glyphs.slice(last + 1).toReversed(),
        ...logical(glyphs.slice(first, last + 1), true),
        ...glyphs.slice(0, first).toReversed(),
      ];
};

const directionIn = (glyphs: readonly Glyph[], rtlLine: boolean): boolean => {
  const rtl = glyphs.some(({ text }) => hasRtl(text));
  return rtl || (rtlLine && !glyphs.some(({ text }) => hasLtr(text)));
};

/** @returns the words of a line, with those that read against its direction turned round */
const inLineOrder = (words: readonly Ordered[], rtlLine: boolean): Ordered[] => {
  const ordered: Ordered[] = [];
  for (let at = 0; at < words.length; ) {
    let end = at + 1;
    while (words[at]?.rtl !== rtlLine && words[end]?.rtl === !rtlLine) {
      end += 1;
    }
    ordered.push(...words.slice(at, end).toReversed());
    at = end;
  }
  return ordered;
};
