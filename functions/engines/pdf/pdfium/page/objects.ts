import type { PdfPage } from "./document.ts";
import { type Box, floats, type Placing } from "./geometry.ts";
import { type Pdfium, withMemory } from "./module.ts";

/** A PDF transformation matrix: a, b, c, d, e, f. */
export type Matrix = readonly [number, number, number, number, number, number];

/** An object of a page, or of a form XObject on it: text, path or picture. */
export interface PageObject {
  readonly handle: number;
  readonly type: number;
  /** Indexes into the page's objects and into the objects of the enclosing forms. */
  readonly path: readonly number[];
  /** Transformation by the enclosing forms. */
  readonly outer: Matrix;
}

/** Kinds of objects (fpdfview.h). */
export const TEXT = 1;
export const PATH = 2;
export const IMAGE = 3;
export const SHADING = 4;
const FORM = 5;

const OBJECTS_MAX = 100_000;
const DEPTH_MAX = 8;
const IDENTITY: Matrix = [1, 0, 0, 1, 0, 0];

/** @returns the objects of a page, with forms replaced by their objects; at most {@link OBJECTS_MAX} */
export const objectsOf = (page: PdfPage): PageObject[] => {
  const { pdfium } = page.document;
  const found: PageObject[] = [];
  const visit = (handle: number, path: readonly number[], outer: Matrix): void => {
    const type = pdfium.call.FPDFPageObj_GetType(handle);
    if (type !== FORM || path.length > DEPTH_MAX) {
      found.push({ handle, type, path, outer });
      return;
    }
    const inner = multiplied(matrixOf(pdfium, handle), outer);
    const count = pdfium.call.FPDFFormObj_CountObjects(handle);
    for (let index = 0; index < count && found.length < OBJECTS_MAX; index += 1) {
      visit(pdfium.call.FPDFFormObj_GetObject(handle, index), [...path, index], inner);
    }
  };
  const count = pdfium.call.FPDFPage_CountObjects(page.handle);
  for (let index = 0; index < count && found.length < OBJECTS_MAX; index += 1) {
    visit(pdfium.call.FPDFPage_GetObject(page.handle, index), [index], IDENTITY);
  }
  return found;
};

/** @returns the transformation of an object */
export const matrixOf = (pdfium: Pdfium, object: number): Matrix =>
  withMemory(pdfium, 24, (place) => {
    if (pdfium.call.FPDFPageObj_GetMatrix(object, place) === 0) {
      return IDENTITY;
    }
    const view = pdfium.view();
    const [a, b, c, d] = floats(view, place);
    return [a, b, c, d, view.getFloat32(place + 16, true), view.getFloat32(place + 20, true)];
  });

/** @returns the first transformation followed by the second */
export const multiplied = ([a, b, c, d, e, f]: Matrix, [A, B, C, D, E, F]: Matrix): Matrix => [
  a * A + b * C,
  a * B + b * D,
  c * A + d * C,
  c * B + d * D,
  e * A + f * C + E,
  e * B + f * D + F,
];

/** @returns the area on the page onto which the unit square is mapped */
export const placed = (own: Matrix, outer: Matrix, placing: Placing): Box => {
  const [a, b, c, d, e, f] = multiplied(own, outer);
  const [xs, ys] = [
    [e, e + a, e + c, e + a + c],
    [f, f + b, f + d, f + b + d],
  ];
  return placing.box(Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys));
};
