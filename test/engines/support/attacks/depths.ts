import type { FormatId } from "../../../../functions/domain/formats/formats.ts";
import { zipOf } from "../raw-archives.ts";
import { type Attack, sample, withMember, withMembers } from "./attack.ts";

/** Files so deeply nested that recursion overflows the stack, or without an end. */

const DEEP = 100_000;

const nested = (open: string, close = "", inside = "", times = DEEP): string =>
  open.repeat(times) + inside + close.repeat(times);

const attack = (from: FormatId, to: FormatId | readonly FormatId[], name: string, bytes: Attack["bytes"]): Attack => ({
  name,
  from,
  to: typeof to === "string" ? [to] : to,
  bytes,
});

const trees: readonly Attack[] = [
  attack("json", ["csv", "yaml", "parquet", "xlsx"], "nested lists", () => nested("[", "]")),
  attack("json", ["csv", "yaml", "sqlite"], "nested objects", () => nested('{"a":', "}", "1")),
  attack("ndjson", ["csv", "json"], "nested lists", () => `{"a":${nested("[", "]")}}\n`),
  attack("json5", "json", "nested lists", () => nested("[", "]")),
  attack("yaml", "json", "nested flow sequences", () => nested("[", "]")),
  attack("yaml", "json", "nested flow mappings", () => nested("{a: ", "}")),
  attack("yaml", "json", "nested block sequences", () => nested("- ", "", "x", 20_000)),
  attack("yaml", "json", "nested complex keys", () => nested("? ", "", "x", 20_000)),
  attack("yaml", "json", "increasing indentation", () =>
    Array.from({ length: 3_000 }, (_, index) => `${" ".repeat(index)}a:`).join("\n"),
  ),
  attack("toml", "json", "nested lists", () => `a = ${nested("[", "]")}`),
  attack("toml", "json", "a key with many parts", () => `${nested("a.", "", "a")} = 1`),
  attack("toml", "json", "nested inline tables", () => `a = ${nested("{a = ", "}", "1")}`),
  attack("xml", "json", "elements", () => nested("<a>", "</a>")),
  attack("xml", "json", "unclosed elements", () => nested("<a>")),
  attack("plist", "json", "nested lists", () => `<plist>${nested("<array>", "</array>")}</plist>`),
  attack("plist", "json", "a binary list that contains itself", () =>
    Buffer.from(
      "62706c6973743030a1000800000000000001010000000000000001000000000000000000000000000000 0a".replaceAll(" ", ""),
      "hex",
    ),
  ),
  attack("msgpack", "json", "nested lists", () => Buffer.alloc(DEEP, 0x91)),
  attack("msgpack", "csv", "nested objects", () => Buffer.from("81a161".repeat(DEEP), "hex")),
  attack("cbor", "json", "nested lists", () => Buffer.alloc(DEEP, 0x81)),
  attack("cbor", "json", "nested tags", () => Buffer.alloc(DEEP, 0xc1)),
  attack("cbor", "json", "unclosed indefinite-length texts", () => Buffer.alloc(DEEP, 0x7f)),
  attack("bson", "json", "nested documents", () => {
    const depth = 20_000;
    const parts = Array.from({ length: depth }, (_, index) => {
      const head = Buffer.alloc(7);
      head.writeInt32LE((depth - index - 1) * 8 + 5 + 3);
      head[4] = 3;
      head[5] = 0x61;
      return head;
    });
    return Buffer.concat([...parts, Buffer.from("0500000000", "hex"), Buffer.alloc(depth)]);
  }),
  attack("ini", "json", "a section with many parts", () => `[${nested("a.", "", "a")}]\nb=1`),
  attack("properties", "json", "a key with many parts", () => `${nested("a.", "", "a")}=1`),
  attack(
    "json",
    "yaml",
    "keys named like object prototype members",
    () => '{"__proto__":{"a":1},"constructor":{"prototype":{"b":2}}}',
  ),
];

