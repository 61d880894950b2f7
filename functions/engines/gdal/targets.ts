import type { FormatId } from "../../domain/formats.ts";

/** How a format is written. */
export interface Target {
  /** The options of `ogr2ogr`. */
  readonly options: readonly string[];
  readonly driver: string;
  /** The extension that the driver wants to see. */
  readonly extension: string;
  /** Whether a file holds one layer, all, or of one only the geometries of one kind. */
  readonly holds: "layer" | "layers" | "shapes";
  /** Whether its coordinates are always degrees of WGS 84 (RFC 7946, section 4). */
  readonly inDegrees: boolean;
}

/**
 * A feature a line is what GDAL writes for GeoJSON, too: its other writer either cuts at the 180th meridian what crosses
 * it, or names a coordinate system, which RFC 7946 has not. Nine decimals of a degree are 0.1 mm; RFC 7946 finds six
 * enough (11.2).
 */
const LINES: Target = {
  driver: "GeoJSONSeq",
  extension: "geojsonl",
  options: ["-lco", "COORDINATE_PRECISION=9"],
  holds: "layer",
  inDegrees: true,
};

export const targets: Partial<Record<FormatId, Target>> = {
  geojson: LINES,
  geojsonl: LINES,
  fgb: { driver: "FlatGeobuf", extension: "fgb", options: [], holds: "layer", inDegrees: false },
  gpkg: { driver: "GPKG", extension: "gpkg", options: [], holds: "layers", inDegrees: false },
  // It has days, but no times of day; a text keeps them.
  shp: {
    driver: "ESRI Shapefile",
    extension: "shp",
    options: ["-lco", "ENCODING=UTF-8", "-mapFieldType", "DateTime=String,Time=String"],
    holds: "shapes",
    inDegrees: false,
  },
};
