import type { Box } from "../../page/geometry.ts";
import { contains, united } from "../boxes.ts";
import type { Fill, Word } from "../content.ts";

/** Bars of a chart: at least this many, this share of them of different lengths. */
const BARS_MIN = 3;
const DIFFERENT_MIN = 0.5;
const FILLS_MAX = 1_000;

/** @returns the areas of bar charts: equally thick fills that begin on one line and end at different places */
export const barsOf = (fills: readonly Fill[], words: readonly Word[]): Box[] => {
  const known = fills.slice(0, FILLS_MAX);
  const upright = grouped(known, ({ left, right, bottom }) => [bottom, right - left]);
  const level = grouped(known, ({ left, top, bottom }) => [left, bottom - top]);
  // Fields of forms begin below each other, too, but rarely four at equal distances with different lengths.
  const charts = [
    ...upright.filter((bars) => areDifferent(bars.map(({ top }) => top))),
    ...level.filter((bars) => bars.length > BARS_MIN && areDifferent(bars.map(({ right }) => right)) && areEven(bars)),
  ];
  return charts
    .filter((bars) => bars.every((bar) => words.filter((word) => contains(bar, word)).length <= 1))
    .map((bars) => bars.reduce<Box>(united, bars[0] as Box));
};

/** Points by which starts and thicknesses of bars differ. */
const SLACK = 1;

/** @returns the fills with about the same start and thickness */
const grouped = (fills: readonly Fill[], key: (fill: Fill) => readonly [number, number]): Fill[][] =>
  runsOf(fills, (fill) => key(fill)[0])
    .flatMap((group) => runsOf(group, (fill) => key(fill)[1]))
    .filter(({ length }) => length >= BARS_MIN);

/** @returns the fills in groups whose sorted values are close to each other */
const runsOf = (fills: readonly Fill[], value: (fill: Fill) => number): Fill[][] => {
  const groups: Fill[][] = [];
  for (const fill of fills.toSorted((one, other) => value(one) - value(other))) {
    const last = groups.at(-1)?.at(-1);
    if (last === undefined || value(fill) - value(last) > SLACK) {
      groups.push([fill]);
    } else {
      groups.at(-1)?.push(fill);
    }
  }
  return groups;
};

const areDifferent = (ends: readonly number[]): boolean =>
  new Set(ends.map((end) => Math.round(end / 2))).size > DIFFERENT_MIN * ends.length;

/** Bars of a chart with several bars in each group, at least, and the share of their distances that are the usual ones. */
const GROUPED_MIN = 6;
const USUAL_MIN = 0.85;

/** @returns whether the bars are at equal distances, also in groups of bars that touch; a bar may be too small to see */
const areEven = (bars: readonly Fill[]): boolean => {
  const sorted = bars.toSorted((one, other) => one.top - other.top);
  const steps = sorted.slice(1).map(({ top }, index) => top - (sorted[index]?.top ?? top));
  const [least, most] = [Math.min(...steps), Math.max(...steps)];
  const thickness = (bars[0]?.bottom ?? 0) - (bars[0]?.top ?? 0);
  const usual = [...Map.groupBy(steps, Math.round).values()].map(({ length }) => length).toSorted((a, b) => b - a);
  const areGroups =
    bars.length >= GROUPED_MIN &&
    least < 1.3 * thickness &&
    (usual[0] ?? 0) + (usual[1] ?? 0) >= USUAL_MIN * steps.length;
  return least > 1 && (most - least < 2 || areGroups);
};
