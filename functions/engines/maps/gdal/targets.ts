import type { FormatId } from "../../../domain/formats/formats.ts";

/** How a format is written. */
export interface Target {
  /** Options of `ogr2ogr`. */
  readonly options: readonly string[];
  readonly driver: string;
  /** The extension that the driver expects. */
  readonly extension: string;
  /** Whether a file contains one layer, all layers, or only geometries of one type of one layer. */
  readonly holds: "layer" | "layers" | "shapes";
  /** Whether coordinates are always WGS 84 degrees (RFC 7946, section 4). */
  readonly inDegrees: boolean;
}

/**
 * GeoJSON is written one feature per line, too: GDAL's other writer either splits geometries at the 180th meridian or
 * writes a coordinate system, which RFC 7946 does not allow. Nine decimals of a degree are 0.1 mm; RFC 7946 recommends
 * six (11.2).
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
  // It supports dates, but no times of day; text preserves them.
  shp: {
    driver: "ESRI Shapefile",
    extension: "shp",
    options: ["-lco", "ENCODING=UTF-8", "-mapFieldType", "DateTime=String,Time=String"],
    holds: "shapes",
    inDegrees: false,
  },
};
