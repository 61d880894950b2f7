import { readFileSync } from "node:fs";
import type { Feature, FeatureCollection } from "geojson";
import { beforeAll, describe, expect, test } from "vitest";
import { detectFormat } from "../../../functions/domain/formats/detect.ts";
import { readZip } from "../../../functions/engines/archives/zip/reader.ts";
import { writeZip } from "../../../functions/engines/archives/zip/writer.ts";
import { codeOf } from "../support/convert.ts";
import { fixture } from "../support/fixtures.ts";
import { scratchFolder } from "../support/scratch.ts";
import { convertingBy } from "../support/task.ts";

const scratch = scratchFolder();
const convert = convertingBy("gdal", scratch);
const collection = (features: readonly object[], more: object = {}): string =>
  scratch.file(JSON.stringify({ type: "FeatureCollection", ...more, features }));
const point = (coordinates: readonly number[], properties: object = {}): object => ({
  type: "Feature",
  properties,
  geometry: { type: "Point", coordinates },
});
const featuresIn = (path: string): Feature[] => (JSON.parse(readFileSync(path, "utf8")) as FeatureCollection).features;
const firstPart = ({ parts, path }: { parts?: readonly { path: string }[]; path: string }): string =>
  parts?.[0]?.path ?? path;

describe("coordinates", () => {
  // The expected coordinates are from PROJ's `cs2cs`.
  test.each([
    ["web maps", 3857, [950_855.1, 6_005_450], [8.541_676_7, 47.386_862]],
    ["UTM zone 33 north", 32_633, [500_000, 5_300_000], [15, 47.853_341_9]],
    ["the Swiss grid", 2056, [2_600_000, 1_200_000], [7.438_632_4, 46.951_082_8]],
    ["the French grid", 2154, [700_000, 6_600_000], [3, 46.5]],
    ["degrees with latitude first", 4326, [8.5, 47.25], [8.5, 47.25]],
  ])("in %s become WGS 84 degrees, longitude first", async (_, epsg, [x = 0, y = 0], [longitude = 0, latitude = 0]) => {
    const crs = { type: "name", properties: { name: `urn:ogc:def:crs:EPSG::${epsg}` } };
    // GeoJSON 2008 can specify a coordinate system; its positions always start with x.
    const source = collection([point([x, y])], { crs });
    const held = firstPart(await convert(source, ["geojson", "gpkg"]));
    const [feature] = featuresIn(firstPart(await convert(held, ["gpkg", "geojson"])));
    const [east = 0, north = 0] = feature?.geometry.type === "Point" ? feature.geometry.coordinates : [];
    expect(east).toBeCloseTo(longitude, 6);
    expect(north).toBeCloseTo(latitude, 6);
  });

  test("keep their coordinate system from GeoPackage to shapefile", async () => {
    const { path } = await convert(fixture("sample.gpkg"), ["gpkg", "shp"]);
    const projection = await readZip(path, async (zip) =>
      zip.read(zip.paths.find((name) => name.endsWith(".prj")) ?? ""),
    );
    expect(projection?.toString()).toContain("Mercator");
  });

  test("that cross the 180th meridian are unchanged", async () => {
    const line = {
      type: "LineString",
      coordinates: [
        [170, 10],
        [190, 20],
      ],
    };
    const area = {
      type: "Polygon",
      coordinates: [
        [
          [170, 10],
          [170, 20],
          [-170, 20],
          [-170, 10],
          [170, 10],
        ],
      ],
    };
    const source = collection([line, area].map((geometry) => ({ type: "Feature", properties: {}, geometry })));
    const held = firstPart(await convert(source, ["geojson", "gpkg"]));
    const features = featuresIn(firstPart(await convert(held, ["gpkg", "geojson"])));
    expect(features.map(({ geometry }) => geometry)).toEqual([line, area]);
  });

  test("without a coordinate system are interpreted as degrees if plausible, with a warning", async () => {
    const { codes } = await convert(await withoutPrj(), ["shp", "gpkg"]);
    expect(codes).toEqual([]);
    const degrees = await convert(await withoutPrj([8, 47]), ["shp", "geojson"]);
    expect(degrees.codes).toContain("crs_assumed");
  });

  test("without a coordinate system that are not degrees are rejected when degrees are required", async () => {
    expect(await codeOf(convert(await withoutPrj(), ["shp", "geojson"]))).toBe("unsupported_feature");
  });

  test("keep heights when only some have them", async () => {
    const source = collection([
      point([1, 2]),
      point([3, 4, 5]),
      { type: "Feature", properties: {}, geometry: null },
      {
        type: "Feature",
        properties: {},
        geometry: {
          type: "LineString",
          coordinates: [
            [0, 0],
            [1, 1],
          ],
        },
      },
    ]);
    for (const to of ["fgb", "shp"] as const) {
      const held = firstPart(await convert(source, ["geojson", to]));
      const { parts = [] } = await convert(held, [to, "geojson"]);
      const all = parts.flatMap(({ path }) => featuresIn(path));
      expect(all).toHaveLength(4);
      expect(JSON.stringify(all.map(({ geometry }) => geometry))).toContain("5");
    }
  });
});

