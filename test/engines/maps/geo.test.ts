import { readFileSync } from "node:fs";
import type { Feature, FeatureCollection } from "geojson";
import { describe, expect, test } from "vitest";
import { writeZip } from "../../../functions/engines/archives/zip/writer.ts";
import { codeOf } from "../support/convert.ts";
import { fixture } from "../support/fixtures.ts";
import { scratchFolder } from "../support/scratch.ts";
import { convertingBy } from "../support/task.ts";

const scratch = scratchFolder();
const places = convertingBy("geo-points", scratch);
const featuresIn = (path: string): Feature[] => (JSON.parse(readFileSync(path, "utf8")) as FeatureCollection).features;
const kml = (body: string): string =>
  scratch.file(`<kml xmlns="http://www.opengis.net/kml/2.2"><Document>${body}</Document></kml>`);
const read = async (path: string): Promise<Feature[]> => featuresIn((await places(path, ["kml", "geojson"])).path);

describe("a KML", () => {
  test("yields its data with the types of its schema, its folders and times", async () => {
    const [feature] = await read(
      kml(`<Schema id="s"><SimpleField name="n" type="int"/><SimpleField name="z" type="string"/></Schema>
        <Folder><name>A</name><Folder><name>B</name><Placemark id="p"><name>x</name><TimeStamp><when>2024</when></TimeStamp>
        <ExtendedData><SchemaData schemaUrl="#s"><SimpleData name="n">42</SimpleData><SimpleData name="z">007</SimpleData></SchemaData></ExtendedData>
        <Point><coordinates> 8.5, 47.3, 400 </coordinates></Point></Placemark></Folder></Folder>`),
    );
    expect(feature).toMatchObject({ id: "p", properties: { name: "x", folder: "A/B", time: "2024", n: 42, z: "007" } });
    expect(feature?.geometry).toEqual({ type: "Point", coordinates: [8.5, 47.3, 400] });
  });

  test("closes rings and fixes their winding, and reads tracks", async () => {
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

  test("reads colors and widths of lines and areas, and warns about icons", async () => {
    const styles =
      '<Style id="s"><LineStyle><color>80ff0000</color><width>4</width></LineStyle><PolyStyle><fill>0</fill></PolyStyle></Style>' +
      '<Style id="icon"><IconStyle><scale>2</scale></IconStyle></Style>' +
      '<StyleMap id="map"><Pair><key>normal</key><styleUrl>#s</styleUrl></Pair></StyleMap>';
    const line = "<LineString><coordinates>0,0 1,1</coordinates></LineString>";
    const own = "<Style><LineStyle><color>ff00ff00</color></LineStyle></Style>";
    const placemarks = ["<styleUrl>#map</styleUrl>", `<styleUrl>#s</styleUrl>${own}`, "<styleUrl>#icon</styleUrl>"];
    const body = placemarks.map((style) => `<Placemark>${style}${line}</Placemark>`).join("");
    const { codes, path } = await places(kml(styles + body), ["kml", "geojson"]);
    const shared = { stroke: "#0000ff", "stroke-opacity": 0.5, "stroke-width": 4, "fill-opacity": 0 };
    expect(featuresIn(path).map(({ properties }) => properties)).toEqual([
      shared,
      { ...shared, stroke: "#00ff00", "stroke-opacity": 1 },
      {},
    ]);
    expect(codes).toEqual(["styles_dropped"]);
  });

  test("does not follow links to other files, and warns about removed features", async () => {
    const link = "<NetworkLink><Link><href>http://127.0.0.1:9/x.kml</href></Link></NetworkLink><Placemark/>";
    const { codes, path } = await places(kml(link), ["kml", "geojson"]);
    expect(codes).toEqual(["features_dropped"]);
    expect(featuresIn(path)).toHaveLength(1);
  });

  test("with expanding entities is rejected", async () => {
    const bomb = `<!DOCTYPE kml [<!ENTITY a "${"x".repeat(1_000)}"><!ENTITY b "${"&a;".repeat(1_000)}"><!ENTITY c "${"&b;".repeat(1_000)}">]><kml><Placemark><name>&c;</name></Placemark></kml>`;
    expect(await codeOf(places(scratch.file(bomb), ["kml", "geojson"]))).toBe("unsupported_feature");
  });

  test("keeps numeric character references and stray ampersands", async () => {
    const [feature] = await read(kml("<Placemark><name>Tom &#38; J&#xe9;r&#244;me & Co&nbsp;KG</name></Placemark>"));
    expect(feature?.properties).toMatchObject({ name: "Tom & Jérôme & Co&nbsp;KG" });
  });

  test.each([
    ["invalid XML", "<kml><Placemark>"],
    ["another root", "<gpx></gpx>"],
  ])("with %s is rejected as corrupt", async (_, text) => {
    expect(await codeOf(places(scratch.file(text), ["kml", "geojson"]))).toBe("source_corrupt");
  });

  test("in Latin-1 is decoded as declared", async () => {
    const text =
      '<?xml version="1.0" encoding="ISO-8859-1"?><kml><Placemark><name>Zürich Straße</name></Placemark></kml>';
    const [feature] = await read(scratch.file(Buffer.from(text, "latin1")));
    expect(feature?.properties?.name).toBe("Zürich Straße");
  });

  test("in a KMZ may have any name; a KMZ without one is corrupt", async () => {
    const [good, bad] = [`${scratch.fresh()}.kmz`, `${scratch.fresh()}.kmz`];
    await writeZip(good, [{ path: "places.kml", bytes: readFileSync(fixture("sample.kml")) }]);
    await writeZip(bad, [{ path: "x.txt", bytes: "x" }]);
    expect(featuresIn((await places(good, ["kmz", "geojson"])).path)).toHaveLength(4);
    expect(await codeOf(places(bad, ["kmz", "geojson"]))).toBe("source_corrupt");
  });
});

describe("a GPX", () => {
  test("keeps the times of a track in both directions", async () => {
    const { path } = await places(fixture("sample.gpx"), ["gpx", "geojson"]);
    const track = featuresIn(path).find(({ geometry }) => geometry.type === "LineString");
    expect(track?.properties?.coordTimes).toHaveLength(3);
    const back = await places(path, ["geojson", "gpx"]);
    expect(readFileSync(back.path, "utf8")).toContain("<time>2024-02-29T12:00:02Z</time>");
  });

  test("removes areas with a warning, and rejects files with only areas", async () => {
    expect((await places(fixture("sample.geojson"), ["geojson", "gpx"])).codes).toEqual(["features_dropped"]);
    const area = featuresIn(fixture("sample.geojson")).filter(({ geometry }) => geometry.type === "Polygon");
    const alone = scratch.file(JSON.stringify({ type: "FeatureCollection", features: area }));
    expect(await codeOf(places(alone, ["geojson", "gpx"]))).toBe("unsupported_feature");
  });

  test("with an invalid point is corrupt", async () => {
    expect(await codeOf(places(scratch.file('<gpx><wpt lat="x" lon="1"/></gpx>'), ["gpx", "geojson"]))).toBe(
      "source_corrupt",
    );
  });
});

describe("a table of geo points", () => {
  const fromCsv = async (text: string) => places(scratch.file(text), ["csv", "geojson"]);

  test.each([
    ["latitude and longitude", "id,lat,lon\n007,47.5,8.5\n"],
    ["a semicolon and decimal commas", "id;Latitude;Longitude\n007;47,5;8,5\n"],
  ])("is read by %s, longitude first", async (_, text) => {
    const [feature] = featuresIn((await fromCsv(text)).path);
    expect(feature).toMatchObject({ properties: { id: "007" }, geometry: { type: "Point", coordinates: [8.5, 47.5] } });
  });

  test("keeps rows without coordinates, and reports their number", async () => {
    const { path, codes } = await fromCsv("lat,lon,n\n1,2,3\n,,4\n95,2,5\n");
    expect(featuresIn(path).map(({ geometry, properties }) => [geometry?.type, properties?.n])).toEqual([
      ["Point", 3],
      [undefined, 4],
      [undefined, 5],
    ]);
    expect(codes).toEqual(["geometries_missing"]);
  });

  test.each([
    ["a line that declares the delimiter", "sep=;\nid;lat;lon\n007;47.5;8.5\n"],
    ["a delimiter within the quotes of the header", '"id";"lat";"lon";"a, b, c, d"\n007;47.5;8.5;\n'],
    ["mixed line endings", "id,lat,lon\n007,47.5,8.5\r\n\n008,1,2\r"],
  ])("is read with %s, every row with its geo point", async (_, text) => {
    const { path, codes } = await fromCsv(text);
    const features = featuresIn(path);
    expect(features[0]).toMatchObject({ properties: { id: "007" }, geometry: { coordinates: [8.5, 47.5] } });
    expect(features.every(({ geometry }) => geometry !== null)).toBe(true);
    expect(codes).toEqual([]);
  });

  test("keeps stray quotes as text and counts them; a quote that is never closed is an error", async () => {
    const { path, codes } = await fromCsv('name,lat,lon\n"Ana"s,1,2\n6" nail,3,4\n');
    expect(featuresIn(path).map(({ properties }) => properties?.name)).toEqual(["Anas", '6" nail']);
    expect(codes).toEqual(["stray_quotes"]);
    expect(await codeOf(fromCsv('name,lat,lon\n"Ana,1,2\n'))).toBe("source_corrupt");
  });

  test.each([
    ["no coordinate columns", "a,b\n1,2\n"],
    ["coordinates that are not degrees", "x,y\n2600000,1200000\n"],
  ])("with %s is rejected", async (_, text) => {
    expect(await codeOf(fromCsv(text))).toBe("unsupported_feature");
  });

  test("written from points is read back unchanged; other geometries are removed with a warning", async () => {
    const { path, codes } = await places(fixture("sample.geojson"), ["geojson", "csv"]);
    expect(codes).toEqual(["geometries_dropped"]);
    const source = featuresIn(fixture("sample.geojson"));
    const back = featuresIn((await places(path, ["csv", "geojson"])).path);
    expect(back.map(({ geometry }) => geometry)).toEqual(
      source.map(({ geometry }) => (geometry.type === "Point" ? geometry : null)),
    );
    expect(back.map(({ properties }) => properties?.name)).toEqual(source.map(({ properties }) => properties?.name));
  });

  test("written from features with coordinates as attributes keeps both", async () => {
    const text =
      '{"type":"Feature","properties":{"Latitude":"x","longitude":7},"geometry":{"type":"Point","coordinates":[1,2]}}';
    const { path, codes } = await places(scratch.file(text), ["geojson", "csv"]);
    expect(readFileSync(path, "utf8")).toBe("longitude_,latitude_,Latitude,longitude\r\n1,2,x,7\r\n");
    expect(codes).toEqual([]);
  });
});

describe("a GeoJSON", () => {
  test("may be a bare geometry or one feature", async () => {
    for (const text of [
      '{"type":"Point","coordinates":[1,2]}',
      '{"type":"Feature","properties":null,"geometry":{"type":"Point","coordinates":[1,2]}}',
    ]) {
      const { path } = await places(scratch.file(text), ["geojson", "csv"]);
      expect(readFileSync(path, "utf8")).toContain("longitude,latitude\r\n1,2\r\n");
    }
  });

  test("keeps integers beyond the range of a double", async () => {
    const text =
      '{"type":"Feature","properties":{"big":9007199254740993},"geometry":{"type":"Point","coordinates":[1,2]}}';
    const { path } = await places(scratch.file(text), ["geojson", "csv"]);
    expect(readFileSync(path, "utf8")).toContain("9007199254740993");
  });

  test("in another coordinate system is rejected when its coordinates would be interpreted as degrees", async () => {
    const text =
      '{"type":"Point","coordinates":[2600000,1200000],"crs":{"type":"name","properties":{"name":"urn:ogc:def:crs:EPSG::2056"}}}';
    expect(await codeOf(places(scratch.file(text), ["geojson", "kml"]))).toBe("unsupported_feature");
  });

  test.each(["{}", "[1", '{"type":"FeatureCollection","features":[1]}'])(
    "with the text %s is corrupt",
    async (text) => {
      expect(await codeOf(places(scratch.file(text), ["geojson", "kml"]))).toBe("source_corrupt");
    },
  );
});
