import type { Fill, Word } from "../../content/content.ts";
import type { Box } from "../../page/geometry.ts";
import type { Borders, Cell, Stroke } from "../model.ts";
import { paragraphsIn, type TextContext } from "../paragraphs.ts";
import { piecesOf, rowsOf } from "../rows.ts";
import type { Edge } from "./rulings.ts";
import { columnAt } from "./text-rows.ts";

/** The separators of a table. */
export interface Grid {
  /** Edges of the columns and rows, ascending. */
  readonly xs: readonly number[];
  readonly ys: readonly number[];
  /** Drawn parts of each of the edges. */
  readonly down: readonly (readonly Edge[])[];
  readonly across: readonly (readonly Edge[])[];
  /** Whether an edge separates cells where nothing is drawn, unless text crosses it. */
  readonly isHeldX: (index: number) => boolean;
  readonly isHeldY: (index: number) => boolean;
  readonly fills: readonly Fill[];
}

export const CELLS_MAX = 20_000;
/** Minimum share of a cell's side that is drawn, so that the side separates cells. */
const DRAWN = 0.6;
/** Minimum share of a cell that its background covers. */
const FILLED = 0.7;

/** @returns the cells of a grid with their text; cells without a drawn side between them are one */
export const cellsOf = (grid: Grid, words: readonly Word[], context: TextContext): Cell[] => {
  const [columns, rows] = [grid.xs.length - 1, grid.ys.length - 1];
  const places = placesOf(grid, words);
  const fills = fillsOf(grid);
  return mergedCells(grid, words).map((span) => {
    const box = {
      left: grid.xs[span.column] ?? 0,
      right: grid.xs[Math.min(columns, span.column + span.columns)] ?? 0,
      top: grid.ys[span.row] ?? 0,
      bottom: grid.ys[Math.min(rows, span.row + span.rows)] ?? 0,
    };
    const own = range(span.row, span.rows).flatMap((row) =>
      range(span.column, span.columns).flatMap((column) => places.get(row * columns + column) ?? []),
    );
    return {
      ...span,
      blocks: paragraphsIn(rowsOf(own), box, context),
      fill: fills.get(span.row * columns + span.column),
      borders: bordersOf(grid, span, box),
    };
  });
};

const range = (from: number, count: number): number[] => Array.from({ length: count }, (_, index) => from + index);

/** @returns the words by the place of their middle in the grid */
const placesOf = ({ xs, ys }: Grid, words: readonly Word[]): Map<number, Word[]> =>
  Map.groupBy(words, (word) => {
    const column = columnAt(xs.slice(1, -1), (word.left + word.right) / 2);
    return columnAt(ys.slice(1, -1), word.baseline - 0.3 * word.size) * (xs.length - 1) + column;
  });

type Span = Pick<Cell, "row" | "column" | "rows" | "columns">;

/** @returns the cells of the grid, where places without a side between them form a rectangle, as one */
const mergedCells = (grid: Grid, words: readonly Word[]): Span[] => {
  const [columns, rows] = [grid.xs.length - 1, grid.ys.length - 1];
  const crossing = crossedBy(grid, words);
  const single = singleRows(grid, words);
  const places = placesOf(grid, words);
  const labels = labelColumns(grid, places);
  const isOpenRight = (row: number, column: number) =>
    column + 1 < columns &&
    shareDrawn(grid.down[column + 1] ?? [], grid.ys[row] ?? 0, grid.ys[row + 1] ?? 0) < DRAWN &&
    (!grid.isHeldX(column + 1) || crossing.has(row * columns + column) || single.has(row));
  const isOpenBelow = (row: number, column: number) =>
    row + 1 < rows &&
    (!grid.isHeldY(row + 1) ||
      [row, row + 1].some((y) => isAcross(places.get(y * columns + column), grid.ys[row + 1]))) &&
    shareDrawn(grid.across[row + 1] ?? [], grid.xs[column] ?? 0, grid.xs[column + 1] ?? 0) < DRAWN &&
    !areApart(places.get(row * columns + column), places.get((row + 1) * columns + column)) &&
    !(labels.has(column) && [row, row + 1].every((y) => places.has(y * columns + column)));
  const taken = new Set<number>();
  const spans: Span[] = [];
  for (let row = 0; row < rows; row += 1) {
    for (let column = 0; column < columns; column += 1) {
      if (taken.has(row * columns + column)) {
        continue;
      }
      const span = spanAt({ row, column, rows, columns }, { isOpenRight, isOpenBelow, taken });
      for (const at of range(row, span.rows).flatMap((y) => range(column, span.columns).map((x) => y * columns + x))) {
        taken.add(at);
      }
      spans.push(span);
    }
  }
  return spans;
};

