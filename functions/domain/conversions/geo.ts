import type { ConversionRow } from "../conversion.ts";
import type { FormatId } from "../formats.ts";

/** What GDAL reads; each also turns into each other, so that coordinate systems and types need no way through GeoJSON. */
const LAYERS = ["geojson", "geojsonl", "shp", "gpkg", "fgb"] as const satisfies readonly FormatId[];
const READ = [...LAYERS, "gml"] as const satisfies readonly FormatId[];
const without = (target: FormatId): FormatId[] => READ.filter((format) => format !== target);

const byGdal = (to: FormatId, row: Pick<ConversionRow, "fidelity" | "costMs">): ConversionRow => ({
  from: without(to),
  to,
  engine: "gdal",
  options: ["table", "encoding"],
  ...row,
});

export const geoConversions: readonly ConversionRow[] = [
  byGdal("geojson", { fidelity: "lossless", costMs: 150 }),
  byGdal("geojsonl", { fidelity: "lossless", costMs: 150 }),
  byGdal("gpkg", { fidelity: "lossless", costMs: 200 }),
  byGdal("fgb", { fidelity: "lossless", costMs: 150 }),
  // Names of ten letters, texts of 254 bytes, dates without a time.
  byGdal("shp", { fidelity: "lossy", costMs: 200 }),
  { from: ["kml", "kmz", "gpx"], to: "geojson", engine: "places", fidelity: "lossless", options: [], costMs: 100 },
  { from: ["geojson"], to: "kml", engine: "places", fidelity: "lossless", options: [], costMs: 100 },
  { from: ["geojson"], to: "kmz", engine: "places", fidelity: "lossless", options: [], costMs: 150 },
  { from: ["geojson"], to: "gpx", engine: "places", fidelity: "lossy", options: [], costMs: 100 },
  {
    from: ["geojson"],
    to: "csv",
    engine: "places",
    fidelity: "content_only",
    options: ["delimiter"],
    costMs: 100,
    last: true,
  },
  {
    from: ["csv"],
    to: "geojson",
    engine: "places",
    fidelity: "lossless",
    options: ["delimiter", "encoding"],
    costMs: 100,
    first: true,
  },
  { from: ["geojson"], to: "topojson", engine: "topojson", fidelity: "lossless", options: [], costMs: 100 },
  { from: ["topojson"], to: "geojson", engine: "topojson", fidelity: "lossless", options: ["table"], costMs: 100 },
];
