import type { Geometry, Position } from "geojson";
import { gathered } from "./shapes.ts";

/** Geometries as well-known text (OGC 06-103r4, section 7). */

/** @returns the text of a geometry: `POINT Z (8.5 47.3 400)` */
export const wktOf = (geometry: Geometry): string => {
  const name = geometry.type.toUpperCase();
  if (geometry.type === "GeometryCollection") {
    return geometry.geometries.length === 0
      ? `${name} EMPTY`
      : `${name} (${geometry.geometries.map(wktOf).join(", ")})`;
  }
  const positions = flat(geometry.coordinates);
  if (positions.length === 0) {
    return `${name} EMPTY`;
  }
  const size = positions.some((position) => position.length > 2) ? 3 : 2;
  const list = listOf(
    geometry.type === "MultiPoint" ? geometry.coordinates.map((one) => [one]) : geometry.coordinates,
    size,
  );
  return `${name}${size === 3 ? " Z" : ""} ${geometry.type === "Point" ? `(${list})` : list}`;
};

/** Coordinates as GeoJSON nests them: up to four deep. */
type Nested = number | readonly Nested[];

const isPosition = (value: Nested): value is Position => Array.isArray(value) && typeof value[0] === "number";

const flat = (value: Nested): Position[] =>
  isPosition(value) ? [value] : typeof value === "number" ? [] : value.flatMap(flat);

const listOf = (value: Nested, size: 2 | 3): string => {
  if (isPosition(value)) {
    return Array.from({ length: size }, (_, index) => value[index] ?? 0).join(" ");
  }
  return typeof value === "number" ? String(value) : `(${value.map((inner) => listOf(inner, size)).join(", ")})`;
};

const DEPTHS: Readonly<Record<string, { type: Exclude<Geometry["type"], "GeometryCollection">; depth: number }>> = {
  POINT: { type: "Point", depth: 0 },
  MULTIPOINT: { type: "MultiPoint", depth: 1 },
  LINESTRING: { type: "LineString", depth: 1 },
  MULTILINESTRING: { type: "MultiLineString", depth: 2 },
  POLYGON: { type: "Polygon", depth: 2 },
  MULTIPOLYGON: { type: "MultiPolygon", depth: 3 },
};

/** @returns the geometry that a text says; undefined when it says none. An `SRID=…;` before it has to be that of WGS 84 */
export const parseWkt = (text: string, level = 0): Geometry | undefined => {
  const plain = text.trim().replace(/^SRID=4326;\s*/i, "");
  const match = /^([A-Z]+)\s*(?:(?:ZM|Z|M)\s*)?(\(.*\))$/is.exec(plain);
  const [, name = "", body = ""] = match ?? [];
  const kind = DEPTHS[name.toUpperCase()];
  if (kind === undefined) {
    const inside = name.toUpperCase() === "GEOMETRYCOLLECTION" && level < COLLECTIONS_MAX;
    return inside ? collectionOf(body, level + 1) : undefined;
  }
  // Parentheses and commas are all that separates, so the text becomes JSON by turning them into brackets.
  const json = body
    .replaceAll(/[^(),]+/g, positionIn)
    .replaceAll("(", "[")
    .replaceAll(")", "]");
  try {
    return shaped(JSON.parse(json), kind);
  } catch {
    return undefined;
  }
};

/** What stands between parentheses and commas: numbers, or white space. Anything else gives no JSON. */
const positionIn = (text: string): string => {
  const words = text.trim() === "" ? [] : text.trim().split(/\s+/);
  const numbers = words.map((word) => (NUMBER.test(word) ? Number(word) : Number.NaN));
  const isPlace = numbers.length > 1 && numbers.every(Number.isFinite);
  return words.length === 0 ? "" : isPlace ? JSON.stringify(numbers.slice(0, 3)) : "?";
};

const NUMBER = /^[-+]?[\d.]+(?:e[-+]?\d+)?$/i;

const shaped = (list: Nested[], { type, depth }: { type: Geometry["type"]; depth: number }): Geometry | undefined => {
  // A point stands in parentheses of its own, and so may each of a multipoint.
  const value = type === "Point" ? list[0] : type === "MultiPoint" ? flat(list) : list;
  const fits = (inner: Nested | undefined, left: number): boolean =>
    inner !== undefined &&
    (left === 0 ? isPosition(inner) : typeof inner !== "number" && inner.every((one) => fits(one, left - 1)));
  return fits(value, depth) ? ({ type, coordinates: value } as unknown as Geometry) : undefined;
};

/** Collections within collections; each is read again for every one around it. */
const COLLECTIONS_MAX = 20;

const collectionOf = (body: string, level: number): Geometry | undefined => {
  const parts = body
    .slice(1, -1)
    .split(/,\s*(?=[A-Z])/i)
    .map((part) => parseWkt(part, level));
  const geometries = parts.filter((part) => part !== undefined);
  return geometries.length < parts.length
    ? undefined
    : (gathered(geometries) ?? { type: "GeometryCollection", geometries: [] });
};
