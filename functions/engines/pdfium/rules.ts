import type { PdfPage } from "./document.ts";
import type { Placing } from "./geometry.ts";
import { type Pdfium, withMemory } from "./module.ts";
import { type Matrix, matrixOf, multiplied, PATH, type PageObject } from "./objects.ts";

/** A line that is drawn along a row or a column: the border of a cell, or of its ground. */
export interface Rule {
  /** Whether it goes across; else it goes down. */
  readonly across: boolean;
  /** Points from the top of the page where it goes across, else from its left. */
  readonly at: number;
  /** Where it begins and ends, in the other direction. */
  readonly from: number;
  readonly to: number;
}

/** Points of a page: of which a table has a few hundred, and a map has millions. */
const POINTS_MAX = 50_000;
const PATH_POINTS_MAX = 2_000;
/** Points by which a line may lean, and that it is long at least. */
const LEANING_MAX = 0.5;
const LENGTH_MIN = 4;

/** @returns the lines of a page that go straight across or down, drawn or as the edges of areas */
export const rulesOf = (page: PdfPage, objects: readonly PageObject[], placing: Placing): Rule[] => {
  const { pdfium } = page.document;
  const rules: Rule[] = [];
  let points = 0;
  for (const { handle, type, outer } of objects) {
    if (type !== PATH || points > POINTS_MAX) {
      continue;
    }
    const count = pdfium.call.FPDFPath_CountSegments(handle);
    points += count;
    if (count <= PATH_POINTS_MAX && isDrawn(pdfium, handle)) {
      const matrix = multiplied(matrixOf(pdfium, handle), outer);
      rules.push(...straight(cornersOf(pdfium, handle, { count, matrix, placing })));
    }
  }
  return rules;
};

const isDrawn = (pdfium: Pdfium, path: number): boolean =>
  withMemory(pdfium, 8, (place) => {
    pdfium.call.FPDFPath_GetDrawMode(path, place, place + 4);
    return pdfium.view().getInt32(place, true) !== 0 || pdfium.view().getInt32(place + 4, true) !== 0;
  });

/** A point of a path, and whether a straight line leads to it. */
interface Corner {
  readonly x: number;
  readonly y: number;
  readonly drawn: boolean;
}

/** Kinds of segments (fpdfview.h). */
const LINE = 0;
const MOVE = 2;

const cornersOf = (
  pdfium: Pdfium,
  path: number,
  { count, matrix, placing }: { count: number; matrix: Matrix; placing: Placing },
): Corner[] =>
  withMemory(pdfium, 8, (place) => {
    const { call } = pdfium;
    const corners: Corner[] = [];
    let start: Corner | undefined;
    for (let index = 0; index < count; index += 1) {
      const segment = call.FPDFPath_GetPathSegment(path, index);
      const type = call.FPDFPathSegment_GetType(segment);
      call.FPDFPathSegment_GetPoint(segment, place, place + 4);
      const [x, y] = moved(matrix, pdfium.view().getFloat32(place, true), pdfium.view().getFloat32(place + 4, true));
      const [left, top] = placing.point(x, y);
      const corner = { x: left, y: top, drawn: type === LINE };
      start = type === MOVE ? corner : start;
      corners.push(corner);
      if (call.FPDFPathSegment_GetClose(segment) === 1 && start !== undefined) {
        corners.push({ ...start, drawn: true });
      }
    }
    return corners;
  });

const moved = ([a, b, c, d, e, f]: Matrix, x: number, y: number): readonly [number, number] => [
  a * x + c * y + e,
  b * x + d * y + f,
];

const straight = (corners: readonly Corner[]): Rule[] =>
  corners.slice(1).flatMap<Rule>(({ x, y, drawn }, index) => {
    const before = corners[index];
    if (before === undefined || !drawn) {
      return [];
    }
    const [across, down] = [Math.abs(x - before.x), Math.abs(y - before.y)];
    if (down <= LEANING_MAX && across >= LENGTH_MIN) {
      return [{ across: true, at: (y + before.y) / 2, from: Math.min(x, before.x), to: Math.max(x, before.x) }];
    }
    return across <= LEANING_MAX && down >= LENGTH_MIN
      ? [{ across: false, at: (x + before.x) / 2, from: Math.min(y, before.y), to: Math.max(y, before.y) }]
      : [];
  });
