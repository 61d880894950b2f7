import { median } from "../page/geometry.ts";
import { isStandIn, type Piece } from "./pieces.ts";

/**
 * Divides a page into regions in reading order. A vertical white strip between lines of text separates columns;
 * anything that crosses the strip, above or below, becomes a separate region. Table cells have white strips between
 * them too, but are not lines of text, so they stay together.
 *
 * @param rtl whether columns are ordered from right to left
 */
export const regionsOf = (pieces: readonly Piece[], rtl: boolean, depth = 0): Piece[][] => {
  const strip = depth < DEPTH_MAX && pieces.length < PIECES_MAX ? bestStrip(pieces) : undefined;
  if (strip === undefined) {
    return pieces.length === 0 ? [] : [[...pieces]];
  }
  const within = pieces.filter(
    ({ top, bottom }) => middle(top, bottom) > strip.top && middle(top, bottom) < strip.bottom,
  );
  const sides = [
    within.filter(({ left, right }) => middle(left, right) < strip.x),
    within.filter(({ left, right }) => middle(left, right) >= strip.x),
  ];
  return [
    pieces.filter(({ top, bottom }) => middle(top, bottom) <= strip.top),
    ...(rtl ? sides.toReversed() : sides),
    pieces.filter(({ top, bottom }) => middle(top, bottom) >= strip.bottom),
  ].flatMap((part) => regionsOf(part, rtl, depth + 1));
};

/** Maximum nesting of strips: six columns, and bands of columns below each other. */
const DEPTH_MAX = 40;
/** Maximum pieces of a page for column detection: a newspaper page has 1,000. */
const PIECES_MAX = 10_000;

/** A strip without text: vertical at `x`, from `top` to `bottom`. */
interface Strip {
  readonly x: number;
  readonly top: number;
  readonly bottom: number;
  /** Number of lines on the side with fewer lines. */
  readonly lines: number;
}

const middle = (one: number, other: number): number => (one + other) / 2;

const EDGES_MAX = 40;
/** Minimum pieces that start or end at the same x for a strip to be searched there. */
const EDGE_PIECES_MIN = 3;
/** Distance in points below which edges are equal. */
const EDGE_POINTS = 3;

/** @returns the strip that separates the most lines; undefined if there is none */
const bestStrip = (pieces: readonly Piece[]): Strip | undefined => {
  const texts = pieces.filter((piece) => !isStandIn(piece));
  const size = median(texts.map((piece) => piece.size));
  const [width, height] = [STRIP_WIDTH * size, LINES_MIN * size];
  const strips = [
    ...edgesOf(texts.map(({ left }) => left)).map((edge) => ({ from: edge - width, to: edge - 0.5, height })),
    ...edgesOf(texts.map(({ right }) => right)).map((edge) => ({ from: edge + 0.5, to: edge + width, height })),
  ].flatMap((place) => stripsAt(pieces, place));
  return strips.reduce<Strip | undefined>(
    (best, strip) => (best === undefined || strip.lines > best.lines ? strip : best),
    undefined,
  );
};

/** In units of the letter size: minimum space between columns. */
const STRIP_WIDTH = 0.8;

/** @returns the positions where most edges are, each moved out to the outermost of its edges */
const edgesOf = (edges: readonly number[]): number[] => {
  const counts = Map.groupBy(edges, (edge) => Math.round(edge / EDGE_POINTS));
  return [...counts.values()]
    .filter(({ length }) => length >= EDGE_PIECES_MIN)
    .toSorted((one, other) => other.length - one.length)
    .slice(0, EDGES_MAX)
    .flatMap((places) => [Math.min(...places), Math.max(...places)]);
};

interface StripPlace {
  readonly from: number;
  readonly to: number;
  /** Minimum height of a strip in points. */
  readonly height: number;
}

/** @returns the parts of a strip that nothing crosses and that separate two columns of text */
const stripsAt = (pieces: readonly Piece[], { from, to, height }: StripPlace): Strip[] => {
  const crossing = pieces.filter(({ left, right }) => left < to && right > from);
  const ends = crossing.map(({ top, bottom }) => ({ top, bottom })).toSorted((one, other) => one.top - other.top);
  const strips: Strip[] = [];
  let top = Number.NEGATIVE_INFINITY;
  for (const end of [...ends, { top: Number.POSITIVE_INFINITY, bottom: Number.POSITIVE_INFINITY }]) {
    if (end.top - top > height) {
      const inside = pieces.filter((piece) => piece.top >= top - 1 && piece.bottom <= end.top + 1);
      const lines = linesParted(inside, from, to);
      if (lines > 0) {
        strips.push({ x: (from + to) / 2, top, bottom: end.top, lines });
      }
    }
    top = Math.max(top, end.bottom);
  }
  return strips;
};

const LINES_MIN = 4;
/** Minimum characters of a typical column line; table cells have fewer. */
const LINE_CHARACTERS_MIN = 18;
/** Minimum share of its column that a typical line fills. */
const LINE_FILL_MIN = 0.6;

/** @returns the number of lines on the side with fewer lines; 0 unless both sides are columns of text */
const linesParted = (pieces: readonly Piece[], from: number, to: number): number => {
  const texts = pieces.filter((piece) => !isStandIn(piece));
  const sides = [texts.filter(({ right }) => right <= from), texts.filter(({ left }) => left >= to)];
  return sides.every(isColumn) ? Math.min(...sides.map(({ length }) => length)) : 0;
};

const isColumn = (pieces: readonly Piece[]): boolean => {
  if (pieces.length < LINES_MIN) {
    return false;
  }
  const left = Math.min(...pieces.map((piece) => piece.left));
  const right = Math.max(...pieces.map((piece) => piece.right));
  const characters = median(pieces.map(({ text }) => lengthOf(text)));
  // This side may contain more columns, so judge each line by the width of its column.
  const width = median(pieces.map((piece) => piece.right - piece.left));
  const share = width / Math.min(right - left, columnWidth(pieces, left));
  return characters >= LINE_CHARACTERS_MIN && share >= LINE_FILL_MIN;
};

/** A Chinese, Japanese or Korean character counts as two letters. */
const lengthOf = (text: string): number =>
  text.length + (text.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu)?.length ?? 0);

const columnWidth = (pieces: readonly Piece[], left: number): number => {
  const first = pieces.filter((piece) => piece.left - left < 2 * piece.size);
  return first.length < LINES_MIN ? Number.POSITIVE_INFINITY : Math.max(...first.map(({ right }) => right)) - left;
};