/** A shapefile with one point, without a coordinate system. */
const withoutPrj = async ([x, y]: readonly number[] = [2_600_000, 1_200_000]): Promise<string> => {
  const { path } = await convert(collection([point([x ?? 0, y ?? 0])]), ["geojson", "shp"]);
  return rezipped(path, (name) => !name.endsWith(".prj"));
};

/** @returns a zip with some members of another one, optionally replaced */
const rezipped = async (
  path: string,
  keep: (name: string) => boolean,
  change: (name: string, bytes: Buffer) => Buffer = (_, bytes) => bytes,
): Promise<string> => {
  const output = `${scratch.fresh()}.zip`;
  await readZip(path, async (zip) => {
    const members = [];
    for (const name of zip.paths.filter(keep)) {
      members.push({ path: name, bytes: change(name, (await zip.read(name)) ?? Buffer.alloc(0)) });
    }
    await writeZip(output, members);
  });
  return output;
};

describe("attributes", () => {
  test("keep 64-bit integers, dates, booleans, nulls and lists", async () => {
    const properties = {
      big: "BIG",
      day: "2024-02-29",
      at: "2024-02-29T12:34:56Z",
      open: true,
      none: null,
      list: [1, 2],
    };
    const source = scratch.file(
      readFileSync(collection([point([1, 2], properties)]), "utf8").replace('"BIG"', "9007199254740993"),
    );
    const held = firstPart(await convert(source, ["geojson", "gpkg"]));
    const text = readFileSync(firstPart(await convert(held, ["gpkg", "geojson"])), "utf8");
    expect(text).toContain('"big": 9007199254740993');
    expect(JSON.parse(text).features[0].properties).toMatchObject({
      day: "2024-02-29",
      at: "2024-02-29T12:34:56Z",
      open: true,
      none: null,
      list: [1, 2],
    });
  });

  test("with long names and texts are shortened in a shapefile, with a warning", async () => {
    const source = collection([point([1, 2], { a_rather_long_name: "x", a_rather_long_names: "é".repeat(200) })]);
    const { codes } = await convert(source, ["geojson", "shp"]);
    expect(codes).toContain("names_shortened");
    expect(codes).toContain("values_shortened");
  });

  test("in a legacy encoding are decoded as declared, as detected, or as specified by the client", async () => {
    const { path } = await convert(collection([point([1, 2], { name: "Zürich Straße groß" })]), ["geojson", "shp"]);
    const latin = (name: string, bytes: Buffer) =>
      name.endsWith(".dbf")
        ? Buffer.from(bytes.toString("utf8").replaceAll("Zürich Straße groß", "Zürich Straße groß   "), "latin1")
        : bytes;
    const bare = await rezipped(path, (name) => !name.endsWith(".cpg"), latin);
    for (const options of [{}, { encoding: "windows-1252" }]) {
      const [feature] = featuresIn(firstPart(await convert(bare, ["shp", "geojson"], options)));
      expect(feature?.properties?.name).toBe("Zürich Straße groß");
    }
  });

  test("may have the names of GeoPackage columns", async () => {
    const { parts } = await convert(collection([point([1, 2], { fid: "text", geom: "g" })]), ["geojson", "gpkg"]);
    const [feature] = featuresIn(firstPart(await convert(parts?.[0]?.path ?? "", ["gpkg", "geojson"])));
    expect(feature?.properties).toMatchObject({ fid: "text", geom: "g" });
  });
});

