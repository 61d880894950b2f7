import type { Frame } from "./frame.ts";

/** Share of the shorter side of a page that things at its edge keep free. */
const EDGE_SHARE = 0.04;

/** @returns the distance of things from the edge of a page, in points */
const edgeOf = ({ width, height }: Pick<Frame, "height" | "width">): number => EDGE_SHARE * Math.min(width, height);

/**
 * @param position `top_left`, `bottom`, `center` …
 * @param size of the thing, in points
 * @returns its center on the page, in points from the lower left vertex
 */
export const centerAt = (
  page: Pick<Frame, "height" | "width">,
  position: string,
  [width, height]: readonly [number, number],
): readonly [number, number] => {
  const edge = edgeOf(page);
  const side = (name: string): boolean => position.split("_").includes(name);
  const x = side("left") ? edge + width / 2 : side("right") ? page.width - edge - width / 2 : page.width / 2;
  const y = side("bottom") ? edge + height / 2 : side("top") ? page.height - edge - height / 2 : page.height / 2;
  return [x, y];
};
