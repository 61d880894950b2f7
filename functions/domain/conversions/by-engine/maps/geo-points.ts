import type { ConversionRow } from "../../conversion.ts";
import { CSV_RULES } from "../data/csv-rules.ts";

/** KML, KMZ and GPX, and geo points in tables. */
export const geoPointConversions: readonly ConversionRow[] = [
  { from: ["kml", "kmz", "gpx"], to: "geojson", fidelity: "lossless", options: [], costMs: 100 },
  { from: ["geojson"], to: "kml", fidelity: "lossless", options: [], costMs: 100 },
  { from: ["geojson"], to: "kmz", fidelity: "lossless", options: [], costMs: 150 },
  { from: ["geojson"], to: "gpx", fidelity: "lossy", options: [], costMs: 100 },
  {
    from: ["geojson"],
    to: "csv",
    fidelity: "content_only",
    options: ["delimiter"],
    rules: CSV_RULES,
    costMs: 100,
    last: true,
  },
  { from: ["csv"], to: "geojson", fidelity: "lossless", options: ["delimiter", "encoding"], costMs: 100, first: true },
];
