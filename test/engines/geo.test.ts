import { readFileSync } from "node:fs";
import type { Feature, FeatureCollection } from "geojson";
import { describe, expect, test } from "vitest";
import { writeZip } from "../../functions/engines/io/zip-writer.ts";
import { codeOf } from "./support/convert.ts";
import { fixture } from "./support/fixtures.ts";
import { scratchFolder } from "./support/scratch.ts";
import { convertingBy } from "./support/task.ts";

const scratch = scratchFolder();
const places = convertingBy("places", scratch);
const topojson = convertingBy("topojson", scratch);
const featuresIn = (path: string): Feature[] => (JSON.parse(readFileSync(path, "utf8")) as FeatureCollection).features;
const kml = (body: string): string =>
  scratch.file(`<kml xmlns="http://www.opengis.net/kml/2.2"><Document>${body}</Document></kml>`);
const read = async (path: string): Promise<Feature[]> => featuresIn((await places(path, ["kml", "geojson"])).path);

describe("a KML", () => {
  test("gives its data with the types of its schema, its folders and its times", async () => {
    const [feature] = await read(
      kml(`<Schema id="s"><SimpleField name="n" type="int"/><SimpleField name="z" type="string"/></Schema>
        <Folder><name>A</name><Folder><name>B</name><Placemark id="p"><name>x</name><TimeStamp><when>2024</when></TimeStamp>
        <ExtendedData><SchemaData schemaUrl="#s"><SimpleData name="n">42</SimpleData><SimpleData name="z">007</SimpleData></SchemaData></ExtendedData>
        <Point><coordinates> 8.5, 47.3, 400 </coordinates></Point></Placemark></Folder></Folder>`),
    );
    expect(feature).toMatchObject({ id: "p", properties: { name: "x", folder: "A/B", time: "2024", n: 42, z: "007" } });
    expect(feature?.geometry).toEqual({ type: "Point", coordinates: [8.5, 47.3, 400] });
  });

  test("closes and turns the rings of areas, and reads tracks", async () => {
    const features = await read(
      kml(`<Placemark><Polygon><outerBoundaryIs><LinearRing><coordinates>0,0 0,1 1,1</coordinates></LinearRing></outerBoundaryIs></Polygon></Placemark>
        <Placemark><gx:Track xmlns:gx="http://www.google.com/kml/ext/2.2"><gx:coord>1 2 3</gx:coord><gx:coord>4 5 6</gx:coord></gx:Track></Placemark>`),
    );
    expect(features.map(({ geometry }) => geometry)).toEqual([
      {
        type: "Polygon",
        coordinates: [
          [
            [0, 0],
            [1, 1],
            [0, 1],
            [0, 0],
          ],
        ],
      },
      {
        type: "LineString",
        coordinates: [
          [1, 2, 3],
          [4, 5, 6],
        ],
      },
    ]);
  });

  test("is not followed to other files, and says what was left out", async () => {
    const link = "<NetworkLink><Link><href>http://127.0.0.1:9/x.kml</href></Link></NetworkLink><Placemark/>";
    const { codes, path } = await places(kml(link), ["kml", "geojson"]);
    expect(codes).toEqual(["features_dropped"]);
    expect(featuresIn(path)).toHaveLength(1);
  });

  test("with entities that grow is refused", async () => {
    const bomb = `<!DOCTYPE kml [<!ENTITY a "${"x".repeat(1_000)}"><!ENTITY b "${"&a;".repeat(1_000)}"><!ENTITY c "${"&b;".repeat(1_000)}">]><kml><Placemark><name>&c;</name></Placemark></kml>`;
    const converted = places(scratch.file(bomb), ["kml", "geojson"]);
    const ended = await converted.then(
      ({ path }) => readFileSync(path).length,
      (error: { code: string }) => error.code,
    );
    expect(typeof ended === "number" ? ended < 1_000_000 : ended === "source_corrupt").toBe(true);
  });

  test.each([
    ["no XML", "<kml><Placemark>"],
    ["another root", "<gpx></gpx>"],
  ])("with %s is broken", async (_, text) => {
    expect(await codeOf(places(scratch.file(text), ["kml", "geojson"]))).toBe("source_corrupt");
  });

  test("in Latin-1 is read as its declaration says", async () => {
    const text =
      '<?xml version="1.0" encoding="ISO-8859-1"?><kml><Placemark><name>Zürich Straße</name></Placemark></kml>';
    const [feature] = await read(scratch.file(Buffer.from(text, "latin1")));
    expect(feature?.properties?.name).toBe("Zürich Straße");
  });

  test("in a KMZ need not be called doc.kml; a KMZ without one is broken", async () => {
    const [good, bad] = [`${scratch.fresh()}.kmz`, `${scratch.fresh()}.kmz`];
    await writeZip(good, [{ path: "places.kml", bytes: readFileSync(fixture("sample.kml")) }]);
    await writeZip(bad, [{ path: "x.txt", bytes: "x" }]);
    expect(featuresIn((await places(good, ["kmz", "geojson"])).path)).toHaveLength(4);
    expect(await codeOf(places(bad, ["kmz", "geojson"]))).toBe("source_corrupt");
  });
});

