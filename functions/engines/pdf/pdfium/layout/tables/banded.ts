import type { Word } from "../../content/content.ts";
import type { Box } from "../../page/geometry.ts";
import { type Line, piecesOf, rowsOf } from "../rows.ts";
import type { Extent } from "../strips.ts";
import type { Grid } from "./cells.ts";
import { type Edges, SNAP } from "./edges.ts";
import { guttersOf } from "./gutters.ts";
import type { FoundGrid } from "./lattice.ts";
import type { Edge, Ruling } from "./rulings.ts";
import { boundaries, columnAt, filledIn, hasProse, recordsOf, type TextRow, textRow } from "./text-rows.ts";

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
  if (xs.length === 0 || (ruling.fills.length <= FILLS_FEW && arePartsFiner(several, xs.length))) {
    return undefined;
  }
  const rows = withOutside(all, inside, xs).map((line) => textRow(line, xs));
  if (hasProse(rows.filter(({ cells }) => cells.filter((cell) => cell !== undefined).length > 1))) {
    return undefined;
  }
  const below = rowsBelow(all, all.indexOf(inside.at(-1) as Line));
  if (below >= inside.length || (below > 0 && inside.length <= HEADER_ROWS_MAX)) {
    return undefined;
  }
  const used = rows.flatMap(({ line }) => line.words);
  return [{ words: used, grid: bandedGrid(ruling, ys, xs, rows) }];
};

/** More backgrounds than this are stripes or cells, not titles. */
const FILLS_FEW = 3;
/** In units of the letter size: distance of the baselines of rows that may be of two tables. */
const PART_MIN = 2.2;
/** Columns that a part must have more than all rows have together. */
const FINER_MIN = 2;

/** @returns whether rows that white space separates have more columns than all have together: rules join several tables */
const arePartsFiner = (rows: readonly Line[], columns: number): boolean => {
  const parts: Line[][] = [];
  for (const [index, row] of rows.entries()) {
    const step = row.baseline - (rows[index - 1]?.baseline ?? Number.NEGATIVE_INFINITY);
    step > PART_MIN * row.size ? parts.push([row]) : parts.at(-1)?.push(row);
  }
  return parts.length > 1 && parts.some((part) => part.length > 1 && guttersOf(part).length >= columns + FINER_MIN);
};

/** Few rows between two rules, with rows of several cells below them: only the header of a table. */
const HEADER_ROWS_MAX = 3;
/** In units of the letter size: maximum distance of rows of one table. */
const BELOW_MAX = 3;
/** Lines of a single cell between rows. */
const SINGLES_MAX = 3;

/** @returns the number of rows with several cells that follow closely */
const rowsBelow = (all: readonly Line[], last: number): number => {
  let [rows, singles] = [0, 0];
  for (let index = last + 1; index < all.length && singles <= SINGLES_MAX; index += 1) {
    const row = all[index] as Line;
    if (row.top - (all[index - 1]?.bottom ?? 0) >= BELOW_MAX * row.size) {
      break;
    }
    const isRow = piecesOf(row, row.size).length > 2;
    [rows, singles] = isRow ? [rows + 1, 0] : [rows, singles + 1];
  }
  return rows;
};

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

/** Rows above and below the rules of a table, at most. */
const OUTSIDE_MAX = 20;

/** @returns the rows inside, with those above and below that have cells in the same columns */
const withOutside = (all: readonly Line[], inside: readonly Line[], xs: readonly number[]): readonly Line[] => {
  const fits = (row: Line): boolean =>
    textRow(row, xs).cells.filter((cell) => cell !== undefined).length > Math.max(1, xs.length / 2) &&
    piecesOf(row, 0.5 * row.size).every(({ left, right }) => columnAt(xs, left) === columnAt(xs, right));
  const [first, last] = [all.indexOf(inside[0] as Line), all.indexOf(inside.at(-1) as Line)];
  const fitting = (rows: readonly Line[], isFit: (row: Line) => boolean): readonly Line[] => {
    const end = rows.slice(1).findIndex((row, index) => {
      const near = rows[index] ?? row;
      return Math.max(row.top - near.bottom, near.top - row.bottom) >= OUTSIDE * row.size || !isFit(row);
    });
    return rows.slice(1, end < 0 ? undefined : end + 1);
  };
  const above = fitting(all.slice(Math.max(0, first - OUTSIDE_MAX), first + 1).toReversed(), fits).toReversed();
  const below = fitting(all.slice(last, last + OUTSIDE_MAX), (row) => fits(row) || isSum(row, inside));
  return [...above, ...inside, ...below];
};

/** A table with more bands than this has a rule for each row, if at least this share of them holds no more. */
const BANDS_FEW = 3;
const EACH = 0.75;

/** In units of the letter size: difference of the left edges of sums, whose numbers are of different length. */
const SUM_SLACK = 3;

/** @returns whether the row is a single text in the place of that of another row, such as a sum below each group */
const isSum = (row: Line, inside: readonly Line[]): boolean => {
  const isSingle = (line: Line) => piecesOf(line, line.size).length === 1;
  return (
    isSingle(row) &&
    inside.some(
      (other) =>
        isSingle(other) &&
        Math.abs(other.right - row.right) < 1 &&
        Math.abs(other.left - row.left) < SUM_SLACK * row.size,
    )
  );
};

const bandedGrid = (ruling: Ruling, ys: readonly Edges[], xs: readonly number[], rows: readonly TextRow[]): Grid => {
  const lines = rows.map(({ line }) => line);
  const places = [
    ...ys,
    ...[Math.min(ruling.top, lines[0]?.top ?? 0), Math.max(ruling.bottom, lines.at(-1)?.bottom ?? 0)]
      .filter((at) => ys.every((edge) => Math.abs(edge.at - at) > SNAP))
      .map((at) => ({ at, parts: [] as readonly Edge[] })),
  ].toSorted((one, other) => one.at - other.at);
  const bands = places
    .slice(1)
    .map(({ at }, index) =>
      rows.filter(({ line }) =>
        isBetween(line.baseline - 0.3 * line.size, { ...ruling, top: places[index]?.at ?? 0, bottom: at }),
      ),
    );
  const isOne = (band: readonly TextRow[]) => band.filter((row) => filledIn(row) > 1).length < 2;
  const isEach = bands.length > BANDS_FEW && bands.filter(isOne).length > EACH * bands.length;
  const cuts = bands
    .filter((band) => !(isEach && isOne(band)))
    .flatMap((band) => boundaries(recordsOf(band)))
    .map((at) => ({ at, parts: [] as readonly Edge[] }));
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