describe("layers", () => {
  let twoLayers = "";
  beforeAll(async () => {
    twoLayers = fixture("sample.shp.zip");
  });

  test("become separate files with their names when a format supports only one", async () => {
    const { parts = [] } = await convert(twoLayers, ["shp", "geojson"]);
    expect(parts.map(({ name }) => name).toSorted()).toEqual(["area", "line", "spot", "two"]);
  });

  test("stay together when a format supports several, and one can be selected", async () => {
    const held = firstPart(await convert(twoLayers, ["shp", "gpkg"]));
    const { parts = [] } = await convert(held, ["gpkg", "geojson"], { table: "area" });
    expect(parts).toHaveLength(1);
    expect(featuresIn(parts[0]?.path ?? "")[0]?.geometry.type).toMatch(/Polygon/);
    expect(await codeOf(convert(held, ["gpkg", "geojson"], { table: "none" }))).toBe("unsupported_feature");
  });

  test("with mixed geometry types become one shapefile per type; collections are removed with a warning", async () => {
    const shapes = featuresIn(fixture("sample.geojson"));
    const mixed = { type: "GeometryCollection", geometries: [{ type: "Point", coordinates: [1, 2] }] };
    const { path, codes } = await convert(
      collection([...shapes, { type: "Feature", properties: {}, geometry: mixed }]),
      ["geojson", "shp"],
    );
    expect(codes).toContain("features_dropped");
    const names = await readZip(path, async (zip) => zip.paths.filter((name) => name.endsWith(".shp")));
    expect(names).toHaveLength(4);
  });
});

describe("invalid files", () => {
  const bytes = (name: string): Buffer => readFileSync(fixture(name));
  test.each([
    ["fgb", "geojson", () => bytes("sample.fgb").subarray(0, 600)],
    ["gpkg", "geojson", () => bytes("sample.gpkg").subarray(0, 5_000)],
    ["geojson", "gpkg", () => bytes("sample.geojson").subarray(0, 600)],
    ["geojson", "gpkg", () => Buffer.from('{"type":"FeatureCollection"}x')],
    ["gml", "geojson", () => bytes("sample.gml").subarray(0, 900)],
    ["shp", "geojson", () => bytes("sample.shp.zip").subarray(0, 3_000)],
  ] as const)("reports a damaged %s as an error of the file", async (from, to, broken) => {
    expect(await codeOf(convert(scratch.file(broken()), [from, to]))).toBe("source_corrupt");
  });

  test("are opened only with the driver of their format", async () => {
    const remote =
      '<OGRVRTDataSource><OGRVRTLayer name="x"><SrcDataSource>/etc/passwd</SrcDataSource></OGRVRTLayer></OGRVRTDataSource>';
    expect(await codeOf(convert(scratch.file(remote), ["geojson", "gpkg"]))).toBe("source_corrupt");
    expect(await codeOf(convert(scratch.file("/vsicurl/http://example.com/x.geojson"), ["geojson", "gpkg"]))).toBe(
      "source_corrupt",
    );
  });

  test("zip members are extracted by their base name, whatever their path", async () => {
    const output = `${scratch.fresh()}.zip`;
    await readZip(fixture("sample.shp.zip"), async (zip) => {
      const members = [];
      for (const path of zip.paths.filter((name) => name.includes("spot"))) {
        members.push({ path: path.replace("places/spot", "a/..b/$(x) spot"), bytes: (await zip.read(path)) ?? "" });
      }
      await writeZip(output, members);
    });
    const { parts = [] } = await convert(output, ["shp", "geojson"]);
    expect(parts.map(({ name }) => name)).toEqual(["__x_ spot"]);
  });

  test("a zip with shapefiles is distinguished from others, and each format is detected from its content", () => {
    for (const [name, format] of [
      ["sample.shp.zip", "shp"],
      ["sample.gpkg", "gpkg"],
      ["sample.fgb", "fgb"],
      ["sample.geojsonl", "geojsonl"],
      ["sample.geojson", "geojson"],
      ["sample.kml", "kml"],
      ["sample.kmz", "kmz"],
      ["sample.gpx", "gpx"],
      ["sample.gml", "gml"],
    ] as const) {
      expect(detectFormat(bytes(name))).toBe(format);
    }
  });
});

test("a plain .shp is converted with a warning about missing attributes", async () => {
  const shapes = await readZip(fixture("sample.shp.zip"), async (zip) => zip.read("places/spot.shp"));
  const { codes, parts } = await convert(scratch.file(shapes ?? ""), ["shp", "fgb"]);
  expect(codes).toEqual(["attributes_missing"]);
  expect(parts).toHaveLength(1);
});
