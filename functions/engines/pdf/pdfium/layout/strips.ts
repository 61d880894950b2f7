import type { Box } from "../page/geometry.ts";

/** A horizontal extent. */
export interface Extent {
  readonly left: number;
  readonly right: number;
}

/** A vertical strip without text over consecutive rows. */
export interface Strip extends Extent {
  /** Indexes of its first and last row. */
  readonly from: number;
  readonly to: number;
}

/** Strips followed at the same time: text has fewer; a page of hostile content has more. */
const ACTIVE_MAX = 200;

/**
 * Finds the maximal white strips: intersects the gaps of each row with the strips above it.
 *
 * @param rows the filled extents of each row, from the top, sorted and without overlaps
 * @param width minimum width of a strip in points
 * @param count minimum number of rows
 */
export const stripsOf = (rows: readonly (readonly Extent[])[], width: number, count: number): Strip[] => {
  const found: Strip[] = [];
  let active: Strip[] = [];
  for (const [index, row] of rows.entries()) {
    const gaps = gapsOf(row, width);
    const next = new Map<number, Strip>();
    for (const strip of [...active, ...gaps.map((gap) => ({ ...gap, from: index, to: index }))]) {
      const parts = within(strip, gaps, width);
      for (const part of parts) {
        // Strips of equal extent: the one that starts above is the longer one.
        const key = quarters(part.left) * FARTHEST * 8 + quarters(part.right);
        const known = next.get(key);
        if (known === undefined || known.from > strip.from) {
          next.set(key, { ...part, from: strip.from, to: index });
        }
      }
      if (!parts.some(({ left, right }) => left <= strip.left + 0.2 && right >= strip.right - 0.2)) {
        found.push(strip);
      }
    }
    active = [...next.values()].toSorted((one, other) => one.from - other.from).slice(0, ACTIVE_MAX);
  }
  return [...found, ...active].filter(
    ({ from, to, left, right }) => to - from + 1 >= count && Number.isFinite(left) && Number.isFinite(right),
  );
};

/** Points from the origin: no page is larger, and white space at its edges has no end. */
const FARTHEST = 100_000;

const quarters = (x: number): number => Math.round(Math.max(-FARTHEST, Math.min(FARTHEST, x)) * 4);

const gapsOf = (row: readonly Extent[], width: number): Extent[] => {
  const gaps: Extent[] = [];
  let left = Number.NEGATIVE_INFINITY;
  for (const extent of [...row, { left: Number.POSITIVE_INFINITY, right: 0 }]) {
    if (extent.left - left >= width) {
      gaps.push({ left, right: extent.left });
    }
    left = Math.max(left, extent.right);
  }
  return gaps;
};

/** @returns the parts of an extent that lie within gaps; both are sorted */
const within = ({ left, right }: Extent, gaps: readonly Extent[], width: number): Extent[] => {
  const parts: Extent[] = [];
  for (let at = firstAfter(gaps, left); at < gaps.length; at += 1) {
    const gap = gaps[at];
    if (gap === undefined || gap.left >= right) {
      break;
    }
    const part = { left: Math.max(left, gap.left), right: Math.min(right, gap.right) };
    if (part.right - part.left >= width) {
      parts.push(part);
    }
  }
  return parts;
};

/** @returns the index of the first gap that ends right of `x` */
const firstAfter = (gaps: readonly Extent[], x: number): number => {
  let [low, high] = [0, gaps.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    [low, high] = (gaps[middle]?.right ?? 0) <= x ? [middle + 1, high] : [low, middle];
  }
  return low;
};

/** @returns the extents sorted, those closer than `gap` points joined */
export const joinExtents = (extents: readonly Extent[], gap: number): Extent[] => {
  const joined: Extent[] = [];
  for (const { left, right } of extents.toSorted((one, other) => one.left - other.left)) {
    const last = joined.at(-1);
    if (last !== undefined && left - last.right < gap) {
      joined[joined.length - 1] = { left: last.left, right: Math.max(last.right, right) };
    } else {
      joined.push({ left, right });
    }
  }
  return joined;
};

/** @returns whether the middle of a box lies within another */
export const isInside = (box: Box, { left, top, right, bottom }: Box, slack = 0): boolean => {
  const [x, y] = [(box.left + box.right) / 2, (box.top + box.bottom) / 2];
  return x >= left - slack && x <= right + slack && y >= top - slack && y <= bottom + slack;
};
