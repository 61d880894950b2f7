import type { Box } from "../page/geometry.ts";
import type { Rule } from "../page/rules.ts";
import type { Table } from "./blocks.ts";
import { flowing } from "./joining.ts";
import { linesOf, runsOf } from "./lines.ts";
import { isStandIn, type Piece, type Run } from "./pieces.ts";
import { isHeader } from "./tables.ts";

/** Ruling lines that divide a part of the page into rows and columns. */
export interface Grid extends Box {
  /** Edges of its columns and rows, including the end of the last one. */
  readonly xs: readonly number[];
  readonly ys: readonly number[];
}

/** Distance in points below which lines are joined. */
const NEAR = 3;
const RULES_MAX = 3_000;
const CELLS_MAX = 20_000;

/** @returns the grids formed by ruling lines, with at least two rows or two columns */
export const gridsOf = (rules: readonly Rule[]): Grid[] =>
  rules.length > RULES_MAX
    ? []
    : groupsOf(rules).flatMap((group) => {
        const places = (across: boolean) =>
          distinct(group.filter((rule) => rule.across === across).map(({ at }) => at));
        const [xs, ys] = [places(false), places(true)];
        const [left, right, top, bottom] = [xs[0], xs.at(-1), ys[0], ys.at(-1)];
        const cells = (xs.length - 1) * (ys.length - 1);
        return left === undefined || right === undefined || top === undefined || bottom === undefined
          ? []
          : cells >= 2 && cells <= CELLS_MAX && xs.length > 2
            ? [{ left, top, right, bottom, xs, ys }]
            : [];
      });

/** @returns the rules in connected groups */
const groupsOf = (rules: readonly Rule[]): Rule[][] => {
  const groups: Rule[][] = [];
  const left = new Set(rules);
  for (const first of rules) {
    if (!left.delete(first)) {
      continue;
    }
    const group = [first];
    for (const rule of group) {
      for (const other of left) {
        if (meets(rule, other)) {
          left.delete(other);
          group.push(other);
        }
      }
    }
    groups.push(group);
  }
  return groups;
};

const meets = (one: Rule, other: Rule): boolean =>
  one.across === other.across
    ? Math.abs(one.at - other.at) <= NEAR && one.from <= other.to + NEAR && other.from <= one.to + NEAR
    : one.at >= other.from - NEAR &&
      one.at <= other.to + NEAR &&
      other.at >= one.from - NEAR &&
      other.at <= one.to + NEAR;

const distinct = (places: readonly number[]): number[] => {
  const kept: number[] = [];
  for (const place of places.toSorted((one, other) => one - other)) {
    if (place - (kept.at(-1) ?? Number.NEGATIVE_INFINITY) > NEAR) {
      kept.push(place);
    }
  }
  return kept;
};

/** Maximum characters of a cell: with more, it is a frame around text. */
const CELL_CHARACTERS_MAX = 1_500;
const FILLED_MIN = 2;

/** A table detected by its ruling lines. */
export interface RuledTable {
  readonly table: Table;
  readonly box: Box;
  readonly pieces: readonly Piece[];
}

/** @returns the table of a grid and its text; undefined if the grid is only a frame or is empty */
export const tableIn = (grid: Grid, pieces: readonly Piece[]): RuledTable | undefined => {
  const inside = pieces.filter(
    (piece) =>
      !isStandIn(piece) && columnAt(grid.xs, middle(piece.left, piece.right)) !== -1 && rowOf(grid, piece) !== -1,
  );
  const cells = Map.groupBy(inside, (piece) => `${rowOf(grid, piece)} ${columnAt(grid.xs, startOf(grid, piece))}`);
  const sizes = [...cells.values()].map((cell) => cell.reduce((sum, { text }) => sum + text.length, 0));
  if (cells.size < FILLED_MIN || sizes.some((size) => size > CELL_CHARACTERS_MAX)) {
    return undefined;
  }
  const letters = (rtl: boolean) => inside.reduce((sum, piece) => sum + (piece.rtl === rtl ? piece.text.length : 0), 0);
  const rtl = letters(true) > letters(false);
  const columns = grid.xs.slice(0, -1).map((_, index) => index);
  const order = rtl ? columns.toReversed() : columns;
  const rows = grid.ys.slice(0, -1).map((_, row) => order.map((column) => cellOf(cells.get(`${row} ${column}`) ?? [])));
  const filled = rows.filter((row) => row.some((cell) => cell.length > 0));
  const starts = order.map((column) => grid.xs[column] ?? grid.left);
  return { table: { kind: "table", rows: filled, header: isHeader(filled), starts }, box: grid, pieces: inside };
};

const middle = (one: number, other: number): number => (one + other) / 2;

/** @returns the column or row at this offset; -1 outside */
const columnAt = (places: readonly number[], at: number): number =>
  at < (places[0] ?? 0) || at > (places.at(-1) ?? 0)
    ? -1
    : Math.max(
        0,
        places.findLastIndex((place) => place <= at),
      );

const rowOf = ({ ys }: Grid, { top, bottom }: Piece): number =>
  Math.min(columnAt(ys, middle(top, bottom)), ys.length - 2);

/** A piece belongs to the column where it starts, even if its cell spans several. */
const startOf = ({ xs, left }: Grid, piece: Piece): number =>
  Math.min(Math.max(piece.left + 1, left), (xs.at(-1) ?? 0) - 1);

const cellOf = (pieces: readonly Piece[]): Run[] =>
  linesOf(pieces).reduce<Run[]>((runs, line) => flowing(runs, runsOf(line)), []);
