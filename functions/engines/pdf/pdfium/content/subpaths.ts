import type { PdfPage } from "../page/document.ts";
import { type Box, floats, type Placing } from "../page/geometry.ts";
import type { Pdfium } from "../page/module.ts";
import { type Matrix, matrixOf, multiplied, type PageObject } from "../page/objects.ts";
import { common, sizeOf } from "./boxes.ts";

/** A part of a path that is drawn without lifting the pen, with its points as displayed. */
export interface Subpath {
  readonly area: Box;
  /** Its horizontal and vertical lines, as boxes without width or height. */
  readonly straight: readonly Box[];
  /** Whether it has curves or sloping lines. */
  readonly curved: boolean;
  /** Share of its area that a filling covers, taking curves for lines: an angle or a narrow ring covers little. */
  readonly share: number;
}

/** Points of paths and clips that are read per page, and of a path: a map has millions. */
const PAGE_POINTS_MAX = 300_000;
const PATH_POINTS_MAX = 500;
/** Maximum lean of a horizontal or vertical line, in points. */
const LEANING_MAX = 0.5;
const CLIP_PATHS_MAX = 16;

/** Reads the paths of a page. */
export interface PathReader {
  /** @returns the parts of a path; undefined if it has too many points */
  subpathsOf(object: PageObject): readonly Subpath[] | undefined;
  /** @returns the area of an object */
  areaOf(object: PageObject): Box;
  /** @returns the area in which an object is visible */
  visibleOf(object: PageObject): Box;
  /** @returns the area to which an object is clipped; undefined if it is not clipped */
  clipOf(object: PageObject): Box | undefined;
  /** @returns the factor by which lengths of the path are displayed larger */
  scaleOf(object: PageObject): number;
}

/** @param scratch address of 16 bytes */
export const pathReader = (page: PdfPage, placing: Placing, scratch: number): PathReader => {
  const { pdfium } = page.document;
  const reading: Reading = { pdfium, placing, scratch, left: PAGE_POINTS_MAX };
  const own = ({ handle, outer }: PageObject): Matrix => multiplied(matrixOf(pdfium, handle), outer);
  return {
    subpathsOf: (object) => {
      const count = pdfium.call.FPDFPath_CountSegments(object.handle);
      reading.left -= count;
      const segmentAt = (index: number) => pdfium.call.FPDFPath_GetPathSegment(object.handle, index);
      return count > PATH_POINTS_MAX || reading.left < 0
        ? undefined
        : partsOf(pointsOf(reading, { count, segmentAt, matrix: own(object) }));
    },
    areaOf: ({ handle, outer }) => {
      const known = pdfium.call.FPDFPageObj_GetBounds(handle, scratch, scratch + 4, scratch + 8, scratch + 12) === 1;
      const [left, bottom, right, top] = known ? floats(pdfium.view(), scratch) : [0, 0, 0, 0];
      return extentOf([left, right].flatMap((x) => [bottom, top].map((y) => pointAt(placing, outer, { x, y }))));
    },
    visibleOf: (object) => {
      const sheet = { left: 0, top: 0, right: page.width, bottom: page.height };
      return clipsOf(reading, object).reduce(common, sheet);
    },
    clipOf: (object) => {
      const [first, ...others] = clipsOf(reading, object);
      return first && others.reduce(common, first);
    },
    scaleOf: (object) => {
      const [a, b, c, d] = own(object);
      return Math.sqrt(Math.abs(a * d - b * c));
    },
  };
};

interface Reading {
  readonly pdfium: Pdfium;
  readonly placing: Placing;
  readonly scratch: number;
  /** Number of points that may still be read. */
  left: number;
}

interface Point {
  readonly x: number;
  readonly y: number;
  readonly type: number;
}

/** Kinds of path segments (fpdfview.h). */
const LINE = 0;
const MOVE = 2;

interface Segments {
  readonly count: number;
  readonly segmentAt: (index: number) => number;
  readonly matrix: Matrix;
}

const pointsOf = ({ pdfium, placing, scratch }: Reading, { count, segmentAt, matrix }: Segments): Point[] => {
  const { call } = pdfium;
  const points: Point[] = [];
  let start: Point | undefined;
  for (let index = 0; index < count; index += 1) {
    const segment = segmentAt(index);
    const type = call.FPDFPathSegment_GetType(segment);
    call.FPDFPathSegment_GetPoint(segment, scratch, scratch + 4);
    const own = { x: pdfium.view().getFloat32(scratch, true), y: pdfium.view().getFloat32(scratch + 4, true) };
    const point = { ...pointAt(placing, matrix, own), type };
    start = type === MOVE ? point : start;
    points.push(point);
    if (call.FPDFPathSegment_GetClose(segment) === 1 && start !== undefined) {
      points.push({ ...start, type: LINE });
    }
  }
  return points;
};

type Place = Pick<Point, "x" | "y">;

const pointAt = (placing: Placing, [a, b, c, d, e, f]: Matrix, { x, y }: Place): Place => {
  const [left, top] = placing.point(a * x + c * y + e, b * x + d * y + f);
  return { x: left, y: top };
};

const partsOf = (points: readonly Point[]): Subpath[] => {
  const parts: Subpath[] = [];
  for (let at = 0; at < points.length; ) {
    let end = at + 1;
    while (end < points.length && points[end]?.type !== MOVE) {
      end += 1;
    }
    if (end > at + 1) {
      parts.push(partOf(points.slice(at, end)));
    }
    at = end;
  }
  return parts;
};

const partOf = (points: readonly Point[]): Subpath => {
  const straight: Box[] = [];
  let curved = false;
  for (const [index, { x, y, type }] of points.entries()) {
    const before = points[index - 1];
    if (before === undefined) {
      continue;
    }
    const [across, down] = [Math.abs(x - before.x), Math.abs(y - before.y)];
    if (type !== LINE || Math.min(across, down) > LEANING_MAX) {
      curved = true;
    } else if (Math.max(across, down) > 0) {
      straight.push(extentOf([before, { x, y }]));
    }
  }
  const area = extentOf(points);
  return { area, straight, curved, share: Math.min(1, insideOf(points) / Math.max(sizeOf(area), Number.EPSILON)) };
};

/** @returns the area of a polygon, by the shoelace formula */
const insideOf = (points: readonly Place[]): number =>
  Math.abs(
    points.reduce((sum, { x, y }, index) => {
      const next = points[(index + 1) % points.length] ?? { x, y };
      return sum + x * next.y - next.x * y;
    }, 0),
  ) / 2;

const extentOf = (points: readonly Place[]): Box => {
  const [xs, ys] = [points.map(({ x }) => x), points.map(({ y }) => y)];
  return { left: Math.min(...xs), right: Math.max(...xs), top: Math.min(...ys), bottom: Math.max(...ys) };
};

const clipsOf = (reading: Reading, { handle, outer }: PageObject): Box[] => {
  const { call } = reading.pdfium;
  const clip = call.FPDFPageObj_GetClipPath(handle);
  const paths = clip === 0 ? 0 : Math.min(Math.max(0, call.FPDFClipPath_CountPaths(clip)), CLIP_PATHS_MAX);
  return Array.from({ length: paths }).flatMap((_, path) => {
    const count = call.FPDFClipPath_CountPathSegments(clip, path);
    reading.left -= count;
    const segmentAt = (index: number) => call.FPDFClipPath_GetPathSegment(clip, path, index);
    return count > 0 && count <= PATH_POINTS_MAX && reading.left > 0
      ? [extentOf(pointsOf(reading, { count, segmentAt, matrix: outer }))]
      : [];
  });
};
