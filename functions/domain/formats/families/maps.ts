import { at, type Format } from "../format.ts";

/** Maps and geo points. */
export const geoFormats = [
  {
    id: "geojsonl",
    name: "GeoJSON lines",
    family: "geo",
    extensions: ["geojsonl", "geojsons", "geojsonseq"],
    mediaTypes: ["application/geo+json-seq"],
    keeps: ["geometry", "attributes", "types"],
    shape: /^\s*\{[^\n]*"type"\s*:\s*"Feature"[^\n]*\}[ \t\r]*\n\s*\{/,
    named: "geojson",
  },
  {
    id: "geojson",
    name: "GeoJSON",
    family: "geo",
    extensions: ["geojson"],
    mediaTypes: ["application/geo+json", "application/vnd.geo+json"],
    keeps: ["geometry", "attributes", "types"],
    hub: true,
    // Other JSON can contain "Point", so a bare geometry must start like one.
    shape:
      /^\s*\{(?:[\s\S]*?"type"\s*:\s*"Feature(?:Collection)?"|\s*"type"\s*:\s*"(?:(?:Multi)?(?:Point|LineString|Polygon)"\s*,\s*"coordinates"|GeometryCollection"\s*,\s*"geometries"))/,
    named: "json",
  },
  {
    id: "kml",
    name: "KML",
    family: "geo",
    extensions: ["kml"],
    mediaTypes: ["application/vnd.google-earth.kml+xml"],
    keeps: ["geometry", "attributes", "styles"],
    xmlRoots: ["kml"],
  },
  {
    id: "kmz",
    name: "KMZ",
    family: "geo",
    extensions: ["kmz"],
    mediaTypes: ["application/vnd.google-earth.kmz"],
    keeps: ["geometry", "attributes", "styles", "pictures"],
    // A zip of several KML files is a zip; the file in a KMZ can have another name.
    members: ["doc.kml"],
    named: "zip",
  },
  {
    id: "gpx",
    name: "GPX",
    family: "geo",
    extensions: ["gpx"],
    mediaTypes: ["application/gpx+xml"],
    // Points and lines with a few attributes.
    keeps: ["geometry"],
    xmlRoots: ["gpx"],
  },
  {
    id: "shp",
    name: "Shapefile",
    family: "geo",
    // A shapefile is several files, which are read and written as one zip.
    extensions: ["shp.zip", "shz", "shp"],
    mediaTypes: ["application/vnd.shp+zip", "application/vnd.shp", "application/x-esri-shape"],
    keeps: ["geometry", "attributes", "types"],
    // A bare .shp has the version after its file code (ESRI Shapefile Technical Description, table 1).
    magic: [[at(0, "00 00 27 0a"), at(28, "e8 03 00 00")]],
    members: ["*.shp"],
  },
  {
    id: "gpkg",
    name: "GeoPackage",
    family: "geo",
    extensions: ["gpkg"],
    mediaTypes: ["application/geopackage+sqlite3"],
    keeps: ["geometry", "attributes", "types"],
    // SQLite, with the application ID of GeoPackage 1.2 and later, 1.0 and 1.1 (OGC 12-128, 1.1.1.1.1).
    magic: [
      [at(0, "53 51 4c 69 74 65 20 66"), at(68, "47 50 4b 47")],
      [at(0, "53 51 4c 69 74 65 20 66"), at(68, "47 50 31 30")],
      [at(0, "53 51 4c 69 74 65 20 66"), at(68, "47 50 31 31")],
    ],
  },
  {
    id: "fgb",
    name: "FlatGeobuf",
    family: "geo",
    extensions: ["fgb"],
    mediaTypes: ["application/flatgeobuf", "application/vnd.flatgeobuf"],
    keeps: ["geometry", "attributes", "types"],
    magic: [[at(0, "66 67 62 03 66 67 62")]],
  },
  {
    id: "gml",
    name: "GML",
    family: "geo",
    extensions: ["gml"],
    mediaTypes: ["application/gml+xml"],
    keeps: ["geometry", "attributes"],
    xmlRoots: ["FeatureCollection"],
  },
] as const satisfies readonly Format[];
