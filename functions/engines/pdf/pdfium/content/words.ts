import { orderedWords } from "./bidi.ts";
import { hasRtl, isIndic, isMark, isUnspaced } from "./characters.ts";
import type { Glyph } from "./glyphs.ts";

/** Glyphs of a word in logical order. */
export interface WordGlyphs {
  readonly glyphs: readonly Glyph[];
  readonly rtl: boolean;
  /** Whether a space follows, drawn or not. */
  readonly spaced: boolean;
  /** Whether a drawn space follows. */
  readonly closed: boolean;
}

/** In units of the letter size: a wider gap ends a line; marks and indexes are nearer to the baseline. */
const LINE_GAP_MAX = 2;
const SHIFT_MAX = 0.6;
const OVERLAP_MAX = 0.5;
/** Gaps that divide words, in units of the letter size. Where spaces are drawn, a gap is kerning or justification. */
const GAP_UNSPACED = 0.6;
const GAP_INDIC = 0.18;
const GAP_WITH_SPACES = 0.2;
const GAP_IN_DRAWING_PAGE = 0.17;
const GAP = 0.14;
/** Minimum share of spaces among the glyphs of a page that draws its spaces. */
const DRAWN_SPACES_MIN = 0.04;

/** @returns the words of a page in the order of the content stream */
export const wordsOf = (glyphs: readonly Glyph[]): WordGlyphs[] => {
  const spaces = glyphs.reduce((sum, { text }) => sum + (text === " " ? 1 : 0), 0);
  const drawn = spaces >= DRAWN_SPACES_MIN * glyphs.length;
  return linesIn(glyphs).flatMap((line) =>
    line.some(({ text }) => hasRtl(text))
      ? orderedWords(line).map((word) => ({ ...word, spaced: true, closed: false }))
      : plainWords(line, drawn),
  );
};

interface Reach {
  left: number;
  right: number;
  baseline: number;
  size: number;
}

/** @returns glyphs that follow each other on a baseline without a wide gap */
const linesIn = (glyphs: readonly Glyph[]): Glyph[][] => {
  const lines: Glyph[][] = [];
  let line: Glyph[] = [];
  let reach: Reach | undefined;
  for (const glyph of glyphs) {
    const last = line.at(-1);
    if (reach === undefined || last === undefined || !belongs(glyph, last, reach)) {
      line = [];
      lines.push(line);
      reach = undefined;
    }
    line.push(glyph);
    reach = extended(reach, glyph);
  }
  return lines;
};

const extended = (reach: Reach | undefined, { left, right, baseline, style: { size } }: Glyph): Reach =>
  reach === undefined
    ? { left, right, baseline, size }
    : {
        left: Math.min(reach.left, left),
        right: Math.max(reach.right, right),
        // A superscript does not raise the baseline.
        baseline: size >= reach.size ? baseline : reach.baseline,
        size: Math.max(reach.size, size),
      };

const belongs = (glyph: Glyph, last: Glyph, reach: Reach): boolean => {
  const { style, left, right } = glyph;
  if (style.frame !== last.style.frame || style.leaning !== last.style.leaning) {
    return false;
  }
  if (style.leaning) {
    return style === last.style;
  }
  const size = Math.max(reach.size, style.size);
  const gap = Math.max(left - reach.right, reach.left - right);
  const near =
    Math.max(left - last.right, last.left - right) < OVERLAP_MAX * size && right > last.left - OVERLAP_MAX * size;
  const overlap = Math.min(right, reach.right) - Math.max(left, reach.left);
  return (
    Math.abs(glyph.baseline - reach.baseline) < SHIFT_MAX * size &&
    gap < LINE_GAP_MAX * size &&
    (near || overlap < OVERLAP_MAX * size)
  );
};

/** @returns the words of a line that reads from left to right */
const plainWords = (line: readonly Glyph[], drawn: boolean): WordGlyphs[] => {
  const words: WordGlyphs[] = [];
  const tracking = trackingOf(line);
  const spaced = line.some(({ text }) => text === " ");
  const limit = spaced ? GAP_WITH_SPACES : drawn ? GAP_IN_DRAWING_PAGE : GAP;
  let word: Glyph[] = [];
  let edge = 0;
  const close = (closed: boolean): void => {
    const last = word.at(-1);
    if (last !== undefined) {
      words.push({ glyphs: word, rtl: false, spaced: true, closed });
      word = [];
    }
  };
  for (const glyph of line) {
    if (glyph.text === " ") {
      close(true);
      continue;
    }
    const marked = isMark(glyph.text);
    const last = word.at(-1);
    if (last !== undefined && !marked && !glyph.style.leaning && parts(glyph, { last, edge, limit, tracking })) {
      close(false);
    }
    edge = marked ? edge : glyph.right;
    word.push(glyph);
  }
  close(false);
  return words;
};

interface Edge {
  readonly last: Glyph;
  /** Right edge of the last glyph that is not a mark. */
  readonly edge: number;
  readonly limit: number;
  readonly tracking: number;
}

/** @returns whether a gap or a step back divides a glyph from the word before it */
const parts = (glyph: Glyph, { last, edge, limit, tracking }: Edge): boolean => {
  const size = Math.max(glyph.style.size, last.style.size);
  const gap = (glyph.left - edge) / size;
  const back = (last.left - glyph.left) / size;
  const narrow =
    isUnspaced(glyph.text) || isUnspaced(last.text) ? GAP_UNSPACED : isIndic(glyph.text) ? GAP_INDIC : limit;
  return gap > narrow + tracking || back > OVERLAP_MAX;
};

/** Minimum and maximum spacing of letters that are set apart, in units of their size. */
const TRACKING_MIN = 0.06;
const TRACKING_MAX = 0.35;
const TRACKED_MIN = 5;

/** @returns the usual gap between the letters of a line if they are set apart, in units of their size; else 0 */
const trackingOf = (line: readonly Glyph[]): number => {
  const gaps = line.slice(1, TRACKED_GLYPHS_MAX).flatMap((glyph, index) => {
    const last = line[index];
    return last === undefined || last.text === " " || glyph.text === " "
      ? []
      : [(glyph.left - last.right) / glyph.style.size];
  });
  const middle = gaps.toSorted((one, other) => one - other)[Math.floor(gaps.length / 2)] ?? 0;
  return gaps.length >= TRACKED_MIN && middle > TRACKING_MIN && middle < TRACKING_MAX ? middle : 0;
};

const TRACKED_GLYPHS_MAX = 200;
