import { createWriteStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import { CsvError, parse } from "csv-parse/sync";
import type { Feature, Geometry } from "geojson";
import { JobError } from "../../domain/errors.ts";
import type { Warning } from "../../domain/jobs.ts";
import type { EngineTask } from "../engine.ts";
import { featureOf, jsonOf, readMap } from "../io/geojson.ts";
import { parseWkt, wktOf } from "./wkt.ts";

/**
 * Reads a table of places: its first row names the columns, and among them are a latitude and a longitude in degrees of
 * WGS 84, or one of geometries as well-known text. The others are attributes, numbers where all of a column are.
 *
 * @throws JobError `unsupported_feature` when there are no such columns; `source_corrupt` when it is no table
 */
export const readCsv = async (task: EngineTask): Promise<{ features: Feature[]; warnings: Warning[] }> => {
  const { text } = await readMap(task.input, task.options.encoding);
  const [header = [], ...rows] = rowsOf(text, task.options.delimiter ?? delimiterOf(text));
  const place = placeOf(header);
  if (place === undefined) {
    throw new JobError(
      "unsupported_feature",
      `The table has no columns of places: it needs “latitude” and “longitude”, or “WKT”; it has ${header.slice(0, 20).join(", ")}.`,
    );
  }
  const geometries = rows.map((row) => geometryOf(row, place));
  const lost = geometries.filter((geometry) => geometry === undefined).length;
  if (rows.length > 0 && lost === rows.length) {
    throw new JobError("unsupported_feature", "No row of the table has coordinates that are degrees of WGS 84.");
  }
  const fields = header.flatMap((name, index) =>
    place.columns.includes(index)
      ? []
      : [{ name: name || `column_${index + 1}`, index, isNumber: isNumeric(rows, index) }],
  );
  const features = rows.map((row, index): Feature => {
    const values = fields.map(({ name, index: column, isNumber }) => {
      const value = row[column] ?? "";
      return [name, isNumber ? (value === "" ? null : Number(value)) : value];
    });
    return featureOf(geometries[index] ?? null, { properties: Object.fromEntries(values) });
  });
  return { features, warnings: lost === 0 ? [] : [unplaced(lost)] };
};

const unplaced = (count: number): Warning => ({
  code: "geometries_missing",
  detail: `${count} rows have no coordinates that could be read; their features have no geometry.`,
});

const rowsOf = (text: string, delimiter: string): string[][] => {
  try {
    return parse(text, { delimiter, bom: true, relax_column_count: true, relax_quotes: true, skip_empty_lines: true });
  } catch (cause) {
    if (cause instanceof CsvError) {
      throw new JobError("source_corrupt", `The CSV could not be read: ${cause.message.split("\n", 1)[0]}`, { cause });
    }
    throw cause;
  }
};

/** @returns what parts the first line most often */
const delimiterOf = (text: string): string => {
  const line = text.split(/\r?\n/, 1)[0] ?? "";
  const counts = [",", ";", "\t", "|"].map((mark) => ({ mark, count: line.split(mark).length }));
  return counts.reduce((best, next) => (next.count > best.count ? next : best)).mark;
};

/** Where a row says its place. */
interface Place {
  readonly columns: readonly number[];
  readonly kind: "degrees" | "wkt";
}

const LATITUDES = ["latitude", "lat", "y", "breite", "breitengrad", "latitud", "geo_lat"];
const LONGITUDES = ["longitude", "lon", "lng", "long", "x", "länge", "längengrad", "longitud", "geo_lon", "geo_lng"];
const HEIGHTS = ["elevation", "altitude", "ele", "alt", "height", "z"];
const GEOMETRIES = ["wkt", "geometry", "geom", "the_geom", "wkt_geom", "shape"];

const placeOf = (header: readonly string[]): Place | undefined => {
  const names = header.map((name) => name.trim().toLowerCase());
  const find = (wanted: readonly string[]) => wanted.map((name) => names.indexOf(name)).find((index) => index !== -1);
  const [latitude, longitude, height, wkt] = [find(LATITUDES), find(LONGITUDES), find(HEIGHTS), find(GEOMETRIES)];
  if (wkt !== undefined) {
    return { columns: [wkt], kind: "wkt" };
  }
  return latitude === undefined || longitude === undefined
    ? undefined
    : { columns: [longitude, latitude, ...(height === undefined ? [] : [height])], kind: "degrees" };
};

/** @returns the geometry; null when the row has none, undefined when it cannot be read */
const geometryOf = (row: readonly string[], { columns, kind }: Place): Geometry | null | undefined => {
  const texts = columns.map((column) => row[column]?.trim() ?? "");
  if (texts.every((text) => text === "")) {
    return null;
  }
  if (kind === "wkt") {
    return / EMPTY$/i.test(texts[0] ?? "") ? null : parseWkt(texts[0] ?? "");
  }
  // In many countries the decimals stand behind a comma.
  const numbers = texts.map((text) => (text === "" ? Number.NaN : Number(text.replace(/^(-?\d+),(\d+)$/, "$1.$2"))));
  const [longitude = Number.NaN, latitude = Number.NaN, height = Number.NaN] = numbers;
  if (!(Math.abs(longitude) <= 360 && Math.abs(latitude) <= 90)) {
    return undefined;
  }
  return {
    type: "Point",
    coordinates: Number.isFinite(height) ? [longitude, latitude, height] : [longitude, latitude],
  };
};

/** Numbers that come back as the same text: no leading zeros, no more digits than a double has. */
const isNumeric = (rows: readonly string[][], column: number): boolean => {
  const values = rows.map((row) => row[column] ?? "").filter((value) => value !== "");
  return (
    values.length > 0 && values.every((value) => String(Number(value)) === value && Number.isFinite(Number(value)))
  );
};

/** Writes a table: a column of geometries as well-known text, and one for each attribute that some feature has. */
export const writeCsv = async (
  features: readonly Feature[],
  { output, options: { delimiter = "," } }: EngineTask,
): Promise<readonly Warning[]> => {
  const names = [...new Set(features.flatMap(({ properties }) => Object.keys(properties ?? {})))];
  const free = (name: string): string =>
    names.some((taken) => taken.toUpperCase() === name) ? free(`${name}_`) : name;
  const rowOf = (cells: readonly string[]) => `${cells.map((cell) => quoted(cell, delimiter)).join(delimiter)}\r\n`;
  const lines = function* () {
    yield rowOf([free("WKT"), ...names]);
    for (const { geometry, properties } of features) {
      yield rowOf([geometry ? wktOf(geometry) : "", ...names.map((name) => shown(properties?.[name]))]);
    }
  };
  await pipeline(lines, createWriteStream(output));
  return [];
};

const shown = (value: unknown): string =>
  value === null || value === undefined ? "" : typeof value === "object" ? jsonOf(value) : String(value);

const quoted = (cell: string, delimiter: string): string =>
  cell.includes(delimiter) || /["\r\n]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
