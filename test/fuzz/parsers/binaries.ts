import type { FormatId } from "../../../functions/domain/formats/formats.ts";
import { fontsEngine } from "../../../functions/engines/fonts/fonts.ts";
import { geoPointsEngine } from "../../../functions/engines/maps/geo-points.ts";
import { uprightExif } from "../../../functions/engines/pictures/files/exif.ts";
import { dataUriOf, pictureHeader } from "../../../functions/engines/pictures/files/header.ts";
import { readHeifHeader } from "../../../functions/engines/pictures/heif/boxes.ts";
import { sample } from "../../engines/support/attacks/attack.ts";
import { changedJson } from "../grammars/json.ts";
import { gpxGrammar, kmlGrammar, xmlOf } from "../grammars/xml.ts";
import { broken, type Parser } from "../parser.ts";
import { everySample } from "../samples.ts";
import { through, toMap } from "../through.ts";

/** Dimensions are numbers, whatever the header contains. */
const holdPicture = (input: Buffer): void => {
  const header = pictureHeader(input);
  dataUriOf(input);
  uprightExif(input);
  if (header !== undefined && !(header.width >= 0 && header.height >= 0)) {
    throw broken("An image has dimensions", header);
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
  ...["time", "styleUrl"],
];

export const binaryParsers: readonly Parser[] = [
  font("ttf", "woff"),
  font("woff", "ttf"),
  font("eot", "ttf"),
  font("ttc", "ttf"),
  {
    name: "bdf",
    sources: ["functions/engines/fonts/bitmaps/"],
    samples: () => [sample("bdf")],
    words: [
      "STARTCHAR",
      "ENDCHAR",
      "BITMAP",
      "BBX 9 9 0 0",
      "ENCODING -1",
      "DWIDTH",
      "CHARS",
      "FF",
      "-1",
      "8000",
      "\n",
    ],
    hold: through(fontsEngine, "bdf", "ttf"),
  },
  {
    name: "heif",
    sources: ["functions/engines/pictures/heif/boxes.ts"],
    samples: () => [sample("heic").subarray(0, 4_000), sample("avif").subarray(0, 2_000)],
    words: ["meta", "iinf", "iref", "iprp", "ipco", "ipma", "pitm", "ispe", "hvcC", "\0\0\0\x01", "\xff\xff\xff\xff"],
    hold: async (input, workspace) => {
      await readHeifHeader(workspace.file(input));
    },
  },
  {
    name: "picture",
    sources: ["functions/engines/pictures/files/header.ts", "functions/engines/pictures/files/exif.ts"],
    samples: () => everySample(2_000),
    words: ["\x89PNG", "GIF8", "BM", "\xff\xd8\xff", "RIFFaaaaWEBP", "<svg ", "Exif\0\0", "II*\0", "MM\0*"],
    hold: holdPicture,
  },
  {
    name: "kml",
    sources: ["kml-in", "kml-geometry", "shapes", "xml"].map((file) => `functions/engines/maps/geo-points/${file}.ts`),
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
    hold: toMap(geoPointsEngine, "kml"),
  },
  {
    name: "gpx",
    sources: ["functions/engines/maps/geo-points/gpx.ts", "functions/engines/maps/geo-points/xml.ts"],
    change: (_, random) => xmlOf(gpxGrammar)(random),
    samples: () => [sample("gpx")],
    words: ['<wpt lat="1" lon="2">', "</wpt>", "<trk>", "<trkseg>", "<trkpt", "<ele>", "<time>", "NaN", "<extensions>"],
    hold: toMap(geoPointsEngine, "gpx"),
  },
  {
    name: "geojson",
    sources: [
      "functions/engines/maps/geo-points/kml-out.ts",
      "functions/engines/maps/geojson/geojson.ts",
      "functions/engines/maps/geojson/geometry-check.ts",
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
    hold: through(geoPointsEngine, "geojson", "kml"),
  },
  {
    name: "geojson-gpx",
    sources: ["functions/engines/maps/geo-points/gpx.ts", "functions/engines/maps/geojson/geojson.ts"],
    samples: () => [sample("geojson")],
    words: MAP_WORDS,
    change: changedJson(MAP_WORDS),
    hold: through(geoPointsEngine, "geojson", "gpx"),
  },
];
