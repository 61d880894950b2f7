import type { Word } from "../../content/content.ts";
import { areaOf, type Box } from "../../page/geometry.ts";
import type { Cell, Table } from "../model.ts";
import type { TextBox, TextContext } from "../paragraphs.ts";
import { rowsOf } from "../rows.ts";
import { isInside } from "../strips.ts";
import { isAxisAcross } from "./axes.ts";
import { banded } from "./banded.ts";
import { CELLS_MAX, cellsOf, type Grid, shareDrawn, strokeOf } from "./cells.ts";
import { edgesFrom, fillEdges, isLong, SNAP } from "./edges.ts";
import { headerRowsOf } from "./header.ts";
import { withInnerColumns } from "./inner-columns.ts";
import { type FoundGrid, lattice } from "./lattice.ts";
import type { Edge, Ruling } from "./rulings.ts";
import { columnAt } from "./text-rows.ts";

/** A table, or a box around text, and the words of the table. */
export interface FoundRuling {
  readonly table?: Table;
  readonly box?: TextBox;
  readonly words: readonly Word[];
}

/** Minimum width in points of a column or height of a row that has no text. */
const EMPTY_MIN = 7;

/**
 * @param figures pictures and drawings of the page
 * @returns the table or box that rules and fills form around the words inside of them
 */
export const tableIn = (
  ruling: Ruling,
  words: readonly Word[],
  figures: readonly Box[],
  context: TextContext,
): FoundRuling | undefined => {
  const inner = words.filter((word) => isWithin(word, ruling));
  if (inner.length === 0) {
    return undefined;
  }
  let coarse: FoundRuling | undefined;
  for (const found of gridsIn(ruling, inner, words, isPictured(ruling, figures))) {
    const table = tableFrom(withoutEmpty(found.grid, found.words), found.words, context);
    if (table !== undefined && !isCoarse(table)) {
      return { table, words: found.words };
    }
    coarse ??= table && { table, words: found.words };
  }
  return coarse ?? boxOf(ruling);
};

/** Share of rows with texts side by side in a cell, from which on not all columns are separated by rules. */
const TABBED_SHARE = 0.5;

/** @returns whether cells have texts of several columns */
const isCoarse = ({ cells, ys }: Table): boolean => {
  const tabbed = cells.filter(({ blocks }) =>
    blocks.some((block) => block.kind === "paragraph" && block.runs.some(({ text }) => text.includes("\t"))),
  );
  return new Set(tabbed.map(({ row }) => row)).size > TABBED_SHARE * (ys.length - 1);
};

/** @returns the grids that rules and fills may form: drawn uprights, columns of text, or edges of fills */
const gridsIn = function* (
  ruling: Ruling,
  inner: readonly Word[],
  words: readonly Word[],
  isPictured: boolean,
): Generator<FoundGrid> {
  const drawn = edgesFrom(ruling.down, ruling.left, ruling.right);
  const rules = edgesFrom(ruling.across, ruling.top, ruling.bottom);
  const ys = edgesFrom([...ruling.across, ...fillEdges(ruling, "across")], ruling.top, ruling.bottom).filter(
    ({ at, parts }) => isLong(parts, ruling) || at === ruling.top || at === ruling.bottom,
  );
  if (drawn.length > 2) {
    const columns = withInnerColumns(drawn, inner);
    yield lattice(ruling, columns, rules.length > RULES_FEW ? rules : ys, inner, false);
    yield* banded(ruling, ys, words) ?? [];
    return;
  }
  if (isPictured) {
    return; // the frame of a figure with labels
  }
  const filled = edgesFrom([...ruling.down, ...fillEdges(ruling, "down")], ruling.left, ruling.right);
  const grids = filled.length > 2 && ruling.fills.length > 3 ? [lattice(ruling, filled, ys, inner, true)] : [];
  yield* [...(banded(ruling, ys, words) ?? []), ...grids].toSorted(
    (one, other) => other.grid.xs.length - one.grid.xs.length,
  );
};

/** Share of a frame that pictures cover. */
const PICTURED = 0.25;

const isPictured = (ruling: Ruling, figures: readonly Box[]): boolean =>
  figures.filter((figure) => isInside(figure, ruling)).reduce((sum, figure) => sum + areaOf(figure), 0) >
  PICTURED * areaOf(ruling);

const isWithin = (word: Word, { left, right, top, bottom }: Box): boolean => {
  const [x, y] = [(word.left + word.right) / 2, word.baseline - 0.3 * word.size];
  return x > left - 1 && x < right + 1 && y > top - 1 && y < bottom + 1;
};
/** With more rules than this, fills are backgrounds of lines or cells, and their edges no separators. */
const RULES_FEW = 3;