/** Rows of a column without rules that has a label in each of them, at least, and the share of rows with one. */
const LABELED_ROWS_MIN = 4;
const LABELED_SHARE = 0.75;

/** @returns the columns without rules that have a single line next to most rows of the others: names of the rows */
const labelColumns = ({ xs, ys, across }: Grid, places: ReadonlyMap<number, readonly Word[]>): ReadonlySet<number> => {
  const [columns, rows] = [xs.length - 1, ys.length - 1];
  const isLabel = (words: readonly Word[] | undefined) => words !== undefined && rowsOf(words).length === 1;
  return new Set(
    range(0, rows < LABELED_ROWS_MIN ? 0 : columns).filter(
      (column) =>
        range(2, rows - 2).every(
          (row) => shareDrawn(across[row] ?? [], xs[column] ?? 0, xs[column + 1] ?? 0) < DRAWN,
        ) &&
        range(1, rows - 1).filter((row) => isLabel(places.get(row * columns + column))).length >=
          LABELED_SHARE * (rows - 1),
    ),
  );
};

const CENTERED = 0.2;

/** @returns whether words are centered on an edge */
const isAcross = (words: readonly Word[] = [], y = 0): boolean =>
  words.some(({ baseline, size }) => Math.abs(baseline - 0.3 * size - y) < CENTERED * size);

/** @returns whether the words of two places are numbers, so that they are cells though no side is drawn between them */
const areApart = (above: readonly Word[] | undefined, below: readonly Word[] | undefined): boolean =>
  above !== undefined &&
  below !== undefined &&
  [above, below].every((words) => words.every(({ text }) => /\d/.test(text)));

interface Openings {
  isOpenRight(row: number, column: number): boolean;
  isOpenBelow(row: number, column: number): boolean;
  readonly taken: ReadonlySet<number>;
}

/** @returns the largest rectangle from a place without sides inside; `rows` and `columns` are those of the grid */
const spanAt = ({ row, column, rows, columns }: Span, { isOpenRight, isOpenBelow, taken }: Openings): Span => {
  let width = 1;
  while (isOpenRight(row, column + width - 1) && !taken.has(row * columns + column + width)) {
    width += 1;
  }
  let height = 1;
  const isOpen = (below: number): boolean =>
    below < rows &&
    range(column, width).every(
      (x, index) =>
        isOpenBelow(below - 1, x) &&
        !taken.has(below * columns + x) &&
        (index === width - 1 ? !isOpenRight(below, x) : isOpenRight(below, x)),
    );
  while (isOpen(row + height)) {
    height += 1;
  }
  return { row, column, rows: height, columns: width };
};

/** @returns the places whose right side more lines of text cross than respect, where the side is not drawn */
const crossedBy = ({ xs, ys, isHeldX }: Grid, words: readonly Word[]): ReadonlySet<number> => {
  const [columns, inner] = [xs.length - 1, xs.slice(1, -1)];
  const crossed = new Map<number, number>();
  // An edge in the very middle of white space was placed there.
  const isCut = (left: number, right: number) => inner.some((x) => Math.abs(x - (left + right) / 2) < MIDDLE);
  const count = (row: number, from: number, to: number, by: number): void => {
    for (let at = from; at < to; at += 1) {
      isHeldX(at + 1) && crossed.set(row * columns + at, (crossed.get(row * columns + at) ?? 0) + by);
    }
  };
  const lines = rowsOf(words);
  for (const line of lines) {
    const row = columnAt(ys.slice(1, -1), line.baseline - 0.3 * line.size);
    let last: number | undefined;
    for (const piece of piecesOf(line, JOINED * line.size, isCut)) {
      const [from, to] = [columnAt(inner, piece.left + 0.5), columnAt(inner, piece.right - 0.5)];
      count(row, from, to, 1);
      last === undefined || count(row, last, from, -1);
      last = to;
    }
  }
  return new Set([...crossed].filter(([, lines]) => lines > 0).map(([place]) => place));
};

/** In units of the letter size: distance of a text from the table's side, at most. */
const SIDE = 1.5;

