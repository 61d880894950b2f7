import type { PDFPage } from "@cantoo/pdf-lib";
import type { Matrix } from "../pdfium/page/objects.ts";

/** The visible area of a page as a viewer shows it, upright. */
export interface Frame {
  /** In points, after rotation. */
  readonly width: number;
  readonly height: number;
  /** Maps points from the lower left vertex of what is shown to the coordinates of the page. */
  readonly matrix: Matrix;
  /** The reverse. */
  readonly inverse: Matrix;
  /** The visible area in the coordinates of the page. */
  readonly box: { readonly left: number; readonly bottom: number; readonly right: number; readonly top: number };
}

/** @returns the frame of a page: its crop box, within its media box (ISO 32000-2, 14.11.2) */
export const frameOf = (page: PDFPage): Frame => {
  const [media, crop] = [page.getMediaBox(), page.getCropBox()];
  const [left, bottom] = [Math.max(media.x, crop.x), Math.max(media.y, crop.y)];
  const right = Math.max(left, Math.min(media.x + media.width, crop.x + crop.width));
  const top = Math.max(bottom, Math.min(media.y + media.height, crop.y + crop.height));
  const [across, up] = [right - left, top - bottom];
  const angle = ((page.getRotation().angle % 360) + 360) % 360;
  const isTurned = angle % 180 === 90;
  const frames: Readonly<Record<number, readonly [Matrix, Matrix]>> = {
    90: [
      [0, 1, -1, 0, right, bottom],
      [0, -1, 1, 0, -bottom, right],
    ],
    180: [
      [-1, 0, 0, -1, right, top],
      [-1, 0, 0, -1, right, top],
    ],
    270: [
      [0, -1, 1, 0, left, top],
      [0, 1, -1, 0, top, -left],
    ],
  };
  const [matrix, inverse] = frames[angle] ?? [
    [1, 0, 0, 1, left, bottom],
    [1, 0, 0, 1, -left, -bottom],
  ];
  return {
    ...{ width: isTurned ? up : across, height: isTurned ? across : up },
    ...{ matrix, inverse, box: { left, bottom, right, top } },
  };
};
