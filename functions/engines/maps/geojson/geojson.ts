import { createWriteStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import type { Feature, FeatureCollection, GeoJsonObject, Geometry } from "geojson";
import { MAP_JSON_BYTES_MAX, TREE_DEPTH_MAX } from "../../../domain/conversions/conversion-limits.ts";
import { JobError } from "../../../domain/errors.ts";
import { checkInput } from "../../core/input.ts";
import { depthOf } from "../../data/json/record.ts";
import { type ReadText, readText } from "../../data/text/text.ts";
import { checkedGeometry } from "./geometry-check.ts";

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
 * Reads a GeoJSON text (RFC 7946): a feature collection, one feature, or a bare geometry.
 *
 * @returns its features, in order; integers beyond the exact range of a double are bigints
 * @throws JobError `source_corrupt` when invalid; `unsupported_feature` when its coordinates are not WGS 84
 */
export const readFeatures = async (path: string): Promise<Feature[]> => {
  const { text } = await readMap(path);
  const root = parseJson(text);
  checkSystem(root);
  return featuresOf(root);
};

/**
 * Reads the text of a map that is parsed to objects.
 *
 * @param encoding the encoding, if the client specified one
 * @throws JobError `output_too_large` over {@link MAP_JSON_BYTES_MAX} bytes
 */
export const readMap = async (path: string, encoding?: string): Promise<ReadText> => {
  await checkInput(path, { max: MAP_JSON_BYTES_MAX, name: "file" });
  return readText(path, encoding);
};

/**
 * Parses the JSON of a map of any kind.
 *
 * @returns its values; integers beyond the exact range of a double are bigints, which {@link jsonOf} writes unchanged
 * @throws JobError `source_corrupt`; `unsupported_feature` when its values are nested too deeply
 */
const parseJson = (text: string): unknown => {
  if (depthOf(text) > TREE_DEPTH_MAX) {
    throw new JobError("unsupported_feature", `The JSON is nested more than ${TREE_DEPTH_MAX} levels deep.`);
  }
  try {
    // The slower way is used only when some number needs it.
    return /\d{16}/.test(text) ? JSON.parse(text, keepInteger) : JSON.parse(text);
  } catch (cause) {
    throw new JobError("source_corrupt", "The file is not valid JSON.", { cause });
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
  throw new JobError("source_corrupt", "Not a GeoJSON file: it has neither features nor a geometry.");
};

/** Some programs write features without properties, although null is required at least. */
const checkedFeature = (feature: Feature): Feature => {
  checkedGeometry(feature.geometry);
  if (typeof (feature.properties ?? {}) !== "object") {
    throw new JobError("source_corrupt", "The properties of a feature are not an object.");
  }
  return feature;
};

const typeOf = (value: unknown): unknown =>
  typeof value === "object" && value !== null ? (value as Partial<GeoJsonObject>).type : undefined;

/** GeoJSON 2008 could specify a coordinate system; these are the names of the one that RFC 7946 uses. */
const WGS_84 = /CRS84|EPSG:{1,2}(?:\d[\d.]*:)?4326$|^WGS ?84$/i;

const checkSystem = (root: unknown): void => {
  const name = (root as { crs?: { properties?: { name?: unknown } } } | null)?.crs?.properties?.name;
  if (typeof name === "string" && !WGS_84.test(name)) {
    throw new JobError(
      "unsupported_feature",
      `The GeoJSON uses the coordinate system ${name.slice(0, 100)}; RFC 7946 supports only WGS 84.`,
    );
  }
};

/** @returns a feature; its geometry may be null (RFC 7946, 3.2), which the GeoJSON types do not express */
export const featureOf = (geometry: Geometry | null, rest: Omit<Feature, "type" | "geometry">): Feature =>
  ({ type: "Feature", ...rest, geometry }) as Feature;

/** Writes the features as one collection, one per line. */
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

/** @returns the value as JSON; large integers from {@link readFeatures} are written unchanged */
export const jsonOf = (value: unknown): string =>
  JSON.stringify(value, (_key, inner: unknown) => (typeof inner === "bigint" ? rawJson(String(inner)) : inner));

/** ECMAScript's `JSON.rawJSON`, which TypeScript's library does not declare yet. */
const { rawJSON: rawJson } = JSON as unknown as { rawJSON(text: string): unknown };
