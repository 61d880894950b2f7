import type { PdfPage } from "./document.ts";
import type { Box, Placing } from "./geometry.ts";
import { IMAGE, type Matrix, matrixOf, multiplied, type PageObject } from "./objects.ts";

/** A picture on a page: its area and its object. */
export interface PictureArea extends Box {
  /** Indexes into the page's objects and into the objects of the enclosing forms. */
  readonly path: readonly number[];
}

/** Minimum size in points: anything smaller is a line or a dot that a program drew as a picture. */
const SIDE_POINTS_MIN = 8;
const PICTURES_MAX = 500;

/** @returns the pictures among the objects of a page */
export const pictureAreas = (page: PdfPage, objects: readonly PageObject[], placing: Placing): PictureArea[] =>
  objects
    .filter(({ type }) => type === IMAGE)
    .slice(0, PICTURES_MAX)
    .map(({ handle, path, outer }) => ({ ...placed(matrixOf(page.document.pdfium, handle), outer, placing), path }))
    .filter((area) => Math.min(area.right - area.left, area.bottom - area.top) >= SIDE_POINTS_MIN && isOn(page, area));

const isOn = ({ width, height }: PdfPage, { left, top, right, bottom }: Box): boolean =>
  left < width && top < height && right > 0 && bottom > 0;

/** @returns the area onto which the picture's unit square is mapped */
const placed = (own: Matrix, outer: Matrix, placing: Placing): Box => {
  const [a, b, c, d, e, f] = multiplied(own, outer);
  const [xs, ys] = [
    [e, e + a, e + c, e + a + c],
    [f, f + b, f + d, f + b + d],
  ];
  return placing.box(Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys));
};
