import { createWriteStream } from "node:fs";
import { stat } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import type { Feature, FeatureCollection, GeoJsonObject, Geometry } from "geojson";
import { MAP_JSON_BYTES_MAX, TREE_DEPTH_MAX } from "../../domain/conversion-limits.ts";
import { JobError } from "../../domain/errors.ts";
import { checkedGeometry } from "./geometry-check.ts";
import { depthOf } from "./json-record.ts";
import { type ReadText, readText } from "./text.ts";

const GEOMETRIES = [
  "Point",
  "MultiPoint",
  "LineString",
  "MultiLineString",
  "Polygon",
  "MultiPolygon",
  "GeometryCollection",
] as const;

/**
 * Reads a GeoJSON text (RFC 7946): a collection of features, one feature, or a bare geometry.
 *
 * @returns its features in their order; integers beyond what a double holds exactly are bigints
 * @throws JobError `source_corrupt` when it is none; `unsupported_feature` when its coordinates are not WGS 84
 */
export const readFeatures = async (path: string): Promise<Feature[]> => {
  const { text } = await readMap(path);
  const root = parseJson(text);
  checkSystem(root);
  return featuresOf(root);
};

/**
 * Reads the text of a map that becomes a tree of objects.
 *
 * @param encoding the encoding where the client has named one
 * @throws JobError `output_too_large` over {@link MAP_JSON_BYTES_MAX} bytes
 */
export const readMap = async (path: string, encoding?: string): Promise<ReadText> => {
  const { size } = await stat(path);
  if (size > MAP_JSON_BYTES_MAX) {
    throw new JobError("output_too_large", `The file has ${size} bytes; at most ${MAP_JSON_BYTES_MAX} are allowed.`);
  }
  return readText(path, encoding);
};

/**
 * Parses the JSON of a map, whatever the kind.
 *
 * @returns its values; integers beyond what a double holds exactly are bigints, which {@link jsonOf} writes again
 * @throws JobError `source_corrupt`; `unsupported_feature` when its values are nested too deep
 */
export const parseJson = (text: string): unknown => {
  if (depthOf(text) > TREE_DEPTH_MAX) {
    throw new JobError("unsupported_feature", `The values are nested more than ${TREE_DEPTH_MAX} deep.`);
  }
  try {
    // The slower way only where some number needs it.
    return /\d{16}/.test(text) ? JSON.parse(text, keepInteger) : JSON.parse(text);
  } catch (cause) {
    throw new JobError("source_corrupt", "The file is no valid JSON.", { cause });
  }
};

/** An integer beyond 2^53 becomes a bigint; a double would change its last digits. */
const keepInteger = (_key: string, value: unknown, context?: { source?: string }): unknown =>
  typeof value === "number" &&
  Number.isInteger(value) &&
  !Number.isSafeInteger(value) &&
  /^-?\d+$/.test(context?.source ?? "")
    ? BigInt(context?.source ?? "")
    : value;

const featuresOf = (root: unknown): Feature[] => {
  const type = typeOf(root);
  if (type === "FeatureCollection") {
    const { features } = root as Partial<FeatureCollection>;
    if (Array.isArray(features) && features.every((feature) => typeOf(feature) === "Feature")) {
      return features.map(checkedFeature);
    }
  }
  if (type === "Feature") {
    return [checkedFeature(root as Feature)];
  }
  if (GEOMETRIES.some((name) => name === type)) {
    return [featureOf(checkedGeometry(root), { properties: {} })];
  }
  throw new JobError("source_corrupt", "The file is no GeoJSON: it has neither features nor a geometry.");
};

/** Programs write features without properties, though there should be null at least. */
const checkedFeature = (feature: Feature): Feature => {
  checkedGeometry(feature.geometry);
  if (typeof (feature.properties ?? {}) !== "object") {
    throw new JobError("source_corrupt", "The map has a feature whose properties are none.");
  }
  return feature;
};

const typeOf = (value: unknown): unknown =>
  typeof value === "object" && value !== null ? (value as Partial<GeoJsonObject>).type : undefined;

/** GeoJSON of 2008 could name a coordinate system; these are the names of the one that RFC 7946 has. */
const WGS_84 = /CRS84|EPSG:{1,2}(?:\d[\d.]*:)?4326$|^WGS ?84$/i;

const checkSystem = (root: unknown): void => {
  const name = (root as { crs?: { properties?: { name?: unknown } } } | null)?.crs?.properties?.name;
  if (typeof name === "string" && !WGS_84.test(name)) {
    throw new JobError(
      "unsupported_feature",
      `The GeoJSON has the coordinate system ${name.slice(0, 100)}; RFC 7946 knows WGS 84 only.`,
    );
  }
};

/** @returns a feature; its geometry may be null (RFC 7946, 3.2), which the types of GeoJSON leave to their users */
export const featureOf = (geometry: Geometry | null, rest: Omit<Feature, "type" | "geometry">): Feature =>
  ({ type: "Feature", ...rest, geometry }) as Feature;

/** Writes the features as one collection, each in a line of its own. */
export const writeFeatures = (output: string, features: Iterable<Feature>): Promise<void> =>
  pipeline(function* () {
    yield '{"type":"FeatureCollection","features":[';
    let between = "\n";
    for (const feature of features) {
      yield `${between}${jsonOf(feature)}`;
      between = ",\n";
    }
    yield "\n]}\n";
  }, createWriteStream(output));

/** @returns the value as JSON; large integers that {@link readFeatures} kept are written as they were */
export const jsonOf = (value: unknown): string =>
  JSON.stringify(value, (_key, inner: unknown) => (typeof inner === "bigint" ? rawJson(String(inner)) : inner));

/** ECMAScript's `JSON.rawJSON`, which the library of TypeScript does not yet know. */
const { rawJSON: rawJson } = JSON as unknown as { rawJSON(text: string): unknown };
