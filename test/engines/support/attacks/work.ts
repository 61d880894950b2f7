import { deflateSync } from "node:zlib";
import type { FormatId } from "../../../../functions/domain/formats.ts";
import { type Attack, sample, withMember } from "./attack.ts";

/** Small files that ask for endless work: things that hold each other, and shapes that are drawn without end. */

const attack = (from: FormatId, to: readonly FormatId[], name: string, bytes: Attack["bytes"]): Attack => ({
  name,
  from,
  to,
  bytes,
});

const drawing = (inside: string, size = 400): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="${size}" height="${size}" viewBox="0 0 ${size} ${size}">${inside}</svg>`;

const ten = (one: (index: number) => string, times = 10): string =>
  Array.from({ length: times }, (_, index) => one(index + 1)).join("");

const SHAPE = '<path d="M0 0h400v400z"/>';
const filtered = (filter: string): string =>
  `<filter id="f" x="0" y="0" width="1" height="1">${filter}</filter><g filter="url(#f)">${SHAPE}</g>`;

const drawings: readonly Attack[] = (
  [
    ["copies of copies", `<defs><g id="u0">${SHAPE}</g>${ten((n) => `<g id="u${n}">${`<use href="#u${n - 1}"/>`.repeat(10)}</g>`)}</defs><use href="#u10"/>`],
    ["symbols of symbols", `${ten((n) => `<symbol id="s${n}">${`<use xlink:href="#s${n - 1}"/>`.repeat(10)}</symbol>`)}<symbol id="s0">${SHAPE}</symbol><use xlink:href="#s10"/>`],
    ["a copy of itself", `<g id="a"><use href="#a"/>${SHAPE}</g>`],
    ["copies of each other", `<g id="a"><use href="#b"/></g><g id="b"><use href="#a"/>${SHAPE}</g>`],
    ["patterns in patterns", `${ten((n) => `<pattern id="p${n}" width="1" height="1" patternUnits="userSpaceOnUse"><rect width="1" height="1" fill="url(#p${n - 1})"/></pattern>`)}<pattern id="p0" width="1" height="1"/><rect width="400" height="400" fill="url(#p10)"/>`],
    ["a pattern of itself", `<pattern id="p" width="9" height="9"><rect width="9" height="9" fill="url(#p)"/></pattern><rect width="400" height="400" fill="url(#p)"/>`],
    ["a pattern of tiny tiles", `<pattern id="p" width="0.0001" height="0.0001" patternUnits="userSpaceOnUse">${SHAPE}</pattern><rect width="400" height="400" fill="url(#p)"/>`],
    ["masks of masks", `${ten((n) => `<mask id="m${n}"><g mask="url(#m${n - 1})">${SHAPE.repeat(2)}</g></mask>`, 100)}<mask id="m0"/><g mask="url(#m100)">${SHAPE}</g>`],
    ["a clip of itself", `<clipPath id="c" clip-path="url(#c)">${SHAPE}</clipPath><g clip-path="url(#c)">${SHAPE}</g>`],
    ["markers at 100,000 points", `<marker id="k" markerWidth="9" markerHeight="9">${SHAPE}</marker><path marker-mid="url(#k)" d="M0 0${"l1 1".repeat(100_000)}"/>`],
    ["a marker of itself", `<marker id="k"><path marker-start="url(#k)" d="M0 0h9"/></marker><path marker-start="url(#k)" d="M0 0h9"/>`],
    ["dashes without end", `<path d="M0 0h1e9" stroke="#000" stroke-dasharray="1e-7"/>`],
    ["a wide blur", filtered('<feGaussianBlur stdDeviation="1e9"/>')],
    ["clouds of many octaves", filtered('<feTurbulence baseFrequency="9" numOctaves="1000000000"/>')],
    ["a thick shape", filtered('<feMorphology operator="dilate" radius="1000000"/>')],
    ["a large matrix", filtered(`<feConvolveMatrix order="1000" kernelMatrix="${"1 ".repeat(1_000_000)}"/>`)],
    ["a thousand filters", filtered('<feGaussianBlur stdDeviation="50"/>'.repeat(1_000))],
    ["filters on filters", `<filter id="f"><feGaussianBlur stdDeviation="50"/></filter>${'<g filter="url(#f)">'.repeat(200)}${SHAPE}${"</g>".repeat(200)}`],
    ["a million points", `<path stroke="#000" d="M0 0${"c9 9 9 0 0 9".repeat(300_000)}"/>`],
    ["letters as high as a mountain", '<text font-size="1e9" y="300">Mountain</text>'],
    ["a text of a million letters", `<text>${"x".repeat(1_000_000)}</text>`],
    ["a picture of 20,000 × 20,000", `<image width="400" height="400" href="data:image/svg+xml;base64,${btoa(drawing(SHAPE, 20_000))}"/>`],
    ["a drawing in itself", `<image width="400" height="400" href="data:image/svg+xml;base64,${btoa(drawing(`<image href="data:image/svg+xml;base64,${btoa(drawing(filtered('<feTurbulence numOctaves="1000000"/>')))}"/>`))}"/>`],
    ["a style of many selectors", `<style>${ten((n) => `g g g g g g g g *:nth-child(${n}) {fill:red}`, 5_000)}</style>${"<g>".repeat(100)}${SHAPE.repeat(1_000)}${"</g>".repeat(100)}`],
  ] as const
).map(([name, inside]) => attack("svg", ["png", "pdf"], name, () => drawing(inside)));

/** @returns a PDF of these objects, the first being the catalog; its table of objects is left for the reader to find */
const pdf = (objects: readonly (string | Buffer)[]): Buffer =>
  Buffer.concat([
    Buffer.from("%PDF-1.7\n"),
    ...objects.flatMap((object, index) => [Buffer.from(`${index + 1} 0 obj\n`), Buffer.from(object), Buffer.from("\nendobj\n")]),
    Buffer.from("trailer\n<</Root 1 0 R>>\n%%EOF\n"),
  ]);

const CATALOG = "<</Type/Catalog/Pages 2 0 R>>";
const PAGES = "<</Type/Pages/Kids[3 0 R]/Count 1>>";
const page = (more: string): string => `<</Type/Page/Parent 2 0 R${more.includes("/MediaBox") ? "" : "/MediaBox[0 0 200 200]"}${more}>>`;
const stream = (bytes: string | Buffer, more = ""): Buffer =>
  Buffer.concat([Buffer.from(`<</Length ${bytes.length}${more}>>stream\n`), Buffer.from(bytes), Buffer.from("\nendstream")]);
const form = (number: number): Buffer => stream("/X Do ".repeat(20), `/Type/XObject/Subtype/Form/BBox[0 0 9 9]/Resources<</XObject<</X ${number} 0 R>>>>`);

const PDF_TARGETS: readonly FormatId[] = ["png", "txt", "html", "docx", "pptx", "xlsx", "pdf"];
const pdfs: readonly Attack[] = (
  [
    ["pages in a circle", () => [CATALOG, "<</Type/Pages/Kids[2 0 R 3 0 R]/Count 2>>", page("")]],
    ["pages in one another", () => [CATALOG, ...Array.from({ length: 5_000 }, (_, index) => `<</Type/Pages/Kids[${index + 3} 0 R]/Count 1>>`), page("")]],
    ["a billion pages", () => [CATALOG, "<</Type/Pages/Kids[3 0 R]/Count 1000000000>>", page("")]],
    ["a page as large as a country", () => [CATALOG, PAGES, page("/MediaBox[0 0 1e9 1e9]/Contents 4 0 R"), stream("0 0 1e9 1e9 re f")]],
    ["forms that hold each other", () => [CATALOG, PAGES, page("/Contents 4 0 R/Resources<</XObject<</X 5 0 R>>>>"), stream("/X Do"), form(6), form(5)]],
    ["forms of forms", () => [CATALOG, PAGES, page("/Contents 4 0 R/Resources<</XObject<</X 5 0 R>>>>"), stream("/X Do"), ...Array.from({ length: 12 }, (_, index) => form(index + 6)), stream("0 0 9 9 re f", "/Type/XObject/Subtype/Form/BBox[0 0 9 9]")]],
    ["1 GB of content", () => {
      const packed = deflateSync(deflateSync(Buffer.alloc(1_000_000_000, "0 0 9 9 re f "), { level: 1 }));
      return [CATALOG, PAGES, page("/Contents 4 0 R"), stream(packed, "/Filter[/FlateDecode/FlateDecode]")];
    }],
    ["a picture of 60,000 × 60,000", () => [CATALOG, PAGES, page("/Contents 4 0 R/Resources<</XObject<</X 5 0 R>>>>"), stream("200 0 0 200 0 0 cm /X Do"), stream(deflateSync(Buffer.alloc(1_000_000)), "/Type/XObject/Subtype/Image/Width 60000/Height 60000/BitsPerComponent 8/ColorSpace/DeviceRGB/Filter/FlateDecode")]],
    ["states that are saved and not restored", () => [CATALOG, PAGES, page("/Contents 4 0 R"), stream("q ".repeat(500_000))]],
    ["dashes without end", () => [CATALOG, PAGES, page("/Contents 4 0 R"), stream("[0.00001] 0 d 0 0 m 1000000 1000000 l S")]],
    ["a pattern of tiny tiles", () => [CATALOG, PAGES, page("/Contents 4 0 R/Resources<</Pattern<</P 5 0 R>>>>"), stream("/Pattern cs /P scn 0 0 200 200 re f"), stream("0 0 1 1 re f", "/Type/Pattern/PatternType 1/PaintType 1/TilingType 1/BBox[0 0 1 1]/XStep 0.0001/YStep 0.0001/Resources<<>>")]],
    ["lists in lists", () => [CATALOG, PAGES, page(`/A ${"[".repeat(100_000)}`)]],
    ["an outline in a circle", () => ["<</Type/Catalog/Pages 2 0 R/Outlines 4 0 R>>", PAGES, page(""), "<</First 5 0 R/Last 5 0 R/Count 1>>", "<</Title(a)/Next 5 0 R/First 4 0 R>>"]],
    ["a length that names itself", () => [CATALOG, PAGES, page("/Contents 4 0 R"), "<</Length 4 0 R>>stream\nx\nendstream"]],
    ["100,000 letters in one place", () => [CATALOG, PAGES, page("/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>"), stream(`BT /F 9 Tf ${"(x) Tj 0 0 Td ".repeat(100_000)} ET`), "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>"]],
    ["100,000 lines", () => [CATALOG, PAGES, page("/Contents 4 0 R"), stream(ten((n) => `${n % 200} 0 m ${n % 200} ${n % 190} l S `, 100_000))]],
  ] as const
).map(([name, objects]) => attack("pdf", PDF_TARGETS, name, () => pdf(objects())));

const triangle = Buffer.from(Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0).buffer).toString("base64");
const gltf = (more: object): string =>
  JSON.stringify({
    asset: { version: "2.0" },
    buffers: [{ byteLength: 36, uri: `data:application/octet-stream;base64,${triangle}` }],
    bufferViews: [{ buffer: 0, byteLength: 36 }],
    accessors: [{ bufferView: 0, componentType: 5126, count: 3, type: "VEC3" }],
    meshes: [{ primitives: [{ attributes: { POSITION: 0 } }] }],
    ...more,
  });

const models: readonly Attack[] = [
  attack("gltf", ["glb", "obj"], "nodes that share their children", () =>
    gltf({ nodes: [...Array.from({ length: 60 }, (_, index) => ({ children: [index + 1, index + 1] })), { mesh: 0 }], scenes: [{ nodes: [0] }] }),
  ),
  attack("gltf", ["obj"], "nodes that share their children, without a shape", () =>
    gltf({ nodes: [...Array.from({ length: 60 }, (_, index) => ({ children: [index + 1, index + 1] })), {}], scenes: [{ nodes: [0] }] }),
  ),
  attack("gltf", ["obj"], "gaps of a list without numbers", () => gltf({ accessors: [{ componentType: 5126, count: 4e9, type: "VEC3" }], nodes: [{ mesh: 0 }] })),
  attack("gltf", ["obj", "stl"], "a shape a million times", () => gltf({ meshes: [{ primitives: Array(300_000).fill({ attributes: { POSITION: 0 } }) }], nodes: [{ mesh: 0 }] })),
  attack("3mf", ["glb"], "parts of parts", () =>
    withMember("3mf", "3D/3dmodel.model", () => {
      const mesh = '<object id="1"><mesh><vertices><vertex x="0" y="0" z="0"/><vertex x="1" y="0" z="0"/><vertex x="0" y="1" z="0"/></vertices><triangles><triangle v1="0" v2="1" v3="2"/></triangles></mesh></object>';
      const parts = ten((n) => `<object id="${n + 1}"><components>${`<component objectid="${n}"/>`.repeat(10)}</components></object>`, 30);
      return `<model xmlns="http://schemas.microsoft.com/3dmanufacturing/core/2015/02"><resources>${mesh}${parts}</resources><build><item objectid="31"/></build></model>`;
    }),
  ),
  attack("3mf", ["glb"], "a part of itself", () => withMember("3mf", "3D/3dmodel.model", () => '<model><resources><object id="1"><components><component objectid="1"/></components></object></resources><build><item objectid="1"/></build></model>')),
  attack("obj", ["glb"], "a face of 200,000 corners", () => `v 0 0 0\nv 1 0 0\nv 0 1 0\nf ${"1 2 3 ".repeat(70_000)}\n`),
  attack("off", ["glb"], "a face of 30,000 corners", () => `OFF\n30000 1 0\n${ten((n) => `${Math.cos(n)} ${Math.sin(n)} 0\n`, 30_000)}30000 ${ten((n) => `${n - 1} `, 30_000)}\n`),
];

const texts: readonly Attack[] = [
  attack("topojson", ["geojson"], "an arc a million times", () => `{"type":"Topology","arcs":[[${ten((n) => `[${n},0]${n < 2_000 ? "," : ""}`, 2_000)}]],"objects":{"a":{"type":"MultiLineString","arcs":[${"[0],".repeat(100_000)}[0]]}}}`),
  attack("csv", ["xlsx", "json", "html", "parquet"], "one row of 5 MB of commas", () => ",".repeat(5_000_000)),
  attack("csv", ["xlsx", "json", "parquet"], "a quote that does not end", () => `a,b\n"${"x\n".repeat(2_000_000)}`),
  attack("json", ["csv", "xlsx", "sqlite", "parquet"], "a key of its own in each record", () => `[${ten((n) => `{"k${n}":1}${n < 30_000 ? "," : ""}`, 30_000)}]`),
  attack("json", ["xml", "yaml", "toml", "plist"], "a million empty names", () => `{${ten((n) => `"${n}":{}${n < 300_000 ? "," : ""}`, 300_000)}}`),
  attack("xml", ["json"], "100,000 attributes", () => `<a ${ten((n) => `a${n}="" `, 100_000)}/>`),
  attack("xlsx", ["csv", "json", "html", "ods"], "a cell at the far end", () => withMember("xlsx", "xl/worksheets/sheet1.xml", () => '<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><dimension ref="A1:XFD1048576"/><sheetData><row r="1"><c r="A1"><v>1</v></c></row><row r="1048576"><c r="XFD1048576"><v>1</v></c></row></sheetData></worksheet>')),
  attack("xlsx", ["csv", "html", "xls"], "merged cells without end", () => withMember("xlsx", "xl/worksheets/sheet1.xml", (text) => text.replace("</sheetData>", `</sheetData><mergeCells>${'<mergeCell ref="A1:XFD1048576"/>'.repeat(1_000)}</mergeCells>`))),
  attack("ods", ["csv", "json", "html"], "a cell that is repeated", () => withMember("ods", "content.xml", (text) => text.replace("<table:table-row", '<table:table-row table:number-rows-repeated="1048576"><table:table-cell office:value-type="float" office:value="1" table:number-columns-repeated="16384"><text:p>1</text:p></table:table-cell></table:table-row><table:table-row'))),
  attack("fods", ["csv"], "a cell that is repeated", () => String(sample("fods")).replace("<table:table-row", '<table:table-row table:number-rows-repeated="1000000000"><table:table-cell office:value-type="float" office:value="1" table:number-columns-repeated="1000000000"><text:p>1</text:p></table:table-cell></table:table-row><table:table-row')),
  attack("html", ["pdf", "docx", "md", "txt"], "a table of a million columns", () => `<table><tr>${'<td colspan="1000" rowspan="65534">x'.repeat(1_000)}<tr><td>y</table>`),
  attack("html", ["docx", "pdf"], "a table of half a million cells", () => `<table>${"<tr><td>x<td>y<td>z<td>a<td>b".repeat(100_000)}</table>`),
  attack("md", ["html"], "a table of many columns", () => `${"|a".repeat(30_000)}\n${"|-".repeat(30_000)}\n${"|\n".repeat(3_000)}`),
  attack("ics", ["json", "csv"], "an event a second, for ever", () => "BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nDTSTART:20200101T000000Z\r\nRRULE:FREQ=SECONDLY\r\nSUMMARY:x\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"),
  attack("srt", ["vtt", "json"], "a cue without end", () => `1\n00:00:01,000 --> 99999999999:00:00,000\n${"x".repeat(5_000_000)}\n`),
  attack("txt", ["pdf"], "one line of 3 MB", () => "x".repeat(3_000_000)),
  attack("txt", ["pdf", "docx"], "a million lines", () => "x\n".repeat(1_000_000)),
  attack("html", ["md", "docx", "epub"], "a picture 10,000 times", () => `<img src="data:image/png;base64,${sample("png").toString("base64")}">`.repeat(300)),
];

export const work: readonly Attack[] = [...drawings, ...pdfs, ...models, ...texts];
