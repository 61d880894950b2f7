import { copyFile, link, open } from "node:fs/promises";
import { join } from "node:path";
import { GEO_BYTES_MAX } from "../../../domain/conversions/conversion-limits.ts";
import { type FormatId, formatOf } from "../../../domain/formats/formats.ts";
import { type EngineTask, rowFor } from "../../core/engine.ts";
import { checkInput } from "../../core/input.ts";
import { unpackShapefile } from "./shapefile-in.ts";

/** What GDAL opens: a path in `/job`, with one of these drivers only. */
export interface Source {
  readonly path: string;
  readonly drivers: readonly string[];
  readonly options: readonly string[];
  readonly warnings: readonly { readonly code: string; readonly detail: string }[];
}

/** The drivers by format; a GeoJSON may actually be line-delimited. */
const DRIVERS: Partial<Record<FormatId, readonly string[]>> = {
  geojson: ["GeoJSON", "GeoJSONSeq"],
  geojsonl: ["GeoJSONSeq", "GeoJSON"],
  gpkg: ["GPKG"],
  fgb: ["FlatGeobuf"],
  gml: ["GML"],
  shp: ["ESRI Shapefile"],
};

/**
 * Puts the source into the step's folder, the only part of the disk that GDAL sees.
 *
 * @throws JobError `output_too_large`, and what {@link unpackShapefile} throws
 */
export const sourceOf = async (task: EngineTask): Promise<Source> => {
  const drivers = rowFor(DRIVERS, task.from, "gdal");
  await checkInput(task.input, { max: GEO_BYTES_MAX, name: formatOf(task.from).name });
  if (task.from === "shp") {
    const { folder, warnings } = await unpackShapefile(task, await isZip(task.input));
    return { path: `/job/${folder}`, drivers, options: [], warnings };
  }
  const name = `layer.${task.from}`;
  const path = join(task.folder, name);
  await link(task.input, path).catch(() => copyFile(task.input, path));
  // A list as a value becomes JSON text, which the other formats can store; GeoJSON keeps it.
  const options = task.from.startsWith("geojson") && !task.to.startsWith("geojson") ? ["ARRAY_AS_STRING=YES"] : [];
  return { path: `/job/${name}`, drivers, options, warnings: [] };
};

const isZip = async (path: string): Promise<boolean> => {
  const file = await open(path);
  const { buffer } = await file.read(Buffer.alloc(2), 0, 2, 0);
  await file.close();
  return buffer.toString("latin1") === "PK";
};
