import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { tarOf, zipOf } from "../../raw-archives.ts";
import { type Attack, attack, sample, withMembers } from "../attack.ts";
import { sheetsOf } from "./drawings.ts";
import { eachOf, type Places, packageOf } from "./targets.ts";

/** Maps and databases. */
export const maps = (places: Places): readonly Attack[] => {
  const each = eachOf(places);
  const [first] = places;
  const sheet = sheetsOf(places);
  const kml = `${sheet}<kml>${each(
    (place) =>
      `<Document><NetworkLink><Link><href>${place}</href></Link></NetworkLink><GroundOverlay><Icon><href>${place}</href></Icon></GroundOverlay><Placemark><styleUrl>${place}#a</styleUrl><name>a</name><Model><Link><href>${place}</href></Link></Model><Point><coordinates>1,2</coordinates></Point></Placemark></Document>`,
  )}</kml>`;
  const vrt = `<OGRVRTDataSource>${each((place) => `<OGRVRTLayer name="a"><SrcDataSource>${place}</SrcDataSource><SrcSQL>SELECT * FROM a</SrcSQL></OGRVRTLayer>`)}</OGRVRTDataSource>`;
  const gml = String(sample("gml"))
    .replace(
      "<gml:FeatureCollection",
      `<gml:FeatureCollection xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="${places.map((place) => `${place} ${place}`).join(" ")}"`,
    )
    .replaceAll("<f:where>", `${each((place) => `<f:what xlink:href="${place}#a"/>`)}<f:where>`);
  return [
    attack("kml", ["geojson", "csv", "gpkg"], "all kinds of references", () => kml),
    attack("kmz", ["geojson"], "all kinds of references", () =>
      zipOf([
        { name: "../../doc.kml", bytes: kml },
        { name: "doc.kml", bytes: kml },
      ]),
    ),
    attack(
      "gpx",
      ["geojson"],
      "all kinds of references",
      () =>
        `${sheet}<gpx xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="${first} ${first}">${each((place) => `<wpt lat="1" lon="2"><link href="${place}"/></wpt>`)}</gpx>`,
    ),
    attack("gml", ["geojson", "gpkg"], "all kinds of references", () => gml),
    ...(["gml", "geojson", "geojsonl", "gpkg", "fgb", "kml"] as const).map((from) =>
      attack(from, ["csv", "shp"], "as a GDAL data source", () => vrt),
    ),
    attack("geojson", ["gpkg", "kml", "csv"], "as a coordinate system", () =>
      JSON.stringify({
        type: "FeatureCollection",
        crs: { type: "link", properties: { href: first, type: "proj4" } },
        features: [{ type: "Feature", properties: { a: first }, geometry: { type: "Point", coordinates: [1, 2] } }],
      }),
    ),
    attack("gpkg", ["geojson", "csv"], "as a view", () => database(places, sample("gpkg"))),
    attack("sqlite", ["json", "csv"], "as a view and a trigger", () => database(places)),
  ];
};

export const models = (places: Places): readonly Attack[] => {
  const each = eachOf(places);
  const gltf = JSON.stringify({
    asset: { version: "2.0" },
    buffers: places.map((uri) => ({ byteLength: 36, uri })),
    images: places.map((uri) => ({ uri })),
  });
  const textured = JSON.stringify({
    ...JSON.parse(String(sample("gltf"))),
    images: places.map((uri) => ({ uri })),
    textures: places.map((_, source) => ({ source })),
    materials: places.map((_, index) => ({ pbrMetallicRoughness: { baseColorTexture: { index } } })),
  });
  return [
    attack("gltf", ["glb", "obj", "stl"], "as buffers", () => gltf),
    attack("gltf", ["glb", "usdz", "3mf", "obj"], "as images", () => textured),
    attack(
      "obj",
      ["glb", "usdz", "3mf"],
      "as materials",
      () => `${each((place) => `mtllib ${place}\nusemtl a\nmap_Kd ${place}\n`)}v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n`,
    ),
    attack("3mf", ["glb"], "as relationships", () =>
      withMembers("3mf", [
        {
          name: "_rels/.rels",
          bytes: packageOf(
            each(
              (place) =>
                `<Relationship Id="a" Type="http://schemas.microsoft.com/3dmanufacturing/2013/01/3dmodel" Target="${place}"/>`,
            ),
          ),
        },
      ]),
    ),
  ];
};

export const archives = (places: Places): readonly Attack[] => [
  ...(["zip", "tar"] as const).map((from) =>
    attack(from, ["7z", from === "zip" ? "tar" : "zip"], "as names and links", () => {
      const members = places.flatMap((place, index) => [
        { name: `../../../${place}`, bytes: "x" },
        { name: place, bytes: "x" },
        { name: `link${index}`, bytes: place, type: "2", link: place, mode: 0o120_777 },
        { name: `link${index}/a`, bytes: "x" },
      ]);
      return from === "zip" ? zipOf(members) : tarOf(members);
    }),
  ),
];

/** @returns a database whose schema refers to files and programs */
const database = (places: Places, start?: Uint8Array): Buffer => {
  const folder = mkdtempSync(join(tmpdir(), "attack-"));
  const path = join(folder, "a.sqlite");
  if (start !== undefined) {
    writeFileSync(path, start);
  }
  const made = new DatabaseSync(path);
  made.exec("CREATE TABLE a (x); INSERT INTO a VALUES (1)");
  for (const [index, place] of places.entries()) {
    made.exec(`CREATE VIEW v${index} AS SELECT readfile('${place}'), load_extension('${place}'), edit('${place}')`);
  }
  made.close();
  const bytes = readFileSync(path);
  rmSync(folder, { recursive: true });
  return bytes;
};
