import type { Geometry } from "geojson";
import { JobError } from "../../../domain/errors.ts";

/** Nesting depth of positions in the coordinates of each type (RFC 7946, 3.1). */
const DEPTHS: Readonly<Record<string, number>> = {
  Point: 0,
  MultiPoint: 1,
  LineString: 1,
  MultiLineString: 2,
  Polygon: 2,
  MultiPolygon: 3,
};

/** Nested collections, which RFC 7946 advises against (3.1.8); code that traverses them is recursive. */
const COLLECTIONS_MAX = 100;

/**
 * @returns the value, if it is null or a geometry with the positions that its type requires
 * @throws JobError `source_corrupt`; `unsupported_feature` when its collections are nested too deeply
 */
export const checkedGeometry = (value: unknown, level = 0): Geometry | null => {
  if (value === null || value === undefined) {
    return null;
  }
  const { type, coordinates, geometries } = value as { type?: unknown; coordinates?: unknown; geometries?: unknown };
  if (level > COLLECTIONS_MAX) {
    throw new JobError(
      "unsupported_feature",
      `Geometry collections are nested more than ${COLLECTIONS_MAX} levels deep.`,
    );
  }
  const depth = typeof type === "string" && Object.hasOwn(DEPTHS, type) ? DEPTHS[type] : undefined;
  if (type === "GeometryCollection" && Array.isArray(geometries)) {
    geometries.forEach((inner) => void checkedGeometry(inner ?? 0, level + 1));
  } else if (depth === undefined || !holdsPositions(coordinates, depth)) {
    throw new JobError("source_corrupt", "A geometry does not have the coordinates that its type requires.");
  }
  return value as Geometry;
};

/** An empty list means an empty geometry. */
const holdsPositions = (value: unknown, depth: number): boolean =>
  Array.isArray(value) &&
  value.every((inner: unknown) => (depth === 0 ? Number.isFinite(inner) : holdsPositions(inner, depth - 1)));
