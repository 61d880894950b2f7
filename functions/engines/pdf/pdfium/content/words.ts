import { orderedWords } from "./bidi.ts";
import { hasRtl, isFullWidth, isIndic, isMark, isUnspaced } from "./characters.ts";
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

/** In units of the letter size: marks and indexes are nearer to the baseline; a step back is not kerning. */
const SHIFT_MAX = 0.6;
const BACK_MAX = 0.5;
/** Gaps that divide words, in units of the letter size. Where spaces are drawn, a gap is kerning or justification. */
const GAP_FULL_WIDTH = 0.6;
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

/** @returns glyphs that follow each other on one baseline */
const linesIn = (glyphs: readonly Glyph[]): Glyph[][] => {
  const lines: Glyph[][] = [];
  let line: Glyph[] = [];
  let largest: Glyph | undefined;
  for (const glyph of glyphs) {
    if (largest === undefined || !belongs(glyph, largest)) {
      line = [];
      lines.push(line);
      largest = undefined;
    }
    line.push(glyph);
    // A superscript does not raise the baseline.
    largest = largest === undefined || glyph.style.size >= largest.style.size ? glyph : largest;
  }
  return lines;
};

const belongs = ({ style, baseline }: Glyph, largest: Glyph): boolean => {
  const other = largest.style;
  if (style.leaning || other.leaning) {
    return style === other;
  }
  return (
    style.frame === other.frame && Math.abs(baseline - largest.baseline) < SHIFT_MAX * Math.max(style.size, other.size)
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
  const close = (how: Pick<WordGlyphs, "spaced" | "closed">): void => {
    if (word.length > 0) {
      words.push({ glyphs: word, rtl: false, ...how });
      word = [];
    }
  };
  for (const glyph of line) {
    if (glyph.text === " ") {
      close({ spaced: true, closed: true });
      continue;
    }
    const marked = isMark(glyph.text);
    const last = word.at(-1);
    if (last !== undefined && !marked && !glyph.style.leaning && parts(glyph, { last, edge, limit, tracking })) {
      close({ spaced: true, closed: false });
    }
    edge = marked ? Math.max(edge, glyph.right) : glyph.right;
    word.push(glyph);
  }
  close({ spaced: !isUnspaced(word.at(-1)?.text ?? ""), closed: false });
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
    isFullWidth(glyph.text) || isFullWidth(last.text) ? GAP_FULL_WIDTH : isIndic(glyph.text) ? GAP_INDIC : limit;
  return gap > narrow + tracking || back > BACK_MAX || (BULLET.test(last.text) && isOtherSize(last, glyph));
};

/** The mark of a list item, often of a symbol font in another size, is not part of the first word. */
const BULLET = /^[•◦▪●○■□◆‣]$/u;
const SIZE_RATIO = 1.2;

const isOtherSize = ({ style: { size: one } }: Glyph, { style: { size: other } }: Glyph): boolean =>
  Math.max(one, other) > SIZE_RATIO * Math.min(one, other);

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
