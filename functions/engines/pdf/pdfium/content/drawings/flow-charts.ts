import { around, type Box } from "../../page/geometry.ts";
import { boxOfRule, contains, sizeOf, touches } from "../boxes.ts";
import type { Rule, Word } from "../content.ts";

/** Maximum side of the head of an arrow, in points. */
const HEAD_MAX = 12;
/** Points between an arrow and a box, and between the head of an arrow and its line. */
const REACH = 4;
/** Minimum area of a box with text, in square points. */
const BOX_MIN = 200;
/** Boxes and arrows of a flow chart, at least, and boxes if lines connect them. */
const BOXES_MIN = 3;
const HEADS_MIN = 2;
const LINED_MIN = 4;
/** Maximum boxes, heads and lines that are compared; a page with more has another kind of drawing. */
const PARTS_MAX = 300;
/** Maximum share of a flow chart that words outside of its boxes cover. */
const OUTSIDE_MAX = 0.1;

interface Parts {
  readonly pieces: readonly Box[];
  readonly frames: readonly Box[];
  readonly rules: readonly Rule[];
  readonly words: readonly Word[];
}

/** @returns the areas of flow charts: boxes with text that arrows or lines connect */
export const flowCharts = ({ pieces, frames, rules, words }: Parts): Box[] => {
  const heads = pieces.filter(({ left, top, right, bottom }) => Math.max(right - left, bottom - top) <= HEAD_MAX);
  // A box with signs in it is a part of the page's design.
  const boxes = frames.filter(
    (frame) =>
      sizeOf(frame) >= BOX_MIN &&
      words.some((word) => contains(frame, word)) &&
      !pieces.some((piece) => contains(frame, piece)),
  );
  if (boxes.length < BOXES_MIN || Math.max(boxes.length, heads.length) > PARTS_MAX) {
    return [];
  }
  const lines = rules.map(boxOfRule).filter((line) => !boxes.some((box) => contains(box, line)));
  if (lines.length > PARTS_MAX) {
    return [];
  }
  return connected([...boxes, ...heads, ...lines]).flatMap((parts) => {
    const own = parts.filter((part) => boxes.includes(part));
    const area = around(parts);
    const outside = words.filter((word) => contains(area, word) && !own.some((box) => contains(box, word)));
    const covered = outside.reduce((sum, word) => sum + sizeOf(word), 0);
    const arrows = parts.filter((part) => heads.includes(part)).length;
    const isLined =
      own.length >= LINED_MIN &&
      parts.length - own.length - arrows >= own.length - 1 &&
      own.every((box) => own.every((other) => other === box || !touches(box, other, REACH)));
    const isChart = (own.length >= BOXES_MIN && arrows >= HEADS_MIN) || isLined;
    return isChart && covered <= OUTSIDE_MAX * sizeOf(area) ? [area] : [];
  });
};

/** @returns the groups of parts that reach each other */
const connected = (parts: readonly Box[]): Box[][] => {
  const left = new Set(parts);
  const groups: Box[][] = [];
  for (const first of parts) {
    if (!left.delete(first)) {
      continue;
    }
    const group = [first];
    // Grows while it is read.
    for (const part of group) {
      for (const other of left) {
        if (touches(part, other, REACH)) {
          left.delete(other);
          group.push(other);
        }
      }
    }
    groups.push(group);
  }
  return groups;
};
