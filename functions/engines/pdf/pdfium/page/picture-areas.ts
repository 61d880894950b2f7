import type { PdfPage } from "./document.ts";
import type { Box, Placing } from "./geometry.ts";
import { IMAGE, matrixOf, type PageObject, placed } from "./objects.ts";

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
