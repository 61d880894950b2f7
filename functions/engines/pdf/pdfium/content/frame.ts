import type { PdfPage } from "../page/document.ts";
import type { Box, Placing } from "../page/geometry.ts";
import type { Matrix } from "../page/objects.ts";

/** Clockwise quarter turns of text as displayed: 0 is upright, 1 reads downward, 3 upward. */
export type Quarters = 0 | 1 | 2 | 3;

/** The page turned so that text in one direction reads from left to right. */
export interface Frame {
  readonly quarters: Quarters;
  /** @returns the box as seen in the frame */
  enter(box: Box): Box;
  /** @returns the box as displayed */
  leave(box: Box): Box;
}

/** @returns the frames of a page, by quarter turns */
export const framesOf = ({ width, height }: Pick<PdfPage, "width" | "height">): readonly Frame[] =>
  QUARTERS.map((quarters) => ({
    quarters,
    enter: (box) => turnedBack(box, quarters, [width, height]),
    leave: (box) => turnedBack(box, (4 - quarters) % 4, quarters % 2 === 0 ? [width, height] : [height, width]),
  }));

const QUARTERS: readonly Quarters[] = [0, 1, 2, 3];

/** @returns the box after turning the page counterclockwise */
const turnedBack = (box: Box, quarters: number, [width, height]: readonly [number, number]): Box => {
  if (quarters === 0) {
    return box;
  }
  const { left, top, right, bottom } = box;
  const turned = { left: top, right: bottom, top: width - right, bottom: width - left };
  return turnedBack(turned, quarters - 1, [height, width]);
};

/** Maximum lean of text in a line, in radians: 6°. */
const LEANING_MAX = 0.1;

/** @returns the direction of text with the given transformation, and whether it leans from it */
export const directionOf = ([a, b]: Matrix, placing: Placing): { quarters: Quarters; leaning: boolean } => {
  const [[fromX, fromY], [toX, toY]] = [placing.point(0, 0), placing.point(a, b)];
  const turns = (Math.atan2(toY - fromY, toX - fromX) * 2) / Math.PI;
  const nearest = Math.round(turns);
  const lean = turns - nearest;
  const leaning = Math.abs(lean) * (Math.PI / 2) > LEANING_MAX;
  // Text that leans is not upright, however little.
  const turned = leaning && nearest === 0 ? nearest + Math.sign(lean) : nearest;
  return { quarters: QUARTERS[(turned + 4) % 4] ?? 0, leaning };
};
