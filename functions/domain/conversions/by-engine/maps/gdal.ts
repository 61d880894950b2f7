import type { FormatId } from "../../../formats/formats.ts";
import type { ConversionRow } from "../../conversion.ts";

/**
 * Formats that GDAL reads. They convert directly into each other, so that coordinate systems and types do not pass
 * through GeoJSON.
 */
const LAYERS = ["geojson", "geojsonl", "shp", "gpkg", "fgb"] as const satisfies readonly FormatId[];
const READ = [...LAYERS, "gml"] as const satisfies readonly FormatId[];

const into = (to: FormatId, row: Pick<ConversionRow, "fidelity" | "costMs">): ConversionRow => ({
  from: READ.filter((format) => format !== to),
  to,
  options: ["table", "encoding"],
  ...row,
});

/** Map layers. */
export const gdalConversions: readonly ConversionRow[] = [
  into("geojson", { fidelity: "lossless", costMs: 150 }),
  into("geojsonl", { fidelity: "lossless", costMs: 150 }),
  into("gpkg", { fidelity: "lossless", costMs: 200 }),
  into("fgb", { fidelity: "lossless", costMs: 150 }),
  // Names have at most ten characters, text has at most 254 bytes, and dates have no time.
  into("shp", { fidelity: "lossy", costMs: 200 }),
];
