import type { Word } from "../../content/content.ts";
import type { Box } from "../../page/geometry.ts";
import { type Line, piecesOf, rowsOf } from "../rows.ts";
import type { Extent } from "../strips.ts";
import type { Grid } from "./cells.ts";
import { type Edges, SNAP } from "./edges.ts";
import { boundaries, columnAt, guttersOf, hasProse, recordsOf, type TextRow, textRow } from "./gutters.ts";
import type { FoundGrid } from "./lattice.ts";
import type { Edge, Ruling } from "./rulings.ts";

/** Rules and fills without uprights: minimum rows and share of rows with several cells. */
const BANDED_ROWS_MIN = 2;
const BANDED_SHARE = 0.5;
/** Distance of a row outside of the rules that belongs to the table, in units of the letter size. */
const OUTSIDE = 1.4;

/** @returns the grid of a table with horizontal rules or stripes only: its columns follow from the text */
export const banded = (ruling: Ruling, ys: readonly Edges[], words: readonly Word[]): [FoundGrid] | undefined => {
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
