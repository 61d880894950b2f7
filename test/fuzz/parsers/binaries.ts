import type { FormatId } from "../../../functions/domain/formats.ts";
import { fontsEngine } from "../../../functions/engines/fonts.ts";
import { readHeifHeader } from "../../../functions/engines/heif/boxes.ts";
import { uprightExif } from "../../../functions/engines/io/exif.ts";
import { dataUriOf, pictureHeader } from "../../../functions/engines/io/picture-header.ts";
import { parseWkt, wktOf } from "../../../functions/engines/places/wkt.ts";
import { placesEngine } from "../../../functions/engines/places.ts";
import { topojsonEngine } from "../../../functions/engines/topojson.ts";
import { sample } from "../../engines/support/attacks/attack.ts";
import { changedJson } from "../grammars/json.ts";
import { gpxGrammar, kmlGrammar, xmlOf } from "../grammars/xml.ts";
import { broken, type Parser } from "../parser.ts";
import { everySample } from "../samples.ts";
import { through, toMap } from "../through.ts";

/** Sides are numbers, whatever the head says. */
const holdPicture = (input: Buffer): void => {
  const header = pictureHeader(input);
  dataUriOf(input);
  uprightExif(input);
  if (header !== undefined && !(header.width >= 0 && header.height >= 0)) {
    throw broken("A picture has sides", header);
  }
};

/** What is written of a geometry is read as the same. */
const holdWkt = (input: Buffer): void => {
  const geometry = parseWkt(input.toString());
  const written = geometry === undefined ? "" : wktOf(geometry);
  // A geometry of nothing is no place, and is read as none.
  const once = written.includes("EMPTY") ? "" : written;
  const again = once === "" ? undefined : parseWkt(once);
  if (once !== "" && (again === undefined || wktOf(again) !== once)) {
    throw broken("A geometry is read as it was written", [once, again]);
  }
};

const TABLES = ["glyf", "loca", "head", "name", "cmap", "\xff\xff\xff\xff", "\0\0\0\0", "wOFF", "OTTO", "ttcf"];
const font = (name: FormatId & ("ttf" | "woff" | "eot" | "ttc"), to: FormatId): Parser => ({
  name,
  sources: ["functions/engines/fonts/"],
  samples: () => [sample(name).subarray(0, 65_536)],
  words: TABLES,
  hold: through(fontsEngine, name, to),
});

const MAP_WORDS = [
  ...["type", "Point", "LineString", "Polygon", "MultiPoint", "GeometryCollection", "Feature", "FeatureCollection"],
  ...["coordinates", "geometries", "geometry", "properties", "features", "crs", "bbox", "id", "coordTimes", "name"],
  ...["Topology", "objects", "arcs", "transform", "scale", "translate", "time", "styleUrl"],
];

export const binaryParsers: readonly Parser[] = [
  font("ttf", "woff"),
  font("woff", "ttf"),
  font("eot", "ttf"),
  font("ttc", "ttf"),
  {
    name: "heif",
    sources: ["functions/engines/heif/boxes.ts"],
    samples: () => [sample("heic").subarray(0, 4_000), sample("avif").subarray(0, 2_000)],
    words: ["meta", "iinf", "iref", "iprp", "ipco", "ipma", "pitm", "ispe", "hvcC", "\0\0\0\x01", "\xff\xff\xff\xff"],
    hold: async (input, place) => {
      await readHeifHeader(place.file(input));
    },
  },
  {
    name: "picture",
    sources: ["functions/engines/io/picture-header.ts", "functions/engines/io/exif.ts"],
    samples: () => everySample(2_000),
    words: ["\x89PNG", "GIF8", "BM", "\xff\xd8\xff", "RIFFaaaaWEBP", "<svg ", "Exif\0\0", "II*\0", "MM\0*"],
    hold: holdPicture,
  },
  {
    name: "wkt",
    sources: ["functions/engines/places/wkt.ts"],
    samples: () => [
      "POINT Z (1 2 3)",
      "GEOMETRYCOLLECTION(POINT(1 2),LINESTRING(1 2,3 4))",
      "POLYGON((0 0,1 0,1 1,0 0),(1 2,3 4,5 6,1 2))",
    ],
    words: ["EMPTY", "(", ")", ",", " ", "MULTIPOINT(", "GEOMETRYCOLLECTION(", "1e999", "SRID=4326;", "ZM"],
    hold: holdWkt,
  },
  {
    name: "kml",
    sources: ["kml-in", "kml-geometry", "shapes", "xml"].map((file) => `functions/engines/places/${file}.ts`),
    change: (_, random) => xmlOf(kmlGrammar)(random),
    samples: () => [sample("kml")],
    words: [
      "<Placemark>",
      "</Placemark>",
      "<Point>",
      "<coordinates>1,2 3,4</coordinates>",
      "<MultiGeometry>",
      "<ExtendedData>",
      "<![CDATA[",
      "&#0;",
    ],
    hold: toMap(placesEngine, "kml"),
  },
  {
    name: "gpx",
    sources: ["functions/engines/places/gpx.ts", "functions/engines/places/xml.ts"],
    change: (_, random) => xmlOf(gpxGrammar)(random),
    samples: () => [sample("gpx")],
    words: ['<wpt lat="1" lon="2">', "</wpt>", "<trk>", "<trkseg>", "<trkpt", "<ele>", "<time>", "NaN", "<extensions>"],
    hold: toMap(placesEngine, "gpx"),
  },
  {
    name: "geojson",
    sources: [
      "functions/engines/places/kml-out.ts",
      "functions/engines/io/geojson.ts",
      "functions/engines/io/geometry-check.ts",
    ],
    samples: () => [sample("geojson")],
    change: changedJson(MAP_WORDS),
    words: [
      '{"type":"Point","coordinates":',
      "[1,2]",
      "null",
      "[]",
      '"GeometryCollection"',
      '"geometries":',
      "1e999",
      '"properties":{',
    ],
    hold: through(placesEngine, "geojson", "kml"),
  },
  {
    name: "geojson-gpx",
    sources: ["functions/engines/places/gpx.ts", "functions/engines/io/geojson.ts"],
    samples: () => [sample("geojson")],
    words: MAP_WORDS,
    change: changedJson(MAP_WORDS),
    hold: through(placesEngine, "geojson", "gpx"),
  },
  {
    name: "topojson",
    sources: ["functions/engines/topojson.ts", "functions/engines/io/geometry-check.ts"],
    samples: () => [sample("topojson").subarray(0, 65_536)],
    words: MAP_WORDS,
    change: changedJson(MAP_WORDS),
    hold: through(topojsonEngine, "topojson", "geojson"),
  },
];
