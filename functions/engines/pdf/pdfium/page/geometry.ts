import type { PdfPage } from "./document.ts";
import { withMemory } from "./module.ts";

/** A rectangle on the page as displayed: points from the upper left corner, y downward. */
export interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** Converts coordinates of the page's own space (y upward, not rotated) to ours. */
export interface Placing {
  point(x: number, y: number): readonly [number, number];
  /** @returns the box around two opposite points */
  box(x1: number, y1: number, x2: number, y2: number): Box;
  /** Quarter turns clockwise applied when the page is displayed. */
  readonly quarters: number;
}

/** @returns the conversion from page coordinates to ours */
export const placingOf = ({ document: { pdfium }, handle }: PdfPage): Placing => {
  const quarters = pdfium.call.FPDFPage_GetRotation(handle);
  const [left, top, right, bottom] = withMemory(pdfium, 16, (place) => {
    pdfium.call.FPDF_GetPageBoundingBox(handle, place);
    return floats(pdfium.view(), place);
  });
  const upright: Placing["point"] = (x, y) => [x - left, top - y];
  const turns: readonly Placing["point"][] = [
    upright,
    (x, y) => [y - bottom, x - left],
    (x, y) => [right - x, y - bottom],
    (x, y) => [top - y, right - x],
  ];
  const point = turns[quarters] ?? upright;
  // Nearly all pages are not rotated and every letter has a box, so this path allocates no arrays.
  const plain: Placing["box"] = (x1, y1, x2, y2) => ({
    left: Math.min(x1, x2) - left,
    top: top - Math.max(y1, y2),
    right: Math.max(x1, x2) - left,
    bottom: top - Math.min(y1, y2),
  });
  const turned: Placing["box"] = (x1, y1, x2, y2) => {
    const [[ax, ay], [bx, by]] = [point(x1, y1), point(x2, y2)];
    return { left: Math.min(ax, bx), top: Math.min(ay, by), right: Math.max(ax, bx), bottom: Math.max(ay, by) };
  };
  const box = quarters === 0 ? plain : turned;
  return { point, box, quarters };
};

/** @returns the four numbers of a rectangle (FS_RECTF) or a similar structure */
export const floats = (view: DataView, place: number): readonly [number, number, number, number] => [
  view.getFloat32(place, true),
  view.getFloat32(place + 4, true),
  view.getFloat32(place + 8, true),
  view.getFloat32(place + 12, true),
];

/** @returns the bounding box; expects at least one box */
export const around = (boxes: readonly Box[]): Box => {
  const all = { left: Number.POSITIVE_INFINITY, top: Number.POSITIVE_INFINITY, right: 0, bottom: 0 };
  for (const { left, top, right, bottom } of boxes) {
    all.left = Math.min(all.left, left);
    all.top = Math.min(all.top, top);
    all.right = Math.max(all.right, right);
    all.bottom = Math.max(all.bottom, bottom);
  }
  return all;
};

/** @returns the area in square points */
export const areaOf = ({ left, top, right, bottom }: Box): number => (right - left) * (bottom - top);

/** @returns the median; 0 for an empty list */
export const median = (values: readonly number[]): number =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;
