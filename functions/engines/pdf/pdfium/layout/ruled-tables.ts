import type { Fill, Word } from "../content/content.ts";
import { type Box, median } from "../page/geometry.ts";
import { flowOf, lengthOf } from "./columns.ts";
import { CELLS_MAX, cellsOf, type Grid, shareDrawn, strokeOf } from "./grid-cells.ts";
import { columnAt, guttersOf, isNumeric, recordsOf, type TextRow, textRow, WORD_GAP } from "./gutters.ts";
import type { Cell, Table } from "./model.ts";
import type { TextBox, TextContext } from "./paragraphs.ts";
import { type Line, piecesOf, rowsOf } from "./rows.ts";
import type { Edge, Ruling } from "./rulings.ts";
import type { Extent } from "./strips.ts";
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
  for (const found of gridsIn(ruling, inner, words)) {
    const table = tableFrom(withoutEmpty(found.grid, found.words), found.words, context);
    if (table !== undefined) {
      return { table, words: found.words };
    }
  }
  return boxOf(ruling);
};

/** @returns the grids that rules and fills may form: drawn uprights, columns of text, or edges of fills */
const gridsIn = (ruling: Ruling, inner: readonly Word[], words: readonly Word[]): FoundGrid[] => {
  const drawn = edgesFrom(ruling.down, ruling.left, ruling.right);
  const rules = edgesFrom(ruling.across, ruling.top, ruling.bottom);
  const ys = edgesFrom([...ruling.across, ...fillEdges(ruling, "across")], ruling.top, ruling.bottom).filter(
    ({ at, parts }) => isLong(parts, ruling) || at === ruling.top || at === ruling.bottom,
  );
  if (drawn.length > 2) {
    return [lattice(ruling, drawn, rules.length > RULES_FEW ? rules : ys, inner)];
  }
  const filled = edgesFrom([...ruling.down, ...fillEdges(ruling, "down")], ruling.left, ruling.right);
  const grids = filled.length > 2 && ruling.fills.length > 3 ? [lattice(ruling, filled, ys, inner)] : [];
  return [...(banded(ruling, ys, words) ?? []), ...grids];
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

/** Minimum share of the width for an edge that only fills have: the bars of a chart are short. */
const FILL_EDGE = 0.25;

const isLong = (parts: readonly Edge[], { left, right }: Box): boolean =>
  parts.some(({ color }) => color !== undefined) || shareDrawn(parts, left, right) > FILL_EDGE;

/** @returns the edges of fills, without those between two of one color: lines of text are often filled one by one */
const fillEdges = ({ fills }: Ruling, side: "across" | "down"): Edge[] => {
  if (side === "down") {
    return fills.flatMap(({ left, top, right, bottom }) =>
      [left, right].map((at) => ({ at, from: top, to: bottom, width: 0 })),
    );
  }
  const key = (at: number, { left, color }: Fill) => `${Math.round(at)} ${Math.round(left)} ${color}`;
  const tops = new Set(fills.map((fill) => key(fill.top, fill)));
  const bottoms = new Set(fills.map((fill) => key(fill.bottom, fill)));
  const isInner = (others: ReadonlySet<string>, at: number, fill: Fill) =>
    [-1, 0, 1].some((offset) => others.has(key(at + offset, fill)));
  return fills.flatMap((fill) => {
    const { left: from, right: to, top, bottom } = fill;
    const edge = (at: number) => ({ at, from, to, width: 0 });
    return [
      ...(isInner(bottoms, top, fill) ? [] : [edge(top)]),
      ...(isInner(tops, bottom, fill) ? [] : [edge(bottom)]),
    ];
  });
};

/** With more rules than this, fills are backgrounds of lines or cells, and their edges no separators. */
const RULES_FEW = 3;

interface FoundGrid {
  readonly grid: Grid;
  readonly words: readonly Word[];
}

/** @returns the grid of uprights; rows of text without rules between them become rows of cells */
const lattice = (ruling: Ruling, xs: readonly Edges[], ys: readonly Edges[], words: readonly Word[]): FoundGrid => {
  const inner = xs.slice(1, -1).map(({ at }) => at);
  const heldX = heldEdges(xs, words);
  const cuts = ys.slice(1).flatMap(({ at }, index) => {
    const [top, middle] = [ys[index]?.at ?? 0, ({ baseline, size }: Word) => baseline - 0.3 * size];
    const band = words.filter((word) => middle(word) > top && middle(word) < at);
    return recordCuts(band, inner, ys.length > MANY_BANDS);
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
      isHeldX: (index) => heldX.has(index),
      isHeldY: (index) => held.has(rows[index]?.at ?? 0),
      fills: ruling.fills,
    },
  };
};

/** @returns the indexes of edges that text respects where they are not drawn: they separate cells there, too */
const heldEdges = (xs: readonly Edges[], words: readonly Word[]): ReadonlySet<number> => {
  const inner = xs.slice(1, -1).map(({ at }) => at);
  const respected = new Map<number, number>();
  const count = (from: number, to: number, y: number, by: number): void => {
    for (let index = from + 1; index <= to; index += 1) {
      const isDrawn = xs[index]?.parts.some((edge) => edge.from <= y && edge.to >= y) === true;
      isDrawn || respected.set(index, (respected.get(index) ?? 0) + by);
    }
  };
  for (const row of rowsOf(words)) {
    const y = row.baseline - 0.3 * row.size;
    let end: number | undefined;
    for (const piece of piecesOf(row, WORD_GAP * row.size)) {
      const [from, to] = [columnAt(inner, piece.left + 1), columnAt(inner, piece.right - 1)];
      count(from, to, y, -CROSSED);
      end === undefined || count(end, from, y, 1);
      end = to;
    }
  }
  return new Set([...respected].filter(([, value]) => value > 1).map(([index]) => index));
};

/** Weight of a row whose text crosses an edge, against rows whose text respects it. */
const CROSSED = 2;

/** A lattice with more bands than this has a rule for each row, if its cells hold no columns of numbers. */
const MANY_BANDS = 6;
const RECORDS_MIN = 3;
/** Minimum share of the lines of a band that look like rows of numbers. */
const RECORDS_SHARE = 0.8;

/** @returns the heights at which a band of a lattice is to be cut: its columns have lines on the same baselines */
const recordCuts = (words: readonly Word[], xs: readonly number[], isStrict: boolean): number[] => {
  const rows = rowsOf(words).map((line) => textRow(line, xs));
  const enough = isStrict ? 2 : RECORDS_MIN;
  if (
    rows.length < enough ||
    hasProse(rows) ||
    (isStrict && rows.filter(isRecord).length < RECORDS_SHARE * rows.length)
  ) {
    return [];
  }
  const records = recordsOf(rows);
  const filled = records.filter((record) => filledIn(record[0]) * 2 > xs.length);
  return records.length >= enough && filled.length * 4 >= records.length * 3 ? boundaries(records) : [];
};

const filledIn = (row: TextRow | undefined): number => row?.cells.filter((cell) => cell !== undefined).length ?? 0;

/** @returns whether a line of text has the same cells filled as the first one, one of them with a number */
const isRecord = (row: TextRow, _: number, [first]: readonly TextRow[]): boolean =>
  filledIn(row) > 1 &&
  row.cells.some((cell) => cell !== undefined && isNumeric(cell)) &&
  row.cells.every((cell, column) => (cell === undefined) === (first?.cells[column] === undefined));

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

/** Rules and fills without uprights: minimum rows and share of rows with several cells. */
const BANDED_ROWS_MIN = 2;
const BANDED_SHARE = 0.5;
/** Distance of a row outside of the rules that belongs to the table, in units of the letter size. */
const OUTSIDE = 1.4;

/** @returns the grid of a table with horizontal rules or stripes only: its columns follow from the text */
const banded = (ruling: Ruling, ys: readonly Edges[], words: readonly Word[]): [FoundGrid] | undefined => {
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
  const xs = guttersOf(several).map((gutter) => drawnIn(gutter, ruling));
  if (xs.length === 0) {
    return undefined;
  }
  const rows = withOutside(all, inside, xs).map((line) => textRow(line, xs));
  if (hasProse(rows.filter(({ cells }) => cells.filter((cell) => cell !== undefined).length > 1))) {
    return undefined;
  }
  const after = all[all.indexOf(inside.at(-1) as Line) + 1];
  if (rows.length <= HEADER_ROWS_MAX && after !== undefined && continuesBelow(inside.at(-1) as Line, after)) {
    return undefined;
  }
  const used = rows.flatMap(({ line }) => line.words);
  return [{ words: used, grid: bandedGrid(ruling, ys, xs, rows) }];
};

/** Rows between two rules, with rows of several cells below them: only the header of a table. */
const HEADER_ROWS_MAX = 3;
const BELOW_MAX = 3;

const continuesBelow = (last: Line, next: Line): boolean =>
  next.top - last.bottom < BELOW_MAX * next.size && piecesOf(next, next.size).length > 2;

const isBetween = (y: number, { top, bottom }: Box): boolean => y > top - 1 && y < bottom + 1;

/** @returns the place in the white space between columns where a fill begins or a rule is drawn, or its middle */
const drawnIn = ({ left, right }: Extent, { fills, down }: Ruling): number => {
  const middle = (left + right) / 2;
  const places = [...fills.flatMap((fill) => [fill.left, fill.right]), ...down.map(({ at }) => at)];
  const within = places.filter((at) => at > left - 1 && at < right + 1);
  return within.reduce(
    (best, at) => (Math.abs(at - middle) < Math.abs(best - middle) ? at : best),
    within[0] ?? middle,
  );
};

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

/** @returns the grid without columns and rows that have no text, and are narrow or not drawn */
const withoutEmpty = (grid: Grid, words: readonly Word[]): Grid => {
  const keep = (edges: readonly number[], parts: Grid["down"], filled: ReadonlySet<number>) =>
    edges.flatMap((at, index) => {
      const isWide = at - (edges[index - 1] ?? Number.NEGATIVE_INFINITY) > EMPTY_MIN;
      const isDrawn = parts[index]?.some(({ color }) => color !== undefined) === true;
      return index === 0 || filled.has(index - 1) || (isWide && (isDrawn || parts === grid.down)) ? [index] : [];
    });
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

/** A frame around columns of text is no table: characters of a typical cell. */
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
  if (filled.length < 2 || new Set(filled.map(({ column }) => column)).size < 2 || isChart(cells) || isFrame) {
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
