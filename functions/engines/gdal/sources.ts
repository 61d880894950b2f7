import { copyFile, link, open, stat } from "node:fs/promises";
import { join } from "node:path";
import { GEO_BYTES_MAX } from "../../domain/conversion-limits.ts";
import { JobError } from "../../domain/errors.ts";
import { type FormatId, formatOf } from "../../domain/formats.ts";
import type { EngineTask } from "../engine.ts";
import { unpackShapefile } from "./shapefile-in.ts";

/** What GDAL is to open: a path below `/job`, by one of these drivers and no other. */
export interface Source {
  readonly path: string;
  readonly drivers: readonly string[];
  readonly options: readonly string[];
  readonly warnings: readonly { readonly code: string; readonly detail: string }[];
}

/** The drivers by format; a GeoJSON may turn out to be one of lines. */
const DRIVERS: Partial<Record<FormatId, readonly string[]>> = {
  geojson: ["GeoJSON", "GeoJSONSeq"],
  geojsonl: ["GeoJSONSeq", "GeoJSON"],
  gpkg: ["GPKG"],
  fgb: ["FlatGeobuf"],
  gml: ["GML"],
  shp: ["ESRI Shapefile"],
};

/**
 * Lays the source into the step's folder, which is all that GDAL sees of the disk.
 *
 * @throws JobError `output_too_large`, and what {@link unpackShapefile} throws
 */
export const sourceOf = async (task: EngineTask): Promise<Source> => {
  const drivers = DRIVERS[task.from];
  if (drivers === undefined) {
    throw new TypeError(`GDAL does not read ${task.from} here.`);
  }
  const { size } = await stat(task.input);
  if (size > GEO_BYTES_MAX) {
    throw new JobError(
      "output_too_large",
      `The ${formatOf(task.from).name} has ${size} bytes; at most ${GEO_BYTES_MAX} are allowed.`,
    );
  }
  if (task.from === "shp") {
    const { folder, warnings } = await unpackShapefile(task, await isZip(task.input));
    return { path: `/job/${folder}`, drivers, options: [], warnings };
  }
  const name = `layer.${task.from}`;
  const place = join(task.folder, name);
  await link(task.input, place).catch(() => copyFile(task.input, place));
  // A list as a value becomes JSON in a text: what it stays in GeoJSON, and what the others can hold.
  const options = task.from.startsWith("geojson") && !task.to.startsWith("geojson") ? ["ARRAY_AS_STRING=YES"] : [];
  return { path: `/job/${name}`, drivers, options, warnings: [] };
};

const isZip = async (path: string): Promise<boolean> => {
  const file = await open(path);
  const { buffer } = await file.read(Buffer.alloc(2), 0, 2, 0);
  await file.close();
  return buffer.toString("latin1") === "PK";
};
