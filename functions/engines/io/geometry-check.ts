import type { Geometry } from "geojson";
import { JobError } from "../../domain/errors.ts";

/** How deep positions lie within the coordinates of each kind (RFC 7946, 3.1). */
const DEPTHS: Readonly<Record<string, number>> = {
  Point: 0,
  MultiPoint: 1,
  LineString: 1,
  MultiLineString: 2,
  Polygon: 2,
  MultiPolygon: 3,
};

/** Collections within collections, which RFC 7946 advises against (3.1.8); who goes through them goes by recursion. */
const COLLECTIONS_MAX = 100;

/**
 * @returns the value, when it is a geometry or null, with positions where its kind has them
 * @throws JobError `source_corrupt`; `unsupported_feature` when its collections are nested too deep
 */
export const checkedGeometry = (value: unknown, level = 0): Geometry | null => {
  if (value === null || value === undefined) {
    return null;
  }
  const { type, coordinates, geometries } = value as { type?: unknown; coordinates?: unknown; geometries?: unknown };
  if (level > COLLECTIONS_MAX) {
    throw new JobError("unsupported_feature", `The map has over ${COLLECTIONS_MAX} collections in each other.`);
  }
  const depth = typeof type === "string" && Object.hasOwn(DEPTHS, type) ? DEPTHS[type] : undefined;
  if (type === "GeometryCollection" && Array.isArray(geometries)) {
    geometries.forEach((inner) => void checkedGeometry(inner ?? 0, level + 1));
  } else if (depth === undefined || !holdsPositions(coordinates, depth)) {
    throw new JobError("source_corrupt", "The map has a geometry without the coordinates of its kind.");
  }
  return value as Geometry;
};

/** An empty list says that there is no place. */
const holdsPositions = (value: unknown, depth: number): boolean =>
  Array.isArray(value) &&
  value.every((inner: unknown) => (depth === 0 ? Number.isFinite(inner) : holdsPositions(inner, depth - 1)));