const documents: readonly Attack[] = [
  attack("html", ["pdf", "docx", "md", "txt", "epub"], "elements", () => nested("<div>")),
  attack("html", ["pdf", "docx", "md", "txt", "epub"], "elements below the depth limit", () =>
    nested("<b><i>", "", "x", 900),
  ),
  attack("html", ["pdf", "docx", "md", "txt", "epub"], "tables", () => nested("<table><tr><td>", "", "x", 300)),
  attack("html", ["pdf", "docx", "md", "txt", "epub"], "lists", () => nested("<ul><li>", "", "x", 900)),
  attack("html", ["pdf", "docx", "md"], "styles", () => `<style>${nested("@media print {", "}")}</style>x`),
  attack("html", ["pdf", "docx"], "a style with a million declarations", () => `<p style="${nested("a:b;", "")}">x`),
  attack("html", "pdf", "formulas", () => `<math>${nested("<mrow>", "</mrow>", "<mi>x</mi>", 1_500)}</math>`),
  attack(
    "html",
    "pdf",
    "drawings",
    () => `<svg width="9" height="9">${nested("<g>", "</g>", "<path d='M0 0h9'/>", 1_500)}</svg>`,
  ),
  attack("md", ["html", "pdf"], "quotes", () => nested("> ", "", "x")),
  attack("md", ["html", "pdf"], "lists", () => nested("- ", "", "x", 20_000)),
  attack("md", ["html", "pdf"], "brackets", () => nested("[", "](x)", "x", 20_000)),
  attack("md", ["html", "pdf"], "pictures", () => nested("![", "](x)", "x", 20_000)),
  attack("md", ["html", "pdf"], "stars", () => nested("*a **a ", "", "x", 30_000)),
  attack("md", ["html", "pdf"], "backticks", () =>
    Array.from({ length: 2_000 }, (_, index) => "`".repeat(index)).join(" "),
  ),
  attack("md", "html", "unclosed brackets", () => nested("[a](<b")),
  attack("md", "html", "unclosed entities and tags", () => nested("&<a ", "")),
  attack(
    "fb2",
    "html",
    "sections",
    () => `<FictionBook><body>${nested("<section>", "</section>", "<p>x</p>")}</body></FictionBook>`,
  ),
  attack("docx", ["html", "pdf"], "tables", () =>
    withMember("docx", "word/document.xml", (text) =>
      text.replace(
        "<w:body>",
        `<w:body>${nested("<w:tbl><w:tr><w:tc>", "<w:p/></w:tc></w:tr></w:tbl>", "<w:p/>", 20_000)}`,
      ),
    ),
  ),
  attack("docx", ["html", "pdf"], "tables below the depth limit", () =>
    withMember("docx", "word/document.xml", (text) =>
      text.replace(
        "<w:body>",
        `<w:body>${nested("<w:tbl><w:tr><w:tc>", "<w:p/></w:tc></w:tr></w:tbl>", "<w:p/>", 150)}`,
      ),
    ),
  ),
  attack("epub", "html", "a book that contains itself", () =>
    withMembers("epub", [
      { name: "OPS/toc.ncx", bytes: `<ncx><navMap>${nested("<navPoint>", "</navPoint>")}</navMap></ncx>` },
    ]),
  ),
  attack("eml", ["html", "json", "zip"], "nested messages", () =>
    nested("Content-Type: message/rfc822\r\n\r\n", "", "Subject: x\r\n\r\nx", 5_000),
  ),
  attack("eml", ["html", "json"], "nested parts", () =>
    Array.from(
      { length: 5_000 },
      (_, index) => `Content-Type: multipart/mixed; boundary=b${index}\r\n\r\n--b${index}\r\n`,
    ).join(""),
  ),
  attack(
    "eml",
    ["html", "json"],
    "nested comments",
    () => `From: ${nested("(", ")")} a@b.c\r\nTo: ${nested("a:", ";", "b@c.d")}\r\n\r\nx`,
  ),
  attack("eml", "html", "many headers", () => `${"A: b\r\n".repeat(200_000)}\r\nx`),
  attack("ics", ["json", "csv"], "calendars", () => nested("BEGIN:VEVENT\r\n", "END:VEVENT\r\n", "", 50_000)),
  attack("vcf", ["json", "csv"], "contacts", () => nested("BEGIN:VCARD\r\n", "END:VCARD\r\n", "FN:x\r\n", 50_000)),
];

