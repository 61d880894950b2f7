import type { Feature } from "geojson";
import type { FormatId } from "../../domain/formats/formats.ts";
import type { Warning } from "../../domain/warning.ts";
import type { Engine, EngineTask } from "../core/engine.ts";
import { readCsv, writeCsv } from "./geo-points/csv.ts";
import { readGpx, writeGpx } from "./geo-points/gpx.ts";
import { readKml } from "./geo-points/kml-in.ts";
import { writeKml } from "./geo-points/kml-out.ts";
import { readFeatures, writeFeatures } from "./geojson/geojson.ts";

/**
 * Text formats for geo points: KML, KMZ, GPX and tables of coordinates, to and from GeoJSON. GDAL's KML reader returns
 * only names and descriptions, and its GPX reader separates tracks from their times.
 */
export const geoPointsEngine: Engine = {
  name: "geo-points",
  version: async () => process.version,
  convert: async (task) => {
    const read = readers[task.from];
    const write = writers[task.to];
    if (read === undefined || write === undefined || (task.from !== "geojson") === (task.to !== "geojson")) {
      throw new TypeError(`geo-points does not convert ${task.from} to ${task.to}.`);
    }
    const { features, warnings } = await read(task);
    task.progress(0.5);
    return { warnings: [...warnings, ...(await write(features, task))] };
  },
};

/** The features of a file, and what was lost while reading it. */
interface Read {
  readonly features: readonly Feature[];
  readonly warnings: readonly Warning[];
}

const readers: Partial<Record<FormatId, (task: EngineTask) => Promise<Read>>> = {
  geojson: async ({ input }) => ({ features: await readFeatures(input), warnings: [] }),
  kml: readKml,
  kmz: readKml,
  gpx: readGpx,
  csv: readCsv,
};

const writers: Partial<
  Record<FormatId, (features: readonly Feature[], task: EngineTask) => Promise<readonly Warning[]>>
> = {
  geojson: async (features, { output }) => {
    await writeFeatures(output, features);
    return [];
  },
  kml: writeKml,
  kmz: writeKml,
  gpx: writeGpx,
  csv: writeCsv,
};
