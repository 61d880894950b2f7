import { median } from "./geometry.ts";
import { isStandIn, type Piece } from "./pieces.ts";

/**
 * Parts a page into regions in the order of reading. Where a white strip runs down between pieces that are lines of
 * text, there are columns; what crosses the strip, above and below, is a region of its own. Cells of a table have white
 * strips between them too, but are no lines of text: they stay together.
 *
 * @param rtl whether columns follow each other from right to left
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

/** Strips within strips: six columns, and bands of columns below each other. */
const DEPTH_MAX = 40;
/** Pieces of a page that columns are looked for among: a page of a newspaper has 1,000. */
const PIECES_MAX = 10_000;

/** A strip without text: it goes down at `x`, from `top` to `bottom`. */
interface Strip {
  readonly x: number;
  readonly top: number;
  readonly bottom: number;
  /** Lines on its poorer side. */
  readonly lines: number;
}

const middle = (one: number, other: number): number => (one + other) / 2;

const EDGES_MAX = 40;
/** Pieces that have to begin or end at one place for a strip to be looked for there. */
const EDGE_PIECES_MIN = 3;
/** Points within which edges are one. */
const EDGE_POINTS = 3;

/** @returns the strip that parts most lines; undefined when there is none */
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

/** Parts of the letters' size that the space between columns has at least. */
const STRIP_WIDTH = 0.8;

/** @returns the places where most edges are, each as far out as its edges go */
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
  /** Points that a strip goes down at least. */
  readonly height: number;
}

/** @returns the stretches of a strip that nothing crosses and that part two columns of text */
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
/** Characters of a usual line of a column; cells of a table have fewer. */
const LINE_CHARACTERS_MIN = 18;
/** Parts of its column that a usual line fills. */
const LINE_FILL_MIN = 0.6;

/** @returns lines on the poorer side of the strip; 0 unless both sides are columns of text */
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
  // Further columns may stand on this side: their lines are judged by the column that they are in.
  const width = median(pieces.map((piece) => piece.right - piece.left));
  const share = width / Math.min(right - left, columnWidth(pieces, left));
  return characters >= LINE_CHARACTERS_MIN && share >= LINE_FILL_MIN;
};

/** A letter of Chinese, Japanese or Korean says as much as two others. */
const lengthOf = (text: string): number =>
  text.length + (text.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu)?.length ?? 0);

const columnWidth = (pieces: readonly Piece[], left: number): number => {
  const first = pieces.filter((piece) => piece.left - left < 2 * piece.size);
  return first.length < LINES_MIN ? Number.POSITIVE_INFINITY : Math.max(...first.map(({ right }) => right)) - left;
};