/** @returns the grid without columns and rows that have no text, and are narrow or not drawn */
const withoutEmpty = (grid: Grid, words: readonly Word[]): Grid => {
  const keep = (edges: readonly number[], parts: Grid["down"], filled: ReadonlySet<number>) => {
    const kept = [0];
    for (let index = 1; index < edges.length; index += 1) {
      const isWide = (edges[index] ?? 0) - (edges[index - 1] ?? 0) > EMPTY_MIN;
      const isDrawn = parts[index]?.some(({ color }) => color !== undefined) === true;
      const last = kept.at(-1) ?? 0;
      if (filled.has(index - 1) || (isWide && (isDrawn || parts === grid.down))) {
        kept.push(index);
      } else if (last > 0 && last === index - 1 && lengthOf(parts[index]) > lengthOf(parts[last]) + SNAP) {
        // Of the sides of an empty row, the longer one remains.
        kept[kept.length - 1] = index;
      }
    }
    return kept;
  };
  const inX = new Set(words.map(({ left, right }) => columnAt(grid.xs.slice(1, -1), (left + right) / 2)));
  const inY = new Set(words.map(({ baseline, size }) => columnAt(grid.ys.slice(1, -1), baseline - 0.3 * size)));
  const [xs, ys] = [keep(grid.xs, grid.down, inX), keep(grid.ys, grid.across, inY)];
  return {
    ...grid,
    xs: xs.map((index) => grid.xs[index] ?? 0),
    ys: ys.map((index) => grid.ys[index] ?? 0),
    down: xs.map((index) => grid.down[index] ?? []),
    across: ys.map((index) => grid.across[index] ?? []),
    isHeldX: (index) => grid.isHeldX(xs[index] ?? index),
    isHeldY: (index) => grid.isHeldY(ys[index] ?? index),
  };
};

const lengthOf = (edges: readonly Edge[] = []): number => edges.reduce((sum, { from, to }) => sum + to - from, 0);

/** A frame around columns of text is not a table: characters of a typical cell. */
const CELL_CHARACTERS_MAX = 900;
/** Share of cells with text below which the first row or column must have more: the lines of a chart have few. */
const TEXT_SHARE = 0.3;
const HEAD_SHARE = 0.5;

/** @returns whether few cells have text, and not those of the first row or column */
const isChart = (cells: readonly Cell[]): boolean => {
  const share = (some: readonly Cell[]) => some.filter(({ blocks }) => blocks.length > 0).length / some.length;
  const heads = [cells.filter(({ row }) => row === 0), cells.filter(({ column }) => column === 0)];
  return share(cells) < TEXT_SHARE && heads.every((head) => share(head) < HEAD_SHARE);
};

const tableFrom = (grid: Grid, words: readonly Word[], context: TextContext): Table | undefined => {
  const [columns, rows] = [grid.xs.length - 1, grid.ys.length - 1];
  if (
    columns < 2 ||
    (rows < 2 && grid.down.every((edges) => edges.every(({ color }) => color === undefined))) ||
    columns * rows > CELLS_MAX
  ) {
    return undefined;
  }
  const cells = cellsOf(grid, words, { ...context, isCell: true, boxes: [] });
  const filled = cells.filter(({ blocks }) => blocks.length > 0);
  const characters = words.reduce((sum, { text }) => sum + text.length, 0);
  const isFrame = rows <= 2 && characters / filled.length > CELL_CHARACTERS_MAX;
  const isDrawing = isChart(cells) || isAxisAcross(rowsOf(words).at(-1));
  if (filled.length < 2 || new Set(filled.map(({ column }) => column)).size < 2 || isDrawing || isFrame) {
    return undefined;
  }
  return {
    kind: "table",
    left: grid.xs[0] ?? 0,
    right: grid.xs.at(-1) ?? 0,
    top: grid.ys[0] ?? 0,
    bottom: grid.ys.at(-1) ?? 0,
    xs: grid.xs,
    ys: grid.ys,
    cells,
    headerRows: headerRowsOf(cells, rows),
    found: "rules",
    rtl: context.rtl,
    spaceBefore: 0,
    open: false,
  };
};

const boxOf = (ruling: Ruling): FoundRuling | undefined => {
  const { left, top, right, bottom, across, down, fills } = ruling;
  const at = (edges: readonly Edge[], place: number) => edges.filter((edge) => Math.abs(edge.at - place) < SNAP);
  const borders = {
    top: strokeOf(at(across, top), left, right),
    right: strokeOf(at(down, right), top, bottom),
    bottom: strokeOf(at(across, bottom), left, right),
    left: strokeOf(at(down, left), top, bottom),
  };
  const fill = fills.find(
    (area) =>
      shareDrawn([{ at: 0, from: area.left, to: area.right, width: 0 }], left, right) > 0.9 &&
      area.bottom - area.top > 0.9 * (bottom - top),
  );
  const isBox =
    fill !== undefined || (borders.top !== undefined && borders.bottom !== undefined && borders.left !== undefined);
  return isBox ? { box: { left, top, right, bottom, fill: fill?.color, borders }, words: [] } : undefined;
};
