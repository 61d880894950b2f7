import { hasLtr, hasRtl, isMark } from "./characters.ts";
import type { Glyph } from "./glyphs.ts";

/** Glyphs of a word in logical order, and whether the word reads from right to left. */
export interface Ordered {
  readonly glyphs: readonly Glyph[];
  readonly rtl: boolean;
}

/** Maximum gap within a word, in units of the letter size: where spaces are drawn, and where they are not. */
const GAP_WITH_SPACES_MAX = 0.2;
const GAP_MAX = 0.12;

/** @returns the words of a line with text that reads from right to left, in reading order, from the glyphs' places */
export const orderedWords = (line: readonly Glyph[]): Ordered[] => {
  const letters = (test: (text: string) => boolean) => line.reduce((sum, { text }) => sum + (test(text) ? 1 : 0), 0);
  const rtl = letters(hasRtl) >= letters(hasLtr);
  const arabic = line.some(({ text }) => /\p{Script=Arabic}/u.test(text));
  const ordered = wordsFromRight(line, arabic).map((glyphs) => ({
    glyphs: logical(glyphs, rtl, arabic),
    rtl: directionIn(glyphs, rtl),
  }));
  return withPairs(inLineOrder(rtl ? ordered : ordered.toReversed(), rtl));
};

const PAIRS: readonly (readonly [string, string])[] = [
  ["(", ")"],
  ["[", "]"],
  ["{", "}"],
  ["«", "»"],
];

/**
 * @returns the words with brackets that open before they close: PDFium mirrors only those that it takes for a part of
 * the text from right to left
 */
const withPairs = (words: readonly Ordered[]): Ordered[] =>
  PAIRS.reduce<Ordered[]>(
    (known, pair) => {
      const found = known.flatMap(({ glyphs }) => glyphs.filter(({ text }) => pair.includes(text)));
      if (found.length === 0 || found.length % 2 === 1 || isBalanced(found, pair)) {
        return known;
      }
      const turned = new Map(found.map((glyph, index) => [glyph, { ...glyph, text: pair[index % 2] ?? glyph.text }]));
      return known.map(({ glyphs, rtl }) => ({ rtl, glyphs: glyphs.map((glyph) => turned.get(glyph) ?? glyph) }));
    },
    [...words],
  );

const isBalanced = (brackets: readonly Glyph[], [open]: readonly [string, string]): boolean => {
  let depth = 0;
  return brackets.every(({ text }) => {
    depth += text === open ? 1 : -1;
    return depth >= 0;
  });
};

/** @returns the words of a line from the right, each with its glyphs from the right */
const wordsFromRight = (line: readonly Glyph[], arabic: boolean): Glyph[][] => {
  // A space without a width says nothing about its place: LibreOffice moves it after the punctuation.
  const bases = fromRight(line.filter(({ text, left, right }) => !isMark(text) && (text !== " " || right > left)));
  const drawn = bases.length > 0 && line.every(({ text, left, right }) => text !== " " || right > left);
  const limit = drawn && bases.some(({ text }) => text === " ") ? GAP_WITH_SPACES_MAX : GAP_MAX;
  const words: Glyph[][] = [];
  let word: Glyph[] = [];
  let edge = Number.NEGATIVE_INFINITY;
  for (const glyph of withMarks(bases, fromRight(line.filter(({ text }) => isMark(text))))) {
    const marked = isMark(glyph.text);
    const gap = edge - glyph.right;
    // In Arabic no ending follows a Latin word; only the space between them is not drawn.
    const glued = arabic && hasLtr(word.at(-1)?.text ?? "") && hasRtl(glyph.text);
    const parted = glyph.text === " " || (!marked && (gap > limit * glyph.style.size || glued));
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

const isNumber = (glyph: Glyph | undefined): boolean => glyph !== undefined && /^\p{N}/u.test(glyph.text);
const isLtr = (glyph: Glyph): boolean => hasLtr(glyph.text) || isNumber(glyph);
/** Characters that belong to the number that they touch; those before a number only where the script is Hebrew. */
const UNITS = /^[%‰°$€£¥]$/u;
const SIGNS = /^[#$€£¥+-]$/u;
/** Characters that do not join numbers where the script is Arabic (Unicode Standard Annex 9, W4 and W7). */
const PARTING = /^[+\p{Pd}]$/u;

/** @returns the glyphs of a word, given from the right, in logical order */
const logical = (glyphs: readonly Glyph[], rtlLine: boolean, arabic: boolean): readonly Glyph[] => {
  if (!rtlLine) {
    return inLtrLine(glyphs, arabic);
  }
  const ordered: Glyph[] = [];
  for (let at = 0; at < glyphs.length; ) {
    const end = endOfRun(glyphs, at, arabic);
    ordered.push(...glyphs.slice(at, end).toReversed());
    at = end;
  }
  return ordered;
};

/** @returns the end of the run from left to right that starts at a glyph; the next glyph if none does */
const endOfRun = (glyphs: readonly Glyph[], start: number, arabic: boolean): number => {
  const unit = UNITS.test(glyphs[start]?.text ?? "") && isNumber(glyphs[start + 1]);
  let end = start + 1;
  for (let at = unit ? start + 1 : start; at < glyphs.length; at += 1) {
    const glyph = glyphs[at];
    const numbers = isNumber(glyphs[at - 1]) && isNumber(glyphs[at + 1]);
    if (glyph === undefined || hasRtl(glyph.text) || (arabic && numbers && PARTING.test(glyph.text))) {
      break;
    }
    if (isLtr(glyph)) {
      end = at + 1;
    } else if (at === start) {
      break;
    }
  }
  const signed = !arabic && isNumber(glyphs[end - 1]) && SIGNS.test(glyphs[end]?.text ?? "");
  // A sign after a word joins it to the number, as in "in-2024".
  return signed && (end + 1 === glyphs.length || !hasRtl(glyphs[end + 1]?.text ?? "")) && end > start ? end + 1 : end;
};

/** In a line from left to right only the letters of a word are turned round, not the punctuation around them. */
const inLtrLine = (glyphs: readonly Glyph[], arabic: boolean): readonly Glyph[] => {
  const first = glyphs.findIndex(({ text }) => hasRtl(text));
  const last = glyphs.findLastIndex(({ text }) => hasRtl(text));
  return first < 0
    ? glyphs.toReversed()
    : [
        ...glyphs.slice(last + 1).toReversed(),
        ...logical(glyphs.slice(first, last + 1), true, arabic),
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
