import { createRequire } from "node:module";
import type { Feature } from "geojson";
import type { FormatId } from "../domain/formats.ts";
import type { Warning } from "../domain/jobs.ts";
import type { Engine, EngineTask } from "./engine.ts";
import { readFeatures, writeFeatures } from "./io/geojson.ts";
import { readCsv, writeCsv } from "./places/csv.ts";
import { readGpx, writeGpx } from "./places/gpx.ts";
import { readKml } from "./places/kml-in.ts";
import { writeKml } from "./places/kml-out.ts";

/**
 * Places as texts: KML, KMZ, GPX and tables of coordinates, to GeoJSON and from it. GDAL's own reader of KML gives only
 * names and descriptions, and its reader of GPX tears tracks and their times apart.
 */
export const placesEngine: Engine = {
  name: "places",
  version: async () => {
    const { version }: { version: string } = createRequire(import.meta.url)("fast-xml-parser/package.json");
    return version;
  },
  convert: async (task) => {
    const read = readers[task.from];
    const write = writers[task.to];
    if (read === undefined || write === undefined || (task.from !== "geojson") === (task.to !== "geojson")) {
      throw new TypeError(`places does not turn ${task.from} into ${task.to}.`);
    }
    const { features, warnings } = await read(task);
    task.progress(0.5);
    return { warnings: [...warnings, ...(await write(features, task))] };
  },
};

/** What was read, and what was lost on the way. */
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