describe("a GPX", () => {
  test("keeps the times of a track there and back", async () => {
    const { path } = await places(fixture("sample.gpx"), ["gpx", "geojson"]);
    const track = featuresIn(path).find(({ geometry }) => geometry.type === "LineString");
    expect(track?.properties?.coordTimes).toHaveLength(3);
    const back = await places(path, ["geojson", "gpx"]);
    expect(readFileSync(back.path, "utf8")).toContain("<time>2024-02-29T12:00:02Z</time>");
  });

  test("holds no areas: they are left out and said, and areas alone are refused", async () => {
    expect((await places(fixture("sample.geojson"), ["geojson", "gpx"])).codes).toEqual(["features_dropped"]);
    const area = featuresIn(fixture("sample.geojson")).filter(({ geometry }) => geometry.type === "Polygon");
    const alone = scratch.file(JSON.stringify({ type: "FeatureCollection", features: area }));
    expect(await codeOf(places(alone, ["geojson", "gpx"]))).toBe("unsupported_feature");
  });

  test("with a point that is nowhere is broken", async () => {
    expect(await codeOf(places(scratch.file('<gpx><wpt lat="x" lon="1"/></gpx>'), ["gpx", "geojson"]))).toBe(
      "source_corrupt",
    );
  });
});

describe("a table of places", () => {
  const fromCsv = async (text: string) => places(scratch.file(text), ["csv", "geojson"]);

  test.each([
    ["latitude and longitude", "id,lat,lon\n007,47.5,8.5\n"],
    ["a semicolon and decimal commas", "id;Latitude;Longitude\n007;47,5;8,5\n"],
    ["well-known text", 'id\tWKT\n007\t"SRID=4326;POINT (8.5 47.5)"\n'],
  ])("is read by %s, longitude first", async (_, text) => {
    const [feature] = featuresIn((await fromCsv(text)).path);
    expect(feature).toMatchObject({ properties: { id: "007" }, geometry: { type: "Point", coordinates: [8.5, 47.5] } });
  });

  test("keeps rows without a place, and says how many", async () => {
    const { path, codes } = await fromCsv("lat,lon,n\n1,2,3\n,,4\n95,2,5\n");
    expect(featuresIn(path).map(({ geometry, properties }) => [geometry?.type, properties?.n])).toEqual([
      ["Point", 3],
      [undefined, 4],
      [undefined, 5],
    ]);
    expect(codes).toEqual(["geometries_missing"]);
  });

  test.each([
    ["no such columns", "a,b\n1,2\n"],
    ["coordinates that are no degrees", "x,y\n2600000,1200000\n"],
  ])("with %s is refused", async (_, text) => {
    expect(await codeOf(fromCsv(text))).toBe("unsupported_feature");
  });

  test("written from all kinds of shapes is read again as it was", async () => {
    const shapes = [
      ...featuresIn(fixture("sample.geojson")),
      {
        type: "Feature",
        properties: { name: "c" },
        geometry: {
          type: "GeometryCollection",
          geometries: [
            { type: "Point", coordinates: [1, 2] },
            {
              type: "LineString",
              coordinates: [
                [1, 2],
                [3, 4],
              ],
            },
          ],
        },
      },
      {
        type: "Feature",
        properties: { name: "m" },
        geometry: {
          type: "MultiPolygon",
          coordinates: [
            [
              [
                [0, 0],
                [1, 0],
                [1, 1],
                [0, 0],
              ],
            ],
            [
              [
                [5, 5],
                [6, 5],
                [6, 6],
                [5, 5],
              ],
            ],
          ],
        },
      },
    ];
    const { path } = await places(scratch.file(JSON.stringify({ type: "FeatureCollection", features: shapes })), [
      "geojson",
      "csv",
    ]);
    const back = featuresIn((await places(path, ["csv", "geojson"])).path);
    expect(back.map(({ geometry }) => geometry)).toEqual(shapes.map(({ geometry }) => geometry));
  });
});

describe("a GeoJSON", () => {
  test("may be a bare geometry or one feature", async () => {
    for (const text of [
      '{"type":"Point","coordinates":[1,2]}',
      '{"type":"Feature","properties":null,"geometry":{"type":"Point","coordinates":[1,2]}}',
    ]) {
      const { path } = await places(scratch.file(text), ["geojson", "csv"]);
      expect(readFileSync(path, "utf8")).toContain("POINT (1 2)");
    }
  });

  test("keeps integers that a double does not hold", async () => {
    const text =
      '{"type":"Feature","properties":{"big":9007199254740993},"geometry":{"type":"Point","coordinates":[1,2]}}';
    const { path } = await topojson(scratch.file(text), ["geojson", "topojson"]);
    expect(readFileSync(path, "utf8")).toContain('"big":9007199254740993');
    const { parts = [] } = await topojson(path, ["topojson", "geojson"]);
    expect(readFileSync(parts[0]?.path ?? "", "utf8")).toContain('"big":9007199254740993');
  });

  test("in another coordinate system is refused where its coordinates would be taken for degrees", async () => {
    const text =
      '{"type":"Point","coordinates":[2600000,1200000],"crs":{"type":"name","properties":{"name":"urn:ogc:def:crs:EPSG::2056"}}}';
    expect(await codeOf(places(scratch.file(text), ["geojson", "kml"]))).toBe("unsupported_feature");
  });

  test.each(["{}", "[1", '{"type":"FeatureCollection","features":[1]}'])("that says %s is broken", async (text) => {
    expect(await codeOf(places(scratch.file(text), ["geojson", "kml"]))).toBe("source_corrupt");
  });
});

test("a TopoJSON with arcs that are not there is broken, and one object of several can be taken", async () => {
  const topology = {
    type: "Topology",
    arcs: [
      [
        [0, 0],
        [1, 1],
      ],
    ],
    objects: { a: { type: "LineString", arcs: [0] }, b: { type: "LineString", arcs: [7] } },
  };
  const path = scratch.file(JSON.stringify(topology));
  expect((await topojson(path, ["topojson", "geojson"], { table: "a" })).parts).toHaveLength(1);
  expect(await codeOf(topojson(path, ["topojson", "geojson"]))).toBe("source_corrupt");
  expect(await codeOf(topojson(path, ["topojson", "geojson"], { table: "c" }))).toBe("unsupported_feature");
});
