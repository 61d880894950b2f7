import { createWriteStream } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import type { Feature, Position } from "geojson";
import type { Warning } from "../../../domain/warning.ts";
import { writeZip } from "../../archives/zip/writer.ts";
import type { EngineTask } from "../../core/engine.ts";
import { xmlAttribute, xmlText } from "../../data/text/xml.ts";
import { jsonOf } from "../geojson/geojson.ts";
import { singles } from "./shapes.ts";

/**
 * Writes a KML (OGC 12-007r2): a placemark for each feature, with its other data under a schema that preserves types.
 */
export const writeKml = async (
  features: readonly Feature[],
  { output, folder, to }: EngineTask,
): Promise<readonly Warning[]> => {
  const path = to === "kmz" ? join(folder, "doc.kml") : output;
  await pipeline(() => kmlOf(features), createWriteStream(path));
  if (to === "kmz") {
    await writeZip(output, [{ path: "doc.kml", file: path }]);
    await rm(path);
  }
  return [];
};

/** Properties with a KML element; all others are extended data. */
const OWN = ["name", "description"] as const;
const isOwn = (key: string): boolean => OWN.some((name) => name === key);

const SCHEMA = "fields";

const kmlOf = function* (features: readonly Feature[]): Generator<string> {
  yield '<?xml version="1.0" encoding="UTF-8"?>\n<kml xmlns="http://www.opengis.net/kml/2.2">\n<Document>\n';
  const types = typesOf(features);
  if (types.size > 0) {
    yield `<Schema id="${SCHEMA}" name="${SCHEMA}">\n`;
    for (const [name, type] of types) {
      yield `  <SimpleField name="${xmlAttribute(name)}" type="${type}"></SimpleField>\n`;
    }
    yield "</Schema>\n";
  }
  for (const feature of features) {
    yield placemarkOf(feature);
  }
  yield "</Document>\n</kml>\n";
};

type FieldType = "int" | "double" | "bool" | "string";

const INT_MAX = 2 ** 31;

const typeOf = (value: unknown): FieldType => {
  if (typeof value === "number") {
    return Number.isInteger(value) && Math.abs(value) < INT_MAX ? "int" : "double";
  }
  return typeof value === "boolean" ? "bool" : "string";
};

/** @returns a type that fits all values of each field */
const typesOf = (features: readonly Feature[]): Map<string, FieldType> => {
  const types = new Map<string, FieldType>();
  for (const { properties } of features) {
    for (const [name, value] of Object.entries(properties ?? {})) {
      if (!isOwn(name) && value !== null && value !== undefined) {
        const [known, type] = [types.get(name), typeOf(value)];
        const numbers = [known, type].every((one) => one === "int" || one === "double");
        types.set(name, known === undefined || known === type ? type : numbers ? "double" : "string");
      }
    }
  }
  return types;
};

const shown = (value: unknown): string => (typeof value === "object" ? jsonOf(value) : String(value));

const placemarkOf = ({ id, properties, geometry }: Feature): string => {
  const known = Object.entries(properties ?? {}).filter(([, value]) => value !== null && value !== undefined);
  const own = OWN.flatMap((name) => known.filter(([key]) => key === name)).map(
    ([name, value]) => `  <${name}>${xmlText(shown(value))}</${name}>\n`,
  );
  const data = known
    .filter(([name]) => !isOwn(name))
    .map(([name, value]) => `    <SimpleData name="${xmlAttribute(name)}">${xmlText(shown(value))}</SimpleData>\n`);
  const extended =
    data.length === 0
      ? ""
      : `  <ExtendedData><SchemaData schemaUrl="#${SCHEMA}">\n${data.join("")}  </SchemaData></ExtendedData>\n`;
  const name = id === undefined ? "" : ` id="${xmlAttribute(String(id))}"`;
  return `<Placemark${name}>\n${own.join("")}${extended}${geometryOf(geometry)}</Placemark>\n`;
};

const geometryOf = (geometry: Feature["geometry"] | null): string => {
  const parts = singles(geometry).map((single) => {
    if (single.type === "Point") {
      return single.coordinates.length < 2 ? "" : `<Point>${coordinates([single.coordinates])}</Point>`;
    }
    if (single.type === "LineString") {
      return `<LineString>${coordinates(single.coordinates)}</LineString>`;
    }
    const rings = single.coordinates.map((ring, index) => {
      const boundary = index === 0 ? "outerBoundaryIs" : "innerBoundaryIs";
      return `<${boundary}><LinearRing>${coordinates(ring)}</LinearRing></${boundary}>`;
    });
    return `<Polygon>${rings.join("")}</Polygon>`;
  });
  if (parts.length === 0) {
    return "";
  }
  const several = parts.length > 1 || geometry?.type.startsWith("Multi");
  return several ? `  <MultiGeometry>${parts.join("")}</MultiGeometry>\n` : `  ${parts[0]}\n`;
};

const coordinates = (positions: readonly Position[]): string =>
  `<coordinates>${positions.map((position) => position.slice(0, 3).join(",")).join(" ")}</coordinates>`;
