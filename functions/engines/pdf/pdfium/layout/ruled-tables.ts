import type { Word } from "../content/content.ts";
import type { Box } from "../page/geometry.ts";
import { flowOf } from "./columns.ts";
import { CELLS_MAX, cellsOf, type Grid, shareDrawn, strokeOf } from "./grid-cells.ts";
import { columnAt, guttersOf, isNumeric, recordsOf, type TextRow, textRow } from "./gutters.ts";
import type { Table } from "./model.ts";
import type { TextBox, TextContext } from "./paragraphs.ts";
import { type Line, piecesOf, rowsOf } from "./rows.ts";
import type { Edge, Ruling } from "./rulings.ts";
import { headerRowsOf } from "./table-header.ts";

/** A table, or a box around text, and the words of the table. */
export interface FoundRuling {
  readonly table?: Table;
  readonly box?: TextBox;
  readonly words: readonly Word[];
}

/** Points within which edges are one. */
const SNAP = 3;
const EDGES_MAX = 400;
/** Minimum width in points of a column or height of a row that has no text. */
const EMPTY_MIN = 7;

/** @returns the table or box that rules and fills form around the words inside of them */
export const tableIn = (ruling: Ruling, words: readonly Word[], context: TextContext): FoundRuling | undefined => {
  const inner = words.filter((word) => isWithin(word, ruling));
  if (inner.length === 0) {
    return undefined;
  }
  const xs = edgesFrom([...ruling.down, ...fillEdges(ruling, "down")], ruling.left, ruling.right);
  const ys = edgesFrom([...ruling.across, ...fillEdges(ruling, "across")], ruling.top, ruling.bottom);
  const isLattice = xs.length > 2 && ruling.down.length + ruling.fills.length > 1;
  const found = isLattice ? lattice(ruling, xs, ys, inner) : banded(ruling, ys, words);
  const grid = found && withoutEmpty(found.grid, found.words);
  const table = grid && tableFrom(grid, found.words, context);
  return table === undefined ? boxOf(ruling) : { table, words: found?.words ?? [] };
};

const isWithin = (word: Word, { left, right, top, bottom }: Box): boolean => {
  const [x, y] = [(word.left + word.right) / 2, word.baseline - 0.3 * word.size];
  return x > left - 1 && x < right + 1 && y > top - 1 && y < bottom + 1;
};

/** Edges at one place. */
interface Edges {
  readonly at: number;
  readonly parts: readonly Edge[];
}

/** @returns the places of edges, with the outer sides, from the left or top */
const edgesFrom = (edges: readonly Edge[], start: number, end: number): Edges[] => {
  const places: Edge[][] = [];
  const outer = [start, end].map((at) => ({ at, from: 0, to: 0, width: 0 }));
  for (const edge of [...edges, ...outer].toSorted((one, other) => one.at - other.at)) {
    const last = places.at(-1);
    if (last !== undefined && edge.at - (last[0]?.at ?? 0) < SNAP) {
      last.push(edge);
    } else {
      places.push([edge]);
    }
  }
  return places.slice(0, EDGES_MAX).map((parts) => ({ at: placeOf(parts), parts }));
};

/** @returns the place of the longest of the edges */
const placeOf = (edges: readonly Edge[]): number =>
  edges.reduce((long, edge) => (edge.to - edge.from > long.to - long.from ? edge : long)).at;

const fillEdges = ({ fills }: Ruling, side: "across" | "down"): Edge[] =>
  fills.flatMap(({ left, top, right, bottom }) =>
    side === "across"
      ? [top, bottom].map((at) => ({ at, from: left, to: right, width: 0 }))
      : [left, right].map((at) => ({ at, from: top, to: bottom, width: 0 })),
  );

interface FoundGrid {
  readonly grid: Grid;
  readonly words: readonly Word[];
}

