import { median } from "../../page/geometry.ts";
import { flowOf, lengthOf } from "../prose.ts";
import { type Line, piecesOf } from "../rows.ts";
import { isNumeric, WORD_GAP } from "./gutters.ts";

/** Rows of text divided into cells, and grouped into rows of cells: a cell can have several lines. */

/** A row of text divided at the separators of a table's columns. */
export interface TextRow {
  readonly line: Line;
  /** Its parts by column; a part that crosses separators is in the first of its columns. */
  readonly cells: readonly (Line | undefined)[];
  /** Whether a part crosses separators. */
  readonly isWide: boolean;
}

/** @returns the row with its words in the columns between `xs`, the inner separators */
export const textRow = (line: Line, xs: readonly number[]): TextRow => {
  const cells: (Line | undefined)[] = Array.from({ length: xs.length + 1 });
  const isCut = (left: number, right: number) => xs.some((x) => x > left - 0.1 && x < right + 0.1);
  let isWide = false;
  for (const piece of piecesOf(line, WORD_GAP * line.size, isCut)) {
    const column = columnAt(xs, piece.left + Math.min(1, (piece.right - piece.left) / 2));
    isWide ||= columnAt(xs, piece.right - 1) > column;
    const known = cells[column];
    cells[column] = known === undefined ? piece : { ...piece, ...joined(known, piece) };
  }
  return { line, cells, isWide };
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

/** In units of the letter size: maximum line distance within a cell. */
const CELL_STEP_MAX = 1.65;
const CELL_STEP_FAR = 2.2;

/** @returns the rows of text grouped into rows of cells: cells with several lines continue the row above */
export const recordsOf = (rows: readonly TextRow[]): TextRow[][] => {
  const steps = rows.map(({ line }, index) => (line.baseline - (rows[index - 1]?.line.baseline ?? 0)) / line.size);
  const single = median(
    steps.filter((_, index) => index > 0 && isSingleBelow(rows[index] as TextRow, rows[index - 1])),
  );
  const limit = Math.max(CELL_STEP_MAX, Math.min(CELL_STEP_FAR, 1.1 * single));
  const records: TextRow[][] = [];
  for (const [index, row] of rows.entries()) {
    const last = records.at(-1);
    const step = steps[index] ?? 0;
    const isPart = continues(row, last ?? [], step, limit) || (step <= limit && isNearer(rows, index));
    if (last !== undefined && (isPart || isBeside(row, last.at(-1)))) {
      last.push(row);
    } else {
      records.push([row]);
    }
  }
  return records;
};

/** In units of the letter size: distance of lines that are side by side rather than below each other. */
const BESIDE_MAX = 0.8;

const isLevel = (one: Line, other: Line): boolean =>
  Math.abs(one.baseline - other.baseline) < BESIDE_MAX * Math.min(one.size, other.size);

/** @returns the line with the words of the lines next to it: names of several lines have their values in the middle */
export const withNames = (rows: readonly Line[], index: number): Line => {
  const line = rows[index] as Line;
  const words = [rows[index - 1], rows[index + 1]].flatMap((row) =>
    row !== undefined && isLevel(row, line) ? row.words : [],
  );
  return { ...line, words: [...line.words, ...words].toSorted((one, other) => one.left - other.left) };
};

/** @returns whether a line is next to the one above, not below it */
const isBeside = ({ line, cells }: TextRow, above: TextRow | undefined): boolean =>
  above !== undefined &&
  isLevel(line, above.line) &&
  cells.every((cell, column) => cell === undefined || above.cells[column] === undefined);

/** Ratio of the distance of the row below to that of the row above. */
const NEARER = 1.15;

/** @returns whether the row's only cell is the first and clearly nearer to the row above: another line of its cell */
const isNearer = (rows: readonly TextRow[], index: number): boolean => {
  const [above, row, below] = [rows[index - 1], rows[index], rows[index + 1]];
  if (above === undefined || row === undefined || below === undefined || filledIn(above) < 2 || row.isWide) {
    return false;
  }
  const isFirst = filledIn(row) === 1 && row.cells[0] !== undefined && above.cells[0] !== undefined;
  const [step, following] = [row.line.baseline - above.line.baseline, below.line.baseline - row.line.baseline];
  return isFirst && following > NEARER * step;
};

/** @returns whether the row's only cell, not the first, is below another one: most such rows are lines of the cell above */
const isSingleBelow = (row: TextRow, above: TextRow | undefined): boolean =>
  filledIn(row) === 1 &&
  row.cells[0] === undefined &&
  row.cells.every((cell, column) => cell === undefined || above?.cells[column] !== undefined);

export const filledIn = ({ cells }: TextRow): number => cells.filter((cell) => cell !== undefined).length;

const continues = (row: TextRow, record: readonly TextRow[], step: number, limit: number): boolean => {
  const [head, above] = [record[0], record.at(-1)];
  if (head === undefined || step > limit || filledIn(row) >= filledIn(head)) {
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
  // Names of several lines are no sentences.
  const level = rows.map((row, index) => isBeside(row, rows[index - 1]));
  const alone = rows.filter((_, index) => level[index] !== true && level[index + 1] !== true);
  return Array.from({ length: columns }, (_, column) => alone.flatMap(({ cells }) => cells[column] ?? [])).some(
    (lines) => lines.length > 2 && median(lines.map(lengthOf)) > PROSE_CHARACTERS && flowOf(lines) > PROSE_FLOW,
  );
};

/** @returns the heights between consecutive rows of cells */
export const boundaries = (records: readonly (readonly TextRow[])[]): number[] =>
  records.slice(1).map((record, index) => {
    const [above, below] = [records[index]?.at(-1)?.line, record[0]?.line];
    return ((above?.bottom ?? 0) + (below?.top ?? 0)) / 2;
  });

/** In units of the letter size: maximum distance of the lines of a cell below the table's last row. */
const TAIL_STEP_MAX = 2.2;
const TAIL_STEP_SLACK = 0.15;

/** @returns the lines below a table that continue a cell of its last row; of the first one, only a line next to it */
export const tailOf = (last: TextRow, below: readonly TextRow[]): TextRow[] => {
  const step = (index: number) =>
    ((below[index]?.line.baseline ?? 0) - (below[index - 1] ?? last).line.baseline) / last.line.size;
  const count = below.findIndex((row, index) => {
    const { line, cells } = row;
    const column = cells.findIndex((cell) => cell !== undefined);
    const isBelow =
      column > 0 &&
      cells.filter((cell) => cell !== undefined).length === 1 &&
      Math.abs(line.left - (last.cells[column]?.left ?? 0)) < 1;
    const isName = index === 0 && isBeside(row, last);
    return !(isBelow || isName) || step(index) > Math.min(TAIL_STEP_MAX, step(0) + TAIL_STEP_SLACK);
  });
  return below.slice(0, count < 0 ? below.length : count);
};
