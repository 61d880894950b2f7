/** Coordinates of vertices, by index. */
export interface Coordinates {
  at(index: number): number;
}

type Vector = readonly [number, number, number];

/**
 * Triangulates a polygon: as a fan when it is convex, else by ear clipping.
 *
 * @param vertices three or more indices of vertices
 * @param positions x, y, z of each vertex
 * @returns three indices for each of `vertices.length - 2` triangles, with the winding of the polygon
 */
export const triangulate = (vertices: readonly number[], positions: Coordinates): number[] => {
  if (vertices.length === 3) {
    return [...vertices];
  }
  const points = vertices.map(
    (vertex): Vector => [positions.at(vertex * 3), positions.at(vertex * 3 + 1), positions.at(vertex * 3 + 2)],
  );
  const flat = projected(points);
  const turns = flat.map((_, index) => turnAt(flat, index - 1, index, index + 1));
  if (turns.every((turn) => turn >= 0) || vertices.length > VERTICES_CUT_MAX) {
    return vertices.slice(2).flatMap((vertex, index) => [vertices[0] ?? 0, vertices[index + 1] ?? 0, vertex]);
  }
  return ears(flat).map((index) => vertices[index] ?? 0);
};

/** Ear clipping is cubic in the number of vertices in the worst case. */
const VERTICES_CUT_MAX = 500;

type Point = readonly [number, number];

/**
 * @returns the vertices projected onto the coordinate plane in which the polygon is largest, in counterclockwise order
 */
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
    // A self-intersecting polygon may have no ear; any vertex will do then.
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
  const vertices = triangle.map((vertex): Point => points[vertex] ?? [0, 0]);
  if (turnAt(vertices, 0, 1, 2) <= 0) {
    return false;
  }
  return left.every((other) => triangle.includes(other) || !isInside(points[other] ?? [0, 0], vertices));
};

const isInside = (point: Point, vertices: readonly Point[]): boolean =>
  vertices.every((vertex, index) => turnAt([vertex, vertices[(index + 1) % 3] ?? vertex, point], 0, 1, 2) >= 0);
