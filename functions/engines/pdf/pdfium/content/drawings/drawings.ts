import type { PdfPage } from "../../page/document.ts";
import type { Box } from "../../page/geometry.ts";
import { boxOfRule, clustered, contains, sizeOf, touches, united } from "../boxes.ts";
import type { Fill, Rule, Word } from "../content.ts";
import type { Shapes } from "../shapes.ts";
import { barsOf } from "./bars.ts";
import { withFrames } from "./drawing-frames.ts";
import { flowCharts } from "./flow-charts.ts";

/** Pieces of a drawing are at most this far apart, in points. */
const APART_MAX = 6;
const SIDE_MIN = 10;
/** Minimum share of a drawing that its curves cover, with the straight lines and areas that touch them. */
const CURVED_SHARE_MIN = 0.3;
/** Text covering more than this share of a shape is set on it, and does not label it. */
const TEXT_SHARE_MAX = 0.3;
const PROSE_SHARE_MAX = 0.15;
/** Words of a diagram; more are taken for prose. */
const LABELS_MAX = 100;
/** A shape that covers this share of the page under more than a few words is its background. */
const GROUND_SHARE = 0.5;
const GROUND_WORDS_MAX = 10;
const DRAWINGS_MAX = 500;

/** A page's drawings, and the rules and fills that do not belong to them. */
export interface Drawn {
  readonly drawings: readonly Box[];
  readonly rules: readonly Rule[];
  readonly fills: readonly Fill[];
}

/** The page of the shapes, and its upright text. */
export interface Surroundings {
  readonly page: PdfPage;
  readonly words: readonly Word[];
}

/** Finds the drawings of a page: diagrams, charts, logos. */
export const drawingsOf = ({ rules, fills, pieces, shadings, frames }: Shapes, around: Surroundings): Drawn => {
  // Text on a gradient stays text.
  const gradients = shadings.filter((box) => !around.words.some((word) => touches(box, word, 0)));
  const charts = flowCharts({ pieces, frames, rules, words: around.words });
  const clusters = clustered([...pieces, ...gradients, ...barsOf(fills, around.words), ...charts], APART_MAX)
    .filter((box) => Math.max(box.right - box.left, box.bottom - box.top) >= SIDE_MIN)
    .slice(0, DRAWINGS_MAX);
  const lines = rules.map(boxOfRule);
  const others = [...lines, ...fills];
  const grow = (boxes: readonly Box[]): Box[] =>
    clustered(
      boxes.map((box) => withTouching(box, others)),
      APART_MAX,
    );
  // What is too large for an arrow belongs to the diagram that the arrows make up.
  const pageSize = around.page.width * around.page.height;
  const grown = withFrames(grow(grow(clusters)), { frames, fills, rules, words: around.words, pageSize }).filter(
    (box) => Math.min(box.right - box.left, box.bottom - box.top) >= SIDE_MIN && !isUnderText(box, around),
  );
  const outside = (box: Box): boolean => !grown.some((drawing) => contains(drawing, box));
  return {
    drawings: grown,
    rules: rules.filter((_, index) => outside(lines[index] as Box)),
    fills: fills.filter(outside),
  };
};

/** @returns the cluster with its axes, frames and bars, unless it is a small sign in a table or box */
const withTouching = (cluster: Box, others: readonly Box[]): Box => {
  const limit = sizeOf(cluster) / CURVED_SHARE_MIN;
  return others
    .filter((box) => touches(cluster, box, APART_MAX))
    .reduce((all, box) => (sizeOf(united(all, box)) <= limit ? united(all, box) : all), cluster);
};

const isUnderText = (box: Box, { words, page }: Surroundings): boolean => {
  const inside = words.filter((word) => contains(box, word));
  const covered = inside.reduce((sum, word) => sum + sizeOf(word), 0);
  const ground = inside.length > GROUND_WORDS_MAX && sizeOf(box) > GROUND_SHARE * page.width * page.height;
  return ground || covered > (inside.length > LABELS_MAX ? PROSE_SHARE_MAX : TEXT_SHARE_MAX) * sizeOf(box);
};
