import type { PdfPage } from "./document.ts";
import type { Placing } from "./geometry.ts";
import { type Pdfium, withMemory } from "./module.ts";
import { type Matrix, matrixOf, multiplied, PATH, type PageObject } from "./objects.ts";

/** A horizontal or vertical line: the border or the background edge of a cell. */
export interface Rule {
  /** Whether it is horizontal; otherwise vertical. */
  readonly across: boolean;
  /** Points from the top of the page if horizontal, else from the left. */
  readonly at: number;
  /** Start and end in the other direction. */
  readonly from: number;
  readonly to: number;
}

/** Maximum path points per page: a table has a few hundred, a map has millions. */
const POINTS_MAX = 50_000;
const PATH_POINTS_MAX = 2_000;
/** Maximum lean and minimum length of a line, in points. */
const LEANING_MAX = 0.5;
const LENGTH_MIN = 4;

/** @returns the horizontal and vertical lines of a page, drawn as lines or as edges of areas */
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
      rules.push(...straight(pointsOf(pdfium, handle, { count, matrix, placing })));
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
interface PathPoint {
  readonly x: number;
  readonly y: number;
  readonly drawn: boolean;
}

/** Kinds of path segments (fpdfview.h). */
const LINE = 0;
const MOVE = 2;

const pointsOf = (
  pdfium: Pdfium,
  path: number,
  { count, matrix, placing }: { count: number; matrix: Matrix; placing: Placing },
): PathPoint[] =>
  withMemory(pdfium, 8, (place) => {
    const { call } = pdfium;
    const points: PathPoint[] = [];
    let start: PathPoint | undefined;
    for (let index = 0; index < count; index += 1) {
      const segment = call.FPDFPath_GetPathSegment(path, index);
      const type = call.FPDFPathSegment_GetType(segment);
      call.FPDFPathSegment_GetPoint(segment, place, place + 4);
      const [x, y] = moved(matrix, pdfium.view().getFloat32(place, true), pdfium.view().getFloat32(place + 4, true));
      const [left, top] = placing.point(x, y);
      const point = { x: left, y: top, drawn: type === LINE };
      start = type === MOVE ? point : start;
      points.push(point);
      if (call.FPDFPathSegment_GetClose(segment) === 1 && start !== undefined) {
        points.push({ ...start, drawn: true });
      }
    }
    return points;
  });

const moved = ([a, b, c, d, e, f]: Matrix, x: number, y: number): readonly [number, number] => [
  a * x + c * y + e,
  b * x + d * y + f,
];

const straight = (points: readonly PathPoint[]): Rule[] =>
  points.slice(1).flatMap<Rule>(({ x, y, drawn }, index) => {
    const before = points[index];
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