/** @returns the grid of drawn uprights; rows of text without rules between them become rows of cells */
const lattice = (ruling: Ruling, xs: readonly Edges[], ys: readonly Edges[], words: readonly Word[]): FoundGrid => {
  const isDrawn = ruling.down.some(({ at }) => at > ruling.left + SNAP && at < ruling.right - SNAP);
  const inner = xs.slice(1, -1).map(({ at }) => at);
  const cuts =
    ys.length > MANY_BANDS
      ? []
      : ys.slice(1).flatMap(({ at }, index) => {
          const top = ys[index]?.at ?? 0;
          return recordCuts(
            words.filter(({ baseline, size }) => baseline - 0.3 * size > top && baseline - 0.3 * size < at),
            inner,
          );
        });
  const rows = [...ys, ...cuts.map((at) => ({ at, parts: [] }))].toSorted((one, other) => one.at - other.at);
  const held = new Set(cuts);
  return {
    words,
    grid: {
      xs: xs.map(({ at }) => at),
      ys: rows.map(({ at }) => at),
      down: xs.map(({ parts }) => parts),
      across: rows.map(({ parts }) => parts),
      isHeldX: () => !isDrawn,
      isHeldY: (index) => held.has(rows[index]?.at ?? 0) || (!isDrawn && ruling.across.length === 0),
      fills: ruling.fills,
    },
  };
};

/** A lattice with more bands than this has a rule for each row. */
const MANY_BANDS = 6;
const RECORDS_MIN = 3;

/** @returns the heights at which a band of a lattice is to be cut: its columns have lines on the same baselines */
const recordCuts = (words: readonly Word[], xs: readonly number[]): number[] => {
  const rows = rowsOf(words).map((line) => textRow(line, xs));
  if (rows.length < RECORDS_MIN || hasProse(rows)) {
    return [];
  }
  const records = recordsOf(rows);
  const filled = records.filter(
    (record) => (record[0]?.cells.filter((cell) => cell !== undefined).length ?? 0) * 2 > xs.length,
  );
  return records.length >= RECORDS_MIN && filled.length * 4 >= records.length * 3 ? boundaries(records) : [];
};

/** @returns whether a column has lines of a sentence */
const hasProse = (rows: readonly TextRow[]): boolean => {
  const columns = rows[0]?.cells.length ?? 0;
  return Array.from({ length: columns }, (_, column) => rows.flatMap(({ cells }) => cells[column] ?? [])).some(
    (lines) => lines.length > 2 && flowOf(lines) > 0.34,
  );
};

/** @returns the heights between consecutive rows of cells */
export const boundaries = (records: readonly (readonly TextRow[])[]): number[] =>
  records.slice(1).map((record, index) => {
    const [above, below] = [records[index]?.at(-1)?.line, record[0]?.line];
    return ((above?.bottom ?? 0) + (below?.top ?? 0)) / 2;
  });

/** Rules and fills without uprights: minimum rows and share of rows with several cells. */
const BANDED_ROWS_MIN = 2;
const BANDED_SHARE = 0.5;
/** Distance of a row outside of the rules that belongs to the table, in units of the letter size. */
const OUTSIDE = 1.4;

/** @returns the grid of a table with horizontal rules or stripes only: its columns follow from the text */
const banded = (ruling: Ruling, ys: readonly Edges[], words: readonly Word[]): FoundGrid | undefined => {
  if (ys.length < 3 && ruling.across.length < 2) {
    return undefined;
  }
  const near = words.filter(
    ({ left, right }) => (left + right) / 2 > ruling.left - SNAP && (left + right) / 2 < ruling.right + SNAP,
  );
  const all = rowsOf(near);
  const inside = all.filter(({ baseline, size }) => isBetween(baseline - 0.3 * size, ruling));
  const several = inside.filter((row) => piecesOf(row, row.size).length > 1);
  if (several.length < BANDED_ROWS_MIN || several.length < BANDED_SHARE * inside.length) {
    return undefined;
  }
  const xs = guttersOf(several).map(({ left, right }) => (left + right) / 2);
  if (xs.length === 0) {
    return undefined;
  }
  const rows = withOutside(all, inside, xs).map((line) => textRow(line, xs));
  if (hasProse(rows.filter(({ cells }) => cells.filter((cell) => cell !== undefined).length > 1))) {
    return undefined;
  }
  const used = rows.flatMap(({ line }) => line.words);
  return { words: used, grid: bandedGrid(ruling, ys, xs, rows) };
};

const isBetween = (y: number, { top, bottom }: Box): boolean => y > top - 1 && y < bottom + 1;