/** @returns the rows between rules or backgrounds that have a single text, at a side of the table, wider than a column */
const singleRows = ({ xs, ys, across, fills }: Grid, words: readonly Word[]): ReadonlySet<number> => {
  const [inner, left, right] = [xs.slice(1, -1), xs[0] ?? 0, xs.at(-1) ?? 0];
  const isDrawn = (index: number) =>
    index === 0 || index === ys.length - 1 || shareDrawn(across[index] ?? [], left, right) > DRAWN;
  const byRow = Map.groupBy(rowsOf(words), (line) => columnAt(ys.slice(1, -1), line.baseline - 0.3 * line.size));
  const found = [...byRow].flatMap(([row, lines]) => {
    const [top, bottom] = [ys[row] ?? 0, ys[row + 1] ?? 0];
    const pieces = lines.flatMap((line) => piecesOf(line, line.size));
    const [piece] = pieces;
    const isFilled = fills.some(
      (fill) =>
        fill.top < top + 2 &&
        fill.bottom > bottom - 2 &&
        fill.bottom - fill.top < 1.5 * (bottom - top) &&
        fill.left < left + 2 &&
        fill.right > right - 2,
    );
    const isWide = piece !== undefined && columnAt(inner, piece.left + 0.5) !== columnAt(inner, piece.right - 0.5);
    const atSide =
      piece !== undefined && (piece.left - left < SIDE * piece.size || right - piece.right < SIDE * piece.size);
    const isTitle = fills.length > 0 && isWide && piece.left - left < SIDE * piece.size;
    const isRuled = isDrawn(row) && isDrawn(row + 1) && atSide && (isWide || isFilled);
    return row > 0 && pieces.length === 1 && (isTitle || isRuled) ? [row] : [];
  });
  return new Set(found);
};

/** Words closer than this, in units of the letter size, are of one cell. */
const JOINED = 0.4;
/** Points. */
const MIDDLE = 0.01;

/** @returns the share of an extent that edges cover */
export const shareDrawn = (edges: readonly Edge[], from: number, to: number): number => {
  const length = edges.reduce((sum, edge) => sum + Math.max(0, Math.min(edge.to, to) - Math.max(edge.from, from)), 0);
  return to - from < 0.1 ? 1 : length / (to - from);
};

const bordersOf = ({ down, across }: Grid, { row, column, rows, columns }: Span, box: Box): Borders => ({
  top: strokeOf(across[row] ?? [], box.left, box.right),
  right: strokeOf(down[column + columns] ?? [], box.top, box.bottom),
  bottom: strokeOf(across[row + rows] ?? [], box.left, box.right),
  left: strokeOf(down[column] ?? [], box.top, box.bottom),
});

/** @returns the line along an extent; edges of fills have none */
export const strokeOf = (edges: readonly Edge[], from: number, to: number): Stroke | undefined => {
  const drawn = edges.filter((edge) => edge.color !== undefined && edge.from < to && edge.to > from);
  const [{ width, color } = { width: 0, color: undefined }] = drawn;
  return color !== undefined && shareDrawn(drawn, from, to) >= DRAWN ? { width, color } : undefined;
};

/** @returns the background of each place; one that is drawn later covers others */
const fillsOf = ({ xs, ys, fills }: Grid): Map<number, string> => {
  const columns = xs.length - 1;
  const found = new Map<number, string>();
  for (const { left, top, right, bottom, color } of fills) {
    const [firstColumn, lastColumn] = [columnAt(xs.slice(1, -1), left), columnAt(xs.slice(1, -1), right)];
    const [firstRow, lastRow] = [columnAt(ys.slice(1, -1), top), columnAt(ys.slice(1, -1), bottom)];
    for (let row = firstRow; row <= lastRow; row += 1) {
      for (let column = firstColumn; column <= lastColumn; column += 1) {
        const wide = overlap([left, right], [xs[column] ?? 0, xs[column + 1] ?? 0]);
        const high = overlap([top, bottom], [ys[row] ?? 0, ys[row + 1] ?? 0]);
        wide * high >= FILLED && found.set(row * columns + column, color);
      }
    }
  }
  return found;
};

/** @returns the share of the second extent that the first covers */
const overlap = ([from, to]: readonly [number, number], [start, end]: readonly [number, number]): number =>
  end - start < 0.1 ? 0 : Math.max(0, Math.min(to, end) - Math.max(from, start)) / (end - start);
