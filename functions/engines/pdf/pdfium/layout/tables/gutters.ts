import { median } from "../../page/geometry.ts";
import { flowOf, lengthOf } from "../columns.ts";
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
const COLUMNS_MAX = 100;

/** @returns the white spaces between the columns of cells that rows form, from the left */
export const guttersOf = (rows: readonly Line[]): Extent[] => {
  const size = median(rows.map((row) => row.size));
  const width = (rows.length < MANY ? WIDTH_FEW : WIDTH_MANY) * size;
  const extents = rows.map((row) => joinExtents(row.words, WORD_GAP * size));
  const all = extents.flat();
  const gaps = uncovered(all, Math.floor(CROSSING * rows.length)).filter(({ left, right }) => right - left >= width);
  return gaps
    .slice(0, COLUMNS_MAX)
    .flatMap((gap) => around(gap, all, width))
    .filter((gap) => extents.filter((row) => isBetween(row, gap)).length >= 2)
    .slice(0, COLUMNS_MAX);
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

/** A row of text divided at the separators of a table's columns. */
export interface TextRow {
  readonly line: Line;
  /** Its parts by column; a part that crosses separators is in the first of its columns. */
  readonly cells: readonly (Line | undefined)[];
}

/** @returns the row with its words in the columns between `xs`, the inner separators */
export const textRow = (line: Line, xs: readonly number[]): TextRow => {
  const cells: (Line | undefined)[] = Array.from({ length: xs.length + 1 });
  const isCut = (left: number, right: number) => xs.some((x) => x > left - 0.1 && x < right + 0.1);
  for (const piece of piecesOf(line, WORD_GAP * line.size, isCut)) {
    const column = columnAt(xs, piece.left + Math.min(1, (piece.right - piece.left) / 2));
    const known = cells[column];
    cells[column] = known === undefined ? piece : { ...piece, ...joined(known, piece) };
  }
  return { line, cells };
};

const joined = (one: Line, other: Line): Line => ({
  ...one,
  words: [...one.words, ...other.words],
  right: Math.max(one.right, other.right),
});

/** @returns the index of the column at `x` */
export const columnAt = (xs: readonly number[], x: number): number => {
  let [low, high] = [0, xs.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    [low, high] = (xs[middle] ?? 0) <= x ? [middle + 1, high] : [low, middle];
  }
  return low;
};

const NUMBER = /^[\s\d.,:%€$£¥()+\-–−*/]*\d[\s\d.,:%€$£¥()+\-–−*/]*$/u;

/** @returns whether a cell holds a number, an amount or a date */
export const isNumeric = (cell: Line): boolean => NUMBER.test(cell.words.map(({ text }) => text).join(" "));

/** In units of the letter size: maximum line distance within a cell. */
const CELL_STEP_MAX = 1.65;
const CELL_STEP_FAR = 2.2;
/** Ratio of the distances of rows to those of lines in a cell, from which on the distance alone decides. */
const STEP_RATIO = 1.2;

/** @returns the rows of text grouped into rows of cells: cells with several lines continue the row above */
export const recordsOf = (rows: readonly TextRow[]): TextRow[][] => {
  const steps = rows.map(({ line }, index) => (line.baseline - (rows[index - 1]?.line.baseline ?? 0)) / line.size);
  const least = steps.slice(1).reduce((less, step) => Math.min(less, step), Number.POSITIVE_INFINITY);
  const limit = { line: lineStep(rows, steps), cell: Math.max(CELL_STEP_MAX, Math.min(CELL_STEP_FAR, 1.1 * least)) };
  const records: TextRow[][] = [];
  for (const [index, row] of rows.entries()) {
    const last = records.at(-1);
    if (last !== undefined && continues(row, last, steps[index] ?? 0, limit)) {
      last.push(row);
    } else {
      records.push([row]);
    }
  }
  return records;
};

const filledIn = ({ cells }: TextRow): number => cells.filter((cell) => cell !== undefined).length;

/** @returns the largest distance of lines of one cell, if rows of cells are clearly further apart; else 0 */
const lineStep = (rows: readonly TextRow[], steps: readonly number[]): number => {
  const sorted = steps.slice(1).toSorted((one, other) => one - other);
  const jump = sorted.findIndex((step, index) => step > STEP_RATIO * (sorted[index - 1] ?? step));
  const limit = sorted[jump - 1] ?? 0;
  if (jump < 1 || limit > CELL_STEP_MAX) {
    return 0;
  }
  // Groups of single rows with white space between them have all columns filled in each row.
  const inner = rows.filter((_, index) => index > 0 && (steps[index] ?? 0) <= limit);
  const full = inner.filter(
    (row) =>
      filledIn(row) * 2 > row.cells.length || row.cells.slice(1).some((cell) => cell !== undefined && isNumeric(cell)),
  );
  return full.length * 2 > inner.length ? 0 : limit;
};

const continues = (
  row: TextRow,
  record: readonly TextRow[],
  step: number,
  limit: { line: number; cell: number },
): boolean => {
  if (limit.line > 0) {
    return step <= limit.line;
  }
  const [head, above] = [record[0], record.at(-1)];
  if (head === undefined || step > limit.cell || filledIn(row) >= filledIn(head)) {
    return false;
  }
  const isBelow = row.cells.every((cell, column) => cell === undefined || above?.cells[column] !== undefined);
  const [first] = row.cells;
  if (first !== undefined || !isBelow) {
    return isBelow && /^\p{Ll}/u.test(first?.words[0]?.text ?? "") && !row.cells.some(isNumber);
  }
  // A single cell below text of a row with a first cell: another line of that cell, even if it is a number.
  const isText = row.cells.every((cell, column) => cell === undefined || !isNumber(head.cells[column]));
  return (
    isText &&
    (filledIn(row) === 1 ? head.cells[0] !== undefined || !row.cells.some(isNumber) : !row.cells.some(isNumber))
  );
};

const isNumber = (cell: Line | undefined): boolean => cell !== undefined && isNumeric(cell);

/** Minimum characters of a typical line of a sentence, and minimum share of lines that continue it. */
const PROSE_CHARACTERS = 18;
const PROSE_FLOW = 0.34;

/** @returns whether a column has lines of a sentence */
export const hasProse = (rows: readonly TextRow[]): boolean => {
  const columns = rows[0]?.cells.length ?? 0;
  return Array.from({ length: columns }, (_, column) => rows.flatMap(({ cells }) => cells[column] ?? [])).some(
    (lines) => lines.length > 2 && median(lines.map(lengthOf)) > PROSE_CHARACTERS && flowOf(lines) > PROSE_FLOW,
  );
};

/** @returns the heights between consecutive rows of cells */
export const boundaries = (records: readonly (readonly TextRow[])[]): number[] =>
  records.slice(1).map((record, index) => {
    const [above, below] = [records[index]?.at(-1)?.line, record[0]?.line];
    return ((above?.bottom ?? 0) + (below?.top ?? 0)) / 2;
  });
