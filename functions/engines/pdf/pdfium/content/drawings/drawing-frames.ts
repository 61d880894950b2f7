import type { Box } from "../../page/geometry.ts";
import { contains, sizeOf, touches, united } from "../boxes.ts";
import type { Rule, Word } from "../content.ts";

/** Minimum share of a frame that its drawing covers; the rest are labels. Cells of tables touch others. */
const FRAMED_SHARE_MIN = 0.35;
const FRAME_MIN = 6_000;
const FRAMES_MAX = 200;
/** Points within which the ends of lines meet. */
const NEAR = 2;
/** Points between frames next to each other, whose lines may be one. Cells of a table have no space between them. */
const NEXT_MAX = 5;
/** Separate drawings, such as arrows, from which on the boxes with them are parts of one diagram. */
const ARROWS_MIN = 3;
/** Words of a diagram, at most, and the share of it that they cover. */
const LABELS_MAX = 100;
const LABELS_SHARE_MAX = 0.15;
/** Share of a frame from which on an area in it is its background. */
const GROUND_SHARE = 0.8;
/** Share of the page from which on a frame is that of the page. */
const PAGE_SHARE = 0.5;

/** The frames of a page, drawn as boxes or as single lines. */
export interface Framing {
  readonly frames: readonly Box[];
  readonly fills: readonly Box[];
  readonly rules: readonly Rule[];
  readonly words: readonly Word[];
  readonly pageSize: number;
}

/** @returns the drawings, with a frame instead of those in it and their labels */
export const withFrames = (drawings: readonly Box[], { frames, fills, rules, words, pageSize }: Framing): Box[] => {
  const large = [...frames.filter((frame) => sizeOf(frame) >= FRAME_MIN).slice(0, FRAMES_MAX), ...closedFrames(rules)];
  const alone = large.filter(
    (frame) => !large.some((other) => other !== frame && !contains(frame, other) && touches(frame, other, 1)),
  );
  const isLabeled = (frame: Box): boolean => {
    const inside = words.filter((word) => contains(frame, word));
    const covered = inside.reduce((sum, word) => sum + sizeOf(word), 0);
    return inside.length <= LABELS_MAX && covered <= LABELS_SHARE_MAX * sizeOf(frame);
  };
  const diagrams = alone.filter((frame) => {
    const own = drawings.filter((drawing) => contains(frame, drawing));
    const boxes = [...frames, ...fills].filter(
      (box) =>
        contains(frame, box) &&
        sizeOf(box) < GROUND_SHARE * sizeOf(frame) &&
        (own.length >= ARROWS_MIN || own.some((drawing) => touches(box, drawing, 0))),
    );
    const [first, ...parts] = own.length === 0 ? [] : [...own, ...boxes];
    const whole = first === undefined ? 0 : sizeOf(parts.reduce(united, first));
    return whole >= FRAMED_SHARE_MIN * sizeOf(frame) && sizeOf(frame) < PAGE_SHARE * pageSize && isLabeled(frame);
  });
  const frameOf = (drawing: Box): Box =>
    diagrams.find((frame) => contains(frame, drawing)) ??
    alone.find((frame) => contains(frame, drawing) && sizeOf(drawing) >= FRAMED_SHARE_MIN * sizeOf(frame)) ??
    drawing;
  return [...new Set(drawings.map(frameOf))];
};

/** @returns the boxes between neighboring uprights of equal height that lines close, and none divides or leaves */
const closedFrames = (rules: readonly Rule[]): Box[] => {
  const isNear = (one: number, other: number): boolean => Math.abs(one - other) < NEAR;
  const uprights = rules.filter(({ across }) => !across).toSorted((one, other) => one.at - other.at);
  const across = rules.filter((rule) => rule.across);
  return uprights.slice(0, FRAMES_MAX).flatMap(({ at: left, from: top, to: bottom }, index) => {
    const next = uprights
      .slice(index + 1, FRAMES_MAX)
      .find(({ at, from, to }) => at > left + 1 && isNear(from, top) && isNear(to, bottom));
    const right = next?.at ?? left;
    const whole = across.filter(({ from, to }) => from < left + NEAR && to > right - NEAR);
    const isFrameNext = (from: number, to: number): boolean => uprights.some(({ at }) => at > from && at < to);
    const isClosed =
      whole.some(({ at }) => isNear(at, top)) &&
      whole.some(({ at }) => isNear(at, bottom)) &&
      whole.every(
        ({ at, from, to }) =>
          (at < top + NEAR || at > bottom - NEAR) &&
          (from > left - NEAR || isFrameNext(left - NEXT_MAX, left - 1)) &&
          (to < right + NEAR || isFrameNext(right + 1, right + NEXT_MAX)),
      );
    const box = { left, top, right, bottom };
    return isClosed && sizeOf(box) >= FRAME_MIN ? [box] : [];
  });
};
