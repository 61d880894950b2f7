import type { Box } from "../page/geometry.ts";
import type { Fill, Rule, Word } from "./content.ts";
import type { Shapes } from "./shapes.ts";
import { common, isEmpty, sizeOf, united } from "./subpaths.ts";

/** Pieces of a drawing are at most this far apart, in points. */
const APART_MAX = 6;
const SIDE_MIN = 10;
/** Minimum share of a drawing that its curves cover, with the straight lines and areas that touch them. */
const CURVED_SHARE_MIN = 0.3;
/** Text covering more than this share of a shape is set on it, and does not label it. */
const TEXT_SHARE_MAX = 0.3;
/** Minimum share of a frame that its drawing covers; the rest are labels. Cells of tables touch others. */
const FRAMED_SHARE_MIN = 0.35;
const FRAME_MIN = 6_000;
const FRAMES_MAX = 200;
const ROUNDS_MAX = 4;
const DRAWINGS_MAX = 500;

/** A page's drawings, and the rules and fills that do not belong to them. */
export interface Drawn {
  readonly drawings: readonly Box[];
  readonly rules: readonly Rule[];
  readonly fills: readonly Fill[];
}

/** Finds the drawings of a page: diagrams, charts, logos. @param words text that is upright */
export const drawingsOf = ({ rules, fills, pieces, frames }: Shapes, words: readonly Word[]): Drawn => {
  const clusters = clustered(pieces).filter((box) => Math.max(box.right - box.left, box.bottom - box.top) >= SIDE_MIN);
  const lines = rules.map(boxOfRule);
  const large = frames.filter((frame) => sizeOf(frame) >= FRAME_MIN).slice(0, FRAMES_MAX);
  const others = [...lines, ...fills];
  const grow = (boxes: readonly Box[]): Box[] => clustered(boxes.map((box) => withTouching(box, others)));
  // What is too large for an arrow belongs to the diagram that the arrows make up.
  const grown = grow(grow(clusters))
    .map((drawing) => withFrame(drawing, large))
    .filter((box) => Math.min(box.right - box.left, box.bottom - box.top) >= SIDE_MIN && !isUnderText(box, words))
    .slice(0, DRAWINGS_MAX);
  const outside = (box: Box): boolean => !grown.some((drawing) => contains(drawing, box));
  return {
    drawings: grown,
    rules: rules.filter((_, index) => outside(lines[index] as Box)),
    fills: fills.filter(outside),
  };
};

const boxOfRule = ({ across, at, from, to }: Rule): Box =>
  across ? { left: from, right: to, top: at, bottom: at } : { left: at, right: at, top: from, bottom: to };

const larger = ({ left, top, right, bottom }: Box, by: number): Box => ({
  ...{ left: left - by, top: top - by, right: right + by, bottom: bottom + by },
});

const touches = (one: Box, other: Box, distance: number): boolean => !isEmpty(common(larger(one, distance), other));

const contains = (outer: Box, inner: Box): boolean =>
  inner.left >= outer.left - 1 &&
  inner.right <= outer.right + 1 &&
  inner.top >= outer.top - 1 &&
  inner.bottom <= outer.bottom + 1;

/** @returns the boxes around groups of boxes that are near each other */
const clustered = (boxes: readonly Box[]): Box[] => {
  let clusters: Box[] = [...boxes];
  // Joining two boxes may bring a third one near, so it is repeated; drawings need two or three rounds.
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    const next = joinedOnce(clusters);
    if (next.length === clusters.length) {
      break;
    }
    clusters = next;
  }
  return clusters;
};

/** Clusters compared with each box: those above are finished. */
const OPEN_MAX = 200;

const joinedOnce = (boxes: readonly Box[]): Box[] => {
  const done: Box[] = [];
  let open: Box[] = [];
  for (const box of boxes.toSorted((one, other) => one.top - other.top)) {
    const near = open.filter((cluster) => touches(cluster, box, APART_MAX));
    const apart = open.filter((cluster) => !near.includes(cluster));
    const kept = apart.filter(({ bottom }) => bottom + APART_MAX >= box.top).slice(-OPEN_MAX);
    done.push(...apart.filter((cluster) => !kept.includes(cluster)));
    open = [...kept, near.reduce(united, box)];
  }
  return [...done, ...open];
};

/** @returns the cluster with its axes, frames and bars, unless it is a small sign in a table or box */
const withTouching = (cluster: Box, others: readonly Box[]): Box => {
  const limit = sizeOf(cluster) / CURVED_SHARE_MIN;
  return others
    .filter((box) => touches(cluster, box, APART_MAX))
    .reduce((all, box) => (sizeOf(united(all, box)) <= limit ? united(all, box) : all), cluster);
};

/** @returns the frame around a drawing and its labels, or the drawing if it has none */
const withFrame = (drawing: Box, frames: readonly Box[]): Box =>
  frames.find(
    (frame) =>
      contains(frame, drawing) &&
      sizeOf(drawing) >= FRAMED_SHARE_MIN * sizeOf(frame) &&
      !frames.some((other) => other !== frame && !contains(frame, other) && touches(frame, other, 1)),
  ) ?? drawing;

const isUnderText = (box: Box, words: readonly Word[]): boolean => {
  const covered = words.reduce((sum, word) => sum + sizeOf(common(word, box)), 0);
  return covered > TEXT_SHARE_MAX * sizeOf(box);
};
