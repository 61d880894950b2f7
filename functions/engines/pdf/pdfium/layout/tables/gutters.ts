import { median } from "../../page/geometry.ts";
import { type Line, piecesOf } from "../rows.ts";
import { type Extent, joinExtents } from "../strips.ts";

/** White space within a cell, in units of the letter size: words closer than this are together. */
export const WORD_GAP = 0.45;
/** Share of rows that may cross the white space between two columns of cells. */
const CROSSING = 0.1;
/** Minimum width of this space in units of the letter size, in few rows and in many. */
const WIDTH_FEW = 0.8;
const WIDTH_MANY = 0.45;
const MANY = 6;
/** Rows that are flush with both sides of a narrow space, within points. */
const FLUSH_ROWS = 3;
const FLUSH = 0.5;
const BODY_MIN = 3;
const COLUMNS_MAX = 100;

/** @returns the white spaces between the columns of cells that rows form, from the left */
export const guttersOf = (rows: readonly Line[]): Extent[] => {
  const [header, ...body] = rows;
  const all = guttersIn(rows);
  if (header === undefined || body.length < BODY_MIN) {
    return all;
  }
  const close = guttersIn(body)
    .filter((gap) => !all.some((known) => meets(known, gap)))
    .flatMap((gap) => {
      const cut = flushCut(header, gap);
      return cut.length === 0 && isTitled(gap, header, body) ? [gap] : cut;
    });
  return [...all, ...close].toSorted((one, other) => one.left - other.left);
};

/** Minimum share of the rows with numbers on both sides of a gap below a common title, and width of the gap in letter sizes. */
const TITLED_SHARE = 0.8;
const TITLED_WIDTH = 0.8;

/** @returns whether only a title crosses a gap that has numbers on both sides: it spans their columns */
const isTitled = (gap: Extent, header: Line, body: readonly Line[]): boolean => {
  const title = piecesOf(header, WORD_GAP * header.size).find(
    ({ left, right }) => left < gap.left && right > gap.right,
  );
  const pairs = body.filter((row) => {
    const pieces = piecesOf(row, WORD_GAP * row.size);
    const before = pieces.findLast(({ right }) => right <= gap.left + 0.1);
    const after = pieces.find(({ left }) => left >= gap.right - 0.1);
    return before !== undefined && after !== undefined && isNumeric(before) && isNumeric(after);
  });
  const isWide = gap.right - gap.left >= TITLED_WIDTH * header.size;
  return title !== undefined && isWide && pairs.length >= Math.max(BODY_MIN, TITLED_SHARE * body.length);
};

const meets = (one: Extent, other: Extent): boolean => one.left < other.right && one.right > other.left;

/** Titles of narrow columns may touch. @returns the space between two words of a row that ends or begins a column, next to a gap between columns */
const flushCut = ({ words }: Line, { left, right }: Extent): Extent[] => {
  const index = words.findIndex((word, at) => {
    const next = words[at + 1];
    return (
      next !== undefined &&
      word.right < next.left &&
      (Math.abs(word.right - left) < FLUSH || Math.abs(next.left - right) < FLUSH)
    );
  });
  const [before, after] = [words[index], words[index + 1]];
  return before === undefined || after === undefined ? [] : [{ left: before.right, right: after.left }];
};

const guttersIn = (rows: readonly Line[]): Extent[] => {
  const size = median(rows.map((row) => row.size));
  const width = (rows.length < MANY ? WIDTH_FEW : WIDTH_MANY) * size;
  const extents = rows.map((row) => joinExtents(row.words, WORD_GAP * size));
  const all = extents.flat();
  const gaps = uncovered(all, Math.floor(CROSSING * rows.length)).filter(
    ({ left, right }) =>
      right - left >= width || (right - left >= WIDTH_MANY * size && isFlush(extents, { left, right })),
  );
  return gaps
    .slice(0, COLUMNS_MAX)
    .flatMap((gap) => around(gap, all, Math.min(width, gap.right - gap.left)))
    .filter((gap) => extents.filter((row) => isBetween(row, gap)).length >= 2)
    .slice(0, COLUMNS_MAX);
};

/** @returns whether texts of several widths end, and others begin, at the very ends of a gap, however narrow it is */
const isFlush = (rows: readonly (readonly Extent[])[], { left, right }: Extent): boolean => {
  const starts = rows.flatMap((row) =>
    row.flatMap((extent, index) => {
      const next = row[index + 1]?.left ?? Number.POSITIVE_INFINITY;
      return Math.abs(extent.right - left) < FLUSH && Math.abs(next - right) < FLUSH ? [extent.left] : [];
    }),
  );
  // Marks of list items are equally wide.
  return starts.length >= FLUSH_ROWS && starts.some((start) => Math.abs(start - (starts[0] ?? start)) > FLUSH);
};

/** @returns the extents that at most `most` of the given ones cover, between the outermost */
const uncovered = (extents: readonly Extent[], most: number): Extent[] => {
  const ends = extents
    .flatMap(({ left, right }) => [
      { x: left, by: 1 },
      { x: right, by: -1 },
    ])
    .toSorted((one, other) => one.x - other.x || other.by - one.by);
  const gaps: Extent[] = [];
  let covering = 0;
  let start: number | undefined;
  for (const { x, by } of ends) {
    covering += by;
    if (covering <= most && start === undefined) {
      start = by < 0 ? x : undefined;
    } else if (covering > most && start !== undefined) {
      gaps.push({ left: start, right: x });
      start = undefined;
    }
  }
  return gaps;
};

/** @returns a gap divided at the cells that lie within it: a column with few filled cells */
const around = (gap: Extent, extents: readonly Extent[], width: number): Extent[] => {
  const inner = extents.filter(({ left, right }) => left > gap.left && right < gap.right);
  const cells = inner.length > 1 ? joinExtents(inner, width) : [];
  const lefts = [gap.left, ...cells.map(({ right }) => right)];
  const rights = [...cells.map(({ left }) => left), gap.right];
  return lefts.flatMap((left, index) => {
    const right = rights[index] ?? left;
    return right - left >= width ? [{ left, right }] : [];
  });
};

/** @returns whether a row has text on both sides of a gap and none across */
const isBetween = (row: readonly Extent[], { left, right }: Extent): boolean => {
  const x = (left + right) / 2;
  return (
    row.some((extent) => extent.right <= x) &&
    row.some((extent) => extent.left >= x) &&
    !row.some((extent) => extent.left < x && extent.right > x)
  );
};

const NUMBER = /^[\s\d.,:%€$£¥()+\-–−*/]*\d[\s\d.,:%€$£¥()+\-–−*/]*$/u;

/** @returns whether a cell holds a number, an amount or a date */
export const isNumeric = (cell: Line): boolean => NUMBER.test(cell.words.map(({ text }) => text).join(" "));
