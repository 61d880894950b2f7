import { createWriteStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import type { Feature, Geometry } from "geojson";
import { DELIMITER } from "../../../domain/conversions/by-engine/data/csv-rules.ts";
import { JobError } from "../../../domain/errors.ts";
import type { Warning } from "../../../domain/warning.ts";
import type { EngineTask } from "../../core/engine.ts";
import type { CsvCell } from "../../data/csv/reader.ts";
import { strayQuotesWarning } from "../../data/csv/table.ts";
import { rowsOfText } from "../../data/csv/text-rows.ts";
import { csvText } from "../../data/csv/writer.ts";
import { featureOf, jsonOf, readMap } from "../geojson/geojson.ts";

/**
 * Reads a table of points. Its first row contains the column names, including a latitude and a longitude in WGS 84
 * degrees. The other columns are attributes: numbers when all values of a column are numeric.
 *
 * @throws JobError `unsupported_feature` when there are no such columns; `source_corrupt` when it is not a table
 */
export const readCsv = async (task: EngineTask): Promise<{ features: Feature[]; warnings: Warning[] }> => {
  const { text } = await readMap(task.input, task.options.encoding);
  const { rows: all, faults } = rowsOfText(text, task.options.delimiter);
  const [header = [], ...rows] = all;
  const columns = columnsOf(header);
  if (columns === undefined) {
    throw new JobError(
      "unsupported_feature",
      `The table must have “latitude” and “longitude” columns. Columns found: ${header.slice(0, 20).join(", ")}.`,
    );
  }
  const geometries = rows.map((row) => geometryOf(row, columns));
  const lost = geometries.filter((geometry) => geometry === undefined).length;
  if (rows.length > 0 && lost === rows.length) {
    throw new JobError("unsupported_feature", "No row of the table has valid WGS 84 coordinates.");
  }
  const fields = header.flatMap((name, index) =>
    columns.includes(index) ? [] : [{ name: name || `column_${index + 1}`, index, isNumber: isNumeric(rows, index) }],
  );
  const features = rows.map((row, index): Feature => {
    const values = fields.map(({ name, index: column, isNumber }) => {
      const value = row[column] ?? "";
      return [name, isNumber ? (value === "" ? null : Number(value)) : value];
    });
    return featureOf(geometries[index] ?? null, { properties: Object.fromEntries(values) });
  });
  return { features, warnings: [...(lost === 0 ? [] : [unplaced(lost)]), ...strayQuotesWarning(faults)] };
};

const unplaced = (count: number): Warning => ({
  code: "geometries_missing",
  detail: `${count} rows have no valid coordinates; their features have no geometry.`,
});

const LATITUDES = ["latitude", "lat", "y", "breite", "breitengrad", "latitud", "geo_lat"];
const LONGITUDES = ["longitude", "lon", "lng", "long", "x", "länge", "längengrad", "longitud", "geo_lon", "geo_lng"];
const HEIGHTS = ["elevation", "altitude", "ele", "alt", "height", "z"];

/** @returns the columns of longitude, latitude and, if any, height */
const columnsOf = (header: readonly string[]): readonly number[] | undefined => {
  const names = header.map((name) => name.trim().toLowerCase());
  const find = (wanted: readonly string[]) => wanted.map((name) => names.indexOf(name)).find((index) => index !== -1);
  const [latitude, longitude, height] = [find(LATITUDES), find(LONGITUDES), find(HEIGHTS)];
  return latitude === undefined || longitude === undefined
    ? undefined
    : [longitude, latitude, ...(height === undefined ? [] : [height])];
};

/** @returns the geometry; null when the row has no coordinates, undefined when they are invalid */
const geometryOf = (row: readonly string[], columns: readonly number[]): Geometry | null | undefined => {
  const texts = columns.map((column) => row[column]?.trim() ?? "");
  if (texts.every((text) => text === "")) {
    return null;
  }
  // Many countries use a decimal comma.
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

/** Numbers that convert back to the same text: no leading zeros, no more digits than a double has. */
const isNumeric = (rows: readonly string[][], column: number): boolean => {
  const values = rows.map((row) => row[column] ?? "").filter((value) => value !== "");
  return (
    values.length > 0 && values.every((value) => String(Number(value)) === value && Number.isFinite(Number(value)))
  );
};

/**
 * Writes a table: longitude and latitude of each point, the elevation if any point has one, and a column for each
 * attribute. The rows of lines and areas have no coordinates, which is reported as a warning.
 */
export const writeCsv = async (
  features: readonly Feature[],
  { output, options: { delimiter = DELIMITER } }: EngineTask,
): Promise<readonly Warning[]> => {
  const names = [...new Set(features.flatMap(({ properties }) => Object.keys(properties ?? {})))];
  const taken = new Set(names.map((name) => name.toLowerCase()));
  const free = (name: string): string => (taken.has(name) ? free(`${name}_`) : name);
  const axes = ["longitude", "latitude", ...(features.some(hasHeight) ? ["elevation"] : [])].map(free);
  const rowOf = (cells: readonly CsvCell[]) => csvText([cells], delimiter, "\r\n");
  const lines = function* () {
    yield rowOf([...axes, ...names]);
    for (const feature of features) {
      const point = positionOf(feature);
      yield rowOf([
        ...axes.map((_, axis) => shown(point[axis])),
        ...names.map((name) => shown(feature.properties?.[name])),
      ]);
    }
  };
  await pipeline(lines, createWriteStream(output));
  const lost = features.filter(({ geometry }) => geometry !== null && geometry?.type !== "Point").length;
  return lost === 0 ? [] : [missingCoordinates(lost)];
};

const missingCoordinates = (count: number): Warning => ({
  code: "geometries_dropped",
  detail: `${count} features are lines, areas or multipoints; their rows have attributes but no coordinates.`,
});

const positionOf = ({ geometry }: Feature): readonly number[] =>
  geometry?.type === "Point" ? geometry.coordinates : [];

const hasHeight = (feature: Feature): boolean => positionOf(feature).length > 2;

const shown = (value: unknown): CsvCell =>
  value === null || value === undefined || value === ""
    ? null
    : typeof value === "object"
      ? jsonOf(value)
      : String(value);
