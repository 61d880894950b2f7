import type { Geometry, Position } from "geojson";
import { JobError } from "../../../domain/errors.ts";
import { gathered, ringOf } from "./shapes.ts";
import { childrenOf, type Element, textIn } from "./xml.ts";

/** @returns the geometry of a placemark or a MultiGeometry; null when it has none */
export const geometryIn = (element: Element): Geometry | null =>
  gathered(element.children.flatMap((child) => readerOf(child.name)?.(child) ?? []));

/** An element may have the name of a built-in object property. */
const readerOf = (name: string) => (Object.hasOwn(readers, name) ? readers[name] : undefined);

const readers: Readonly<Record<string, (element: Element) => Geometry | null>> = {
  Point: (element) => {
    const [position] = coordinatesIn(element);
    return position === undefined ? null : { type: "Point", coordinates: position };
  },
  LineString: (element) => lineOf(coordinatesIn(element)),
  LinearRing: (element) => lineOf(coordinatesIn(element)),
  Polygon: (element) => {
    const [outer] = ringsIn(element, "outerBoundaryIs");
    const holes = ringsIn(element, "innerBoundaryIs");
    return outer === undefined
      ? null
      : { type: "Polygon", coordinates: [ringOf(outer, "outer"), ...holes.map((hole) => ringOf(hole, "hole"))] };
  },
  MultiGeometry: (element) => geometryIn(element),
  Track: (element) =>
    lineOf(
      childrenOf(element, "coord").flatMap(({ text }) => {
        const numbers = text.trim().split(/\s+/).map(Number);
        return numbers.length >= 2 && numbers.every(Number.isFinite) ? [numbers] : [];
      }),
    ),
  MultiTrack: (element) => geometryIn(element),
};

const lineOf = (coordinates: Position[]): Geometry | null => {
  const [only] = coordinates;
  if (only === undefined) {
    return null;
  }
  // A line requires at least two positions (RFC 7946, 3.1.4).
  return coordinates.length === 1 ? { type: "Point", coordinates: only } : { type: "LineString", coordinates };
};

const ringsIn = (polygon: Element, boundary: string): Position[][] =>
  childrenOf(polygon, boundary)
    .flatMap((element) => childrenOf(element, "LinearRing"))
    .map(coordinatesIn)
    .filter((ring) => ring.length >= 3);

const NUMBER = String.raw`[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?`;

/** Longitude, latitude and, if present, altitude; some programs put spaces after the commas. */
const TUPLE = new RegExp(String.raw`(${NUMBER})\s*,\s*(${NUMBER})(?:\s*,\s*(${NUMBER}))?`, "g");

const coordinatesIn = (element: Element): Position[] =>
  Array.from((textIn(element, "coordinates") ?? "").matchAll(TUPLE), ([, ...numbers]) =>
    numbers.filter((number) => number !== undefined).map(finite),
  );

/** JSON cannot represent values outside the range of doubles. */
const finite = (text: string): number => {
  const number = Number(text);
  if (!Number.isFinite(number)) {
    throw new JobError("source_corrupt", `A coordinate of the KML is out of range: ${text.slice(0, 50)}.`);
  }
  return number;
};
