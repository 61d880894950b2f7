import { assimp, bsdtar, ogr2ogr, soffice } from "../references/reference.ts";
import { type Pair, pairsOf } from "./pair.ts";

/** Tables, structured data, archives, maps, models and fonts. */

const cells = { kind: "cells" } as const;
const values = { kind: "values" } as const;

export const dataPairs: readonly Pair[] = [
  ...pairsOf(["xlsx", "xls", "ods"], ["csv"], { ...cells, reference: soffice }),
  ...pairsOf(["xls", "ods"], ["xlsx"], { ...cells, reference: soffice }),
  ...pairsOf(["csv"], ["xlsx"], { ...cells, reference: soffice }),
  ...pairsOf(["xlsx"], ["json"], cells),
  ...pairsOf(["csv"], ["json", "xml"], values),
  ...pairsOf(["json"], ["csv", "yaml"], values),
  ...pairsOf(["yaml", "xml", "toml", "plist"], ["json"], values),
  ...pairsOf(["zip"], ["tar", "7z"], { kind: "entries", reference: bsdtar }),
  ...pairsOf(["7z", "tgz", "rar", "tar"], ["zip"], { kind: "entries", reference: bsdtar }),
  ...pairsOf(["kml", "gpx"], ["geojson"], { kind: "map", reference: ogr2ogr }),
  ...pairsOf(["geojson"], ["kml"], { kind: "map", reference: ogr2ogr }),
  ...pairsOf(["stl", "obj"], ["glb"], { kind: "mesh", reference: assimp }),
  ...pairsOf(["ttf"], ["woff2"], { kind: "font" }),
  ...pairsOf(["woff", "woff2"], ["ttf"], { kind: "font" }),
];
