import { createWriteStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import type { Feature, Geometry, Position } from "geojson";
import { MAP_XML_BYTES_MAX } from "../../../domain/conversions/conversion-limits.ts";
import { JobError } from "../../../domain/errors.ts";
import type { Warning } from "../../../domain/warning.ts";
import type { EngineTask } from "../../core/engine.ts";
import { readInput } from "../../core/input.ts";
import { xmlText } from "../../data/text/xml.ts";
import { featureOf } from "../geojson/geojson.ts";
import { singles } from "./shapes.ts";
import { childrenOf, type Element, parseXml, textIn } from "./xml.ts";

/** Text elements of waypoints, routes and tracks, in schema order (GPX 1.1). */
const TEXTS = ["time", "name", "cmt", "desc", "src", "number", "sym", "type"] as const;

/**
 * Reads waypoints, routes and tracks of a GPX. Heights are third coordinates, and the times of a track's points are in
 * `coordTimes`.
 *
 * @throws JobError `source_corrupt`, `output_too_large`
 */
export const readGpx = async ({ input }: EngineTask): Promise<{ features: Feature[]; warnings: Warning[] }> => {
  const root = parseXml(await readInput(input, { max: MAP_XML_BYTES_MAX, name: "GPX" }), "gpx");
  const features = root.children.flatMap((element) => {
    if (element.name === "wpt") {
      return [featureOfElement(element, { type: "Point", coordinates: positionOf(element) })];
    }
    // An element may have the name of a built-in object property.
    const read = Object.hasOwn(linesOf, element.name) ? linesOf[element.name] : undefined;
    const lines = read?.(element).filter((points) => points.length > 0);
    return lines === undefined ? [] : [lineFeature(element, lines)];
  });
  return { features, warnings: [] };
};

const linesOf: Readonly<Record<string, (element: Element) => Element[][]>> = {
  rte: (element) => [childrenOf(element, "rtept")],
  trk: (element) => childrenOf(element, "trkseg").map((segment) => childrenOf(segment, "trkpt")),
};

const featureOfElement = (element: Element, geometry: Geometry | null, more: Record<string, unknown> = {}): Feature => {
  const texts = TEXTS.flatMap((name) => {
    const text = textIn(element, name);
    return text === undefined ? [] : [[name, text]];
  });
  const link = childrenOf(element, "link")[0]?.attributes.href;
  const properties = { ...Object.fromEntries(texts), ...(link === undefined ? {} : { link }), ...more };
  return featureOf(geometry, { properties });
};

const lineFeature = (element: Element, lines: readonly Element[][]): Feature => {
  const coordinates = lines.map((points) => points.map(positionOf));
  const times = lines.map((points) => points.map((point) => textIn(point, "time") ?? null));
  const timed = times.some((line) => line.some((time) => time !== null));
  const [first] = coordinates;
  if (first === undefined) {
    return featureOfElement(element, null);
  }
  if (coordinates.length > 1) {
    return featureOfElement(element, { type: "MultiLineString", coordinates }, timed ? { coordTimes: times } : {});
  }
  // A line requires at least two positions (RFC 7946, 3.1.4).
  const geometry: Geometry =
    first.length === 1 ? { type: "Point", coordinates: first[0] ?? [] } : { type: "LineString", coordinates: first };
  return featureOfElement(element, geometry, timed ? { coordTimes: times[0] } : {});
};

const positionOf = (point: Element): Position => {
  const [longitude, latitude] = [Number(point.attributes.lon), Number(point.attributes.lat)];
  if (!(Math.abs(longitude) <= 360 && Math.abs(latitude) <= 90)) {
    throw new JobError("source_corrupt", "A point of the GPX has no valid longitude and latitude.");
  }
  const height = Number(textIn(point, "ele") ?? Number.NaN);
  return Number.isFinite(height) ? [longitude, latitude, height] : [longitude, latitude];
};

/**
 * Writes a GPX 1.1: points become waypoints, lines become tracks. Polygons are omitted, because GPX does not support
 * them.
 *
 * @throws JobError `unsupported_feature` when nothing remains
 */
export const writeGpx = async (features: readonly Feature[], { output }: EngineTask): Promise<readonly Warning[]> => {
  const waypoints: string[] = [];
  const tracks: string[] = [];
  let dropped = 0;
  for (const feature of features) {
    const parts = singles(feature.geometry);
    const points = parts.filter(({ type }) => type === "Point");
    const lines = parts.flatMap((part) => (part.type === "LineString" ? [part.coordinates] : []));
    for (const point of points) {
      waypoints.push(waypointOf(feature, point.coordinates as Position));
    }
    if (lines.length > 0) {
      tracks.push(trackOf(feature, lines));
    }
    dropped += points.length + lines.length < Math.max(1, parts.length) ? 1 : 0;
  }
  if (waypoints.length + tracks.length === 0) {
    throw new JobError("unsupported_feature", "The file has no points or lines; GPX supports nothing else.");
  }
  const text = [HEAD, ...waypoints, ...tracks, "</gpx>\n"];
  await pipeline(text, createWriteStream(output));
  const detail = `GPX supports only points and lines; ${dropped} features with polygons or without a geometry were removed.`;
  return dropped === 0 ? [] : [{ code: "features_dropped", detail }];
};

const HEAD =
  '<?xml version="1.0" encoding="UTF-8"?>\n<gpx version="1.1" creator="anyform" xmlns="http://www.topografix.com/GPX/1/1">\n';

/** @returns the feature's texts that have a GPX element; `description` becomes `desc` */
const textsOf = ({ properties }: Feature, names: readonly string[]): string =>
  names
    .flatMap((name) => {
      const value = properties?.[name] ?? (name === "desc" ? properties?.description : undefined);
      const fits = typeof value === "string" || typeof value === "number" || typeof value === "bigint";
      return fits && (name !== "number" || /^\d+$/.test(String(value))) && (name !== "time" || isTime(value))
        ? [`<${name}>${xmlText(String(value))}</${name}>`]
        : [];
    })
    .join("");

const isTime = (value: unknown): boolean =>
  typeof value === "string" && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)?$/.test(value);

const point = (tag: string, [longitude, latitude, height]: Position, inner: string): string => {
  const ele = height === undefined ? "" : `<ele>${height}</ele>`;
  return `<${tag} lat="${latitude}" lon="${longitude}">${ele}${inner}</${tag}>\n`;
};

const waypointOf = (feature: Feature, position: Position): string =>
  point("wpt", position, textsOf(feature, ["time", "name", "cmt", "desc", "src", "sym", "type"]));

const trackOf = (feature: Feature, lines: readonly Position[][]): string => {
  const times: unknown = feature.properties?.coordTimes;
  const timeAt = (line: number, index: number): unknown => {
    const list: unknown = Array.isArray(times) && lines.length > 1 ? times[line] : times;
    return Array.isArray(list) ? list[index] : undefined;
  };
  const segments = lines.map((positions, line) => {
    const points = positions.map((position, index) => {
      const time = timeAt(line, index);
      return point("trkpt", position, isTime(time) ? `<time>${time}</time>` : "");
    });
    return `<trkseg>\n${points.join("")}</trkseg>\n`;
  });
  return `<trk>${textsOf(feature, ["name", "cmt", "desc", "src", "number", "type"])}\n${segments.join("")}</trk>\n`;
};