const others: readonly Attack[] = [
  attack(
    "svg",
    ["png", "pdf"],
    "groups",
    () => `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9">${nested("<g>", "</g>")}</svg>`,
  ),
  attack(
    "svg",
    ["png", "pdf"],
    "groups below the depth limit",
    () =>
      `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9">${nested("<g opacity='.9'>", "</g>", "<path d='M0 0h9v9z'/>", 250)}</svg>`,
  ),
  attack("kml", "geojson", "folders", () => `<kml>${nested("<Folder>", "</Folder>")}</kml>`),
  attack(
    "kml",
    "geojson",
    "geometries",
    () =>
      `<kml><Placemark>${nested("<MultiGeometry>", "</MultiGeometry>", "<Point><coordinates>1,2</coordinates></Point>", 20_000)}</Placemark></kml>`,
  ),
  attack(
    "gpx",
    "geojson",
    "extensions",
    () => `<gpx><wpt lat="1" lon="2"><extensions>${nested("<a>", "</a>")}</extensions></wpt></gpx>`,
  ),
  attack("gml", "geojson", "geometries", () =>
    String(sample("gml")).replace(
      "<gml:Point",
      `${nested("<gml:MultiGeometry><gml:geometryMember>", "</gml:geometryMember></gml:MultiGeometry>", "", 20_000)}<gml:Point`,
    ),
  ),
  ...(["kml", "gpkg", "csv", "shp"] as const).map((to) =>
    attack("geojson", to, "geometries", () =>
      nested('{"type":"GeometryCollection","geometries":[', "]}", '{"type":"Point","coordinates":[1,2]}', 20_000),
    ),
  ),
  attack("geojson", ["kml", "gpkg", "csv"], "geometries below the depth limit", () =>
    nested('{"type":"GeometryCollection","geometries":[', "]}", '{"type":"Point","coordinates":[1,2]}', 250),
  ),
  attack("geojson", ["kml", "gpkg", "csv"], "coordinates", () => `{"type":"Point","coordinates":${nested("[", "]")}}`),
  attack(
    "geojson",
    ["kml", "gpkg"],
    "properties",
    () => `{"type":"Feature","geometry":{"type":"Point","coordinates":[1,2]},"properties":{"a":${nested("[", "]")}}}`,
  ),
  attack(
    "geojsonl",
    "geojson",
    "coordinates",
    () => `{"type":"Feature","properties":{},"geometry":{"type":"Point","coordinates":${nested("[", "]")}}}\n`,
  ),
  attack("gltf", ["glb", "obj"], "extras", () => `{"asset":{"version":"2.0"},"extras":${nested("[", "]")}}`),
  attack(
    "ttml",
    "srt",
    "spans",
    () =>
      `<tt xmlns="http://www.w3.org/ns/ttml"><body><div><p begin="1s" end="2s">${nested("<span>", "</span>", "x")}</p></div></body></tt>`,
  ),
  attack("vtt", ["srt", "ttml"], "marks", () => `WEBVTT\n\n00:01.000 --> 00:02.000\n${nested("<i><b>", "", "x")}\n`),
  attack(
    "srt",
    ["vtt", "ass", "ttml"],
    "marks",
    () => `1\n00:00:01,000 --> 00:00:02,000\n${nested("<i><b>", "", "x")}\n`,
  ),
  attack("ass", ["srt", "vtt"], "overrides", () =>
    String(sample("ass")).replace(/(Dialogue:.*,)/, `$1${nested("{\\b1", "", "x")}`),
  ),
  attack("ass", ["srt", "vtt"], "transformations", () =>
    String(sample("ass")).replace(/(Dialogue:.*,)/, `$1{${nested("\\t(", ")", "\\b1")}}`),
  ),
  attack(
    "step",
    "glb",
    "brackets",
    () => `ISO-10303-21;HEADER;ENDSEC;DATA;#1=A(${nested("(", ")")});ENDSEC;END-ISO-10303-21;`,
  ),
  attack("zip", "tar", "folders", () => zipOf([{ name: `${nested("a/", "", "a", 30_000)}` }])),
];

export const depths: readonly Attack[] = [...trees, ...documents, ...others];
