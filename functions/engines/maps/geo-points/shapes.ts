import type { Geometry, LineString, Point, Polygon, Position } from "geojson";

/**
 * @returns the closed ring with the winding that RFC 7946 requires (3.1.6): counterclockwise for an area, clockwise for
 * a hole
 */
export const ringOf = (positions: readonly Position[], kind: "outer" | "hole"): Position[] => {
  const [first] = positions;
  const last = positions.at(-1);
  const closed =
    first === undefined || (first[0] === last?.[0] && first[1] === last?.[1]) ? [...positions] : [...positions, first];
  return areaOf(closed) < 0 === (kind === "outer") ? closed.reverse() : closed;
};

/** @returns twice the area; positive for counterclockwise rings */
const areaOf = (ring: readonly Position[]): number =>
  ring.slice(1).reduce((sum, [x = 0, y = 0], index) => {
    const [fromX = 0, fromY = 0] = ring[index] ?? [];
    return sum + fromX * y - x * fromY;
  }, 0);

const MULTI = { Point: "MultiPoint", LineString: "MultiLineString", Polygon: "MultiPolygon" } as const;

/**
 * @returns several geometries as one: a Multi… when all have the same type, else a collection; null when there are none
 */
export const gathered = (geometries: readonly Geometry[]): Geometry | null => {
  const [first] = geometries;
  if (first === undefined || geometries.length === 1) {
    return first ?? null;
  }
  const coordinates = geometries.map((geometry) => ("coordinates" in geometry ? geometry.coordinates : []));
  const type = Object.entries(MULTI).find(([single]) => geometries.every((geometry) => geometry.type === single))?.[1];
  return type === undefined
    ? { type: "GeometryCollection", geometries: [...geometries] }
    : // All have the single type of this Multi type.
      ({ type, coordinates } as Geometry);
};

/** @returns the geometry as single points, lines and polygons */
export const singles = (geometry: Geometry | null): (Point | LineString | Polygon)[] => {
  switch (geometry?.type) {
    case "MultiPoint":
      return geometry.coordinates.map((coordinates) => ({ type: "Point", coordinates }));
    case "MultiLineString":
      return geometry.coordinates.map((coordinates) => ({ type: "LineString", coordinates }));
    case "MultiPolygon":
      return geometry.coordinates.map((coordinates) => ({ type: "Polygon", coordinates }));
    case "GeometryCollection":
      return geometry.geometries.flatMap(singles);
    case "Point":
    case "LineString":
    case "Polygon":
      return [geometry];
    default:
      return [];
  }
};