/** @returns the rows inside, with one above and one below that has cells in the same columns */
const withOutside = (all: readonly Line[], inside: readonly Line[], xs: readonly number[]): readonly Line[] => {
  const [first, last] = [inside[0], inside.at(-1)];
  const fits = (row: Line | undefined, gap: number): row is Line =>
    row !== undefined &&
    gap < OUTSIDE * row.size &&
    textRow(row, xs).cells.filter((cell) => cell !== undefined).length > Math.max(1, xs.length / 2) &&
    piecesOf(row, 0.5 * row.size).every(({ left, right }) => columnAt(xs, left) === columnAt(xs, right));
  if (first === undefined || last === undefined) {
    return inside;
  }
  const above = all[all.indexOf(first) - 1];
  const below = all[all.indexOf(last) + 1];
  return [
    ...(fits(above, first.top - (above?.bottom ?? 0)) ? [above] : []),
    ...inside,
    ...(fits(below, (below?.top ?? 0) - last.bottom) ? [below] : []),
  ];
};

const bandedGrid = (ruling: Ruling, ys: readonly Edges[], xs: readonly number[], rows: readonly TextRow[]): Grid => {
  const lines = rows.map(({ line }) => line);
  const places = [
    ...ys,
    ...[Math.min(ruling.top, lines[0]?.top ?? 0), Math.max(ruling.bottom, lines.at(-1)?.bottom ?? 0)]
      .filter((at) => ys.every((edge) => Math.abs(edge.at - at) > SNAP))
      .map((at) => ({ at, parts: [] as readonly Edge[] })),
  ].toSorted((one, other) => one.at - other.at);
  const cuts = places.slice(1).flatMap(({ at }, index) => {
    const band = rows.filter(({ line }) =>
      isBetween(line.baseline - 0.3 * line.size, { ...ruling, top: places[index]?.at ?? 0, bottom: at }),
    );
    return boundaries(recordsOf(band)).map((cut) => ({ at: cut, parts: [] as readonly Edge[] }));
  });
  const all = [...places, ...cuts].toSorted((one, other) => one.at - other.at);
  const outer = [
    Math.min(ruling.left, ...lines.map(({ left }) => left)),
    Math.max(ruling.right, ...lines.map(({ right }) => right)),
  ];
  const columns = [outer[0] ?? 0, ...xs, outer[1] ?? 0];
  return {
    xs: columns,
    ys: all.map(({ at }) => at),
    down: columns.map(() => []),
    across: all.map(({ parts }) => parts),
    isHeldX: () => true,
    isHeldY: () => true,
    fills: ruling.fills,
  };
};

/** @returns the grid without narrow columns and rows that have no text */
const withoutEmpty = (grid: Grid, words: readonly Word[]): Grid => {
  const keep = (edges: readonly number[], places: ReadonlySet<number>) =>
    edges.map((at, index) => {
      const wide = at - (edges[index - 1] ?? Number.NEGATIVE_INFINITY) > EMPTY_MIN;
      return index === 0 || wide || places.has(index - 1);
    });
  const inX = new Set(words.map(({ left, right }) => columnAt(grid.xs.slice(1, -1), (left + right) / 2)));
  const inY = new Set(words.map(({ baseline, size }) => columnAt(grid.ys.slice(1, -1), baseline - 0.3 * size)));
  const [keptX, keptY] = [keep(grid.xs, inX), keep(grid.ys, inY)];
  const [xs, ys] = [
    grid.xs.flatMap((_, index) => (keptX[index] ? [index] : [])),
    grid.ys.flatMap((_, index) => (keptY[index] ? [index] : [])),
  ];
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

/** A frame around columns of text is no table: characters of a typical cell. */
const CELL_CHARACTERS_MAX = 900;
/** Minimum share of cells with text: the lines of a chart have few. */
const TEXT_SHARE = 0.15;

const tableFrom = (grid: Grid, words: readonly Word[], context: TextContext): Table | undefined => {
  const [columns, rows] = [grid.xs.length - 1, grid.ys.length - 1];
  if (columns < 2 || columns * rows > CELLS_MAX) {
    return undefined;
  }
  const cells = cellsOf(grid, words, { ...context, isCell: true, boxes: [] });
  const filled = cells.filter(({ blocks }) => blocks.length > 0);
  const characters = words.reduce((sum, { text }) => sum + text.length, 0);
  const isFrame = rows <= 2 && characters / filled.length > CELL_CHARACTERS_MAX;
  if (
    filled.length < 2 ||
    new Set(filled.map(({ column }) => column)).size < 2 ||
    filled.length < TEXT_SHARE * cells.length ||
    isFrame
  ) {
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

export { isNumeric };
