/** Corners of a polygon, by the place of each in a list of coordinates. */
export interface Coordinates {
  at(index: number): number;
}

type Vector = readonly [number, number, number];

/**
 * Cuts a polygon into triangles: from its first corner where it is convex, else ear by ear.
 *
 * @param corners three or more indices of vertices
 * @param positions x, y, z of each vertex
 * @returns three indices for each of `corners.length - 2` triangles, which turn as the polygon does
 */
export const triangulate = (corners: readonly number[], positions: Coordinates): number[] => {
  if (corners.length === 3) {
    return [...corners];
  }
  const points = corners.map(
    (corner): Vector => [positions.at(corner * 3), positions.at(corner * 3 + 1), positions.at(corner * 3 + 2)],
  );
  const flat = projected(points);
  const turns = flat.map((_, index) => turnAt(flat, index - 1, index, index + 1));
  if (turns.every((turn) => turn >= 0) || corners.length > CORNERS_CUT_MAX) {
    return corners.slice(2).flatMap((corner, index) => [corners[0] ?? 0, corners[index + 1] ?? 0, corner]);
  }
  return ears(flat).map((index) => corners[index] ?? 0);
};

/** Cutting ears takes time with the third power of the corners in the worst case. */
const CORNERS_CUT_MAX = 500;

type Point = readonly [number, number];

/** @returns the corners on the plane of two axes in which the polygon is largest, so turned that it runs counterclockwise */
const projected = (points: readonly Vector[]): Point[] => {
  const normal = [0, 0, 0];
  for (const [index, [x, y, z]] of points.entries()) {
    const [toX = 0, toY = 0, toZ = 0] = points[(index + 1) % points.length] ?? [];
    // Newell's method.
    normal[0] = (normal[0] ?? 0) + (y - toY) * (z + toZ);
    normal[1] = (normal[1] ?? 0) + (z - toZ) * (x + toX);
    normal[2] = (normal[2] ?? 0) + (x - toX) * (y + toY);
  }
  const sizes = normal.map(Math.abs);
  const axis = sizes.indexOf(Math.max(...sizes));
  const [first, second] = [(axis + 1) % 3, (axis + 2) % 3];
  const sign = (normal[axis] ?? 0) < 0 ? -1 : 1;
  return points.map((point) => [sign * (point[first] ?? 0), point[second] ?? 0]);
};

const turnAt = (points: readonly Point[], before: number, at: number, after: number): number => {
  const [[aX, aY], [bX, bY], [cX, cY]] = [before, at, after].map(
    (index): Point => points[(index + points.length) % points.length] ?? [0, 0],
  ) as [Point, Point, Point];
  return (bX - aX) * (cY - bY) - (bY - aY) * (cX - bX);
};

const ears = (points: readonly Point[]): number[] => {
  const left = points.map((_, index) => index);
  const triangles: number[] = [];
  while (left.length > 3) {
    const found = left.findIndex((_, index) => isEar(points, left, index));
    // A polygon that crosses itself may have none; any corner is then as good.
    const cut = found === -1 ? 0 : found;
    triangles.push(...around(left, cut));
    left.splice(cut, 1);
  }
  return [...triangles, ...left];
};

const around = (left: readonly number[], index: number): number[] =>
  [index - 1, index, index + 1].map((at) => left[(at + left.length) % left.length] ?? 0);

const isEar = (points: readonly Point[], left: readonly number[], index: number): boolean => {
  const triangle = around(left, index);
  const corners = triangle.map((corner): Point => points[corner] ?? [0, 0]);
  if (turnAt(corners, 0, 1, 2) <= 0) {
    return false;
  }
  return left.every((other) => triangle.includes(other) || !isInside(points[other] ?? [0, 0], corners));
};

const isInside = (point: Point, corners: readonly Point[]): boolean =>
  corners.every((corner, index) => turnAt([corner, corners[(index + 1) % 3] ?? corner, point], 0, 1, 2) >= 0);
