import type { Box } from "../page/geometry.ts";
import type { Rule } from "./content.ts";

/** @returns the area that two boxes share; its sides may be negative */
export const common = (one: Box, other: Box): Box => ({
  left: Math.max(one.left, other.left),
  top: Math.max(one.top, other.top),
  right: Math.min(one.right, other.right),
  bottom: Math.min(one.bottom, other.bottom),
});

/** @returns the smallest box around two boxes */
export const united = (one: Box, other: Box): Box => ({
  left: Math.min(one.left, other.left),
  top: Math.min(one.top, other.top),
  right: Math.max(one.right, other.right),
  bottom: Math.max(one.bottom, other.bottom),
});

export const isEmpty = ({ left, top, right, bottom }: Box): boolean => right < left || bottom < top;
export const sizeOf = ({ left, top, right, bottom }: Box): number =>
  Math.max(0, right - left) * Math.max(0, bottom - top);

/** @returns the box with all edges moved outward */
export const larger = ({ left, top, right, bottom }: Box, by: number): Box => ({
  ...{ left: left - by, top: top - by, right: right + by, bottom: bottom + by },
});

/** @returns whether two boxes are at most this far apart */
export const touches = (one: Box, other: Box, distance: number): boolean =>
  !isEmpty(common(larger(one, distance), other));

/** @returns whether a box is within another one, up to a point */
export const contains = (outer: Box, inner: Box): boolean =>
  inner.left >= outer.left - 1 &&
  inner.right <= outer.right + 1 &&
  inner.top >= outer.top - 1 &&
  inner.bottom <= outer.bottom + 1;

/** @returns the box of a rule, without a width */
export const boxOfRule = ({ across, at, from, to }: Rule): Box =>
  across ? { left: from, right: to, top: at, bottom: at } : { left: at, right: at, top: from, bottom: to };

const ROUNDS_MAX = 4;

/** @returns the boxes around groups of boxes that are at most this far apart */
export const clustered = (boxes: readonly Box[], distance: number): Box[] => {
  let clusters: Box[] = [...boxes];
  // Joining two boxes may bring a third one near, so it is repeated; drawings need two or three rounds.
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    const next = joinedOnce(clusters, distance);
    if (next.length === clusters.length) {
      break;
    }
    clusters = next;
  }
  return clusters;
};

/** Clusters compared with each box: those above are finished. */
const OPEN_MAX = 200;

const joinedOnce = (boxes: readonly Box[], distance: number): Box[] => {
  const done: Box[] = [];
  let open: Box[] = [];
  for (const box of boxes.toSorted((one, other) => one.top - other.top)) {
    const near = open.filter((cluster) => touches(cluster, box, distance));
    const apart = open.filter((cluster) => !near.includes(cluster));
    const kept = apart.filter(({ bottom }) => bottom + distance >= box.top).slice(-OPEN_MAX);
    done.push(...apart.filter((cluster) => !kept.includes(cluster)));
    open = [...kept, near.reduce(united, box)];
  }
  return [...done, ...open];
};
