import { constants, crc32, deflateRawSync, gzipSync } from "node:zlib";
import type { FormatId } from "../../../../functions/domain/formats/formats.ts";
import { type RawMember, zipOf } from "../raw-archives.ts";
import { type Attack, sample, withMember, withMembers } from "./attack.ts";

/** Small files that become large when they are decompressed or their entities are expanded. */

const MEGABYTE = Buffer.alloc(1_048_576);

/** A gigabyte of zeros, deflated to a thousandth: each block is independent, so that it can be repeated. */
const gigabyte = (): Pick<RawMember, "packed" | "crc" | "size"> => {
  const block = deflateRawSync(MEGABYTE, { finishFlush: constants.Z_FULL_FLUSH });
  const packed = Buffer.concat([...Array.from({ length: 1_024 }, () => block), deflateRawSync("")]);
  let crc = 0;
  for (let count = 0; count < 1_024; count += 1) {
    crc = crc32(MEGABYTE, crc);
  }
  return { packed, crc, size: 1_024 * MEGABYTE.length };
};

let zeros: ReturnType<typeof gigabyte> | undefined;
const bomb = (name: string): RawMember => {
  zeros ??= gigabyte();
  return { name, ...zeros };
};

/** For each kind of document, the member that its reader reads first, and one that is only copied. */
const DOCUMENTS: readonly (readonly [FormatId, FormatId, ...string[]])[] = [
  ["docx", "html", "word/document.xml", "word/media/flag.png", "word/styles.xml"],
  ["xlsx", "csv", "xl/worksheets/sheet1.xml", "xl/sharedStrings.xml", "xl/media/image1.png", "xl/x.xml"],
  ["xlsb", "csv", "xl/worksheets/sheet1.bin"],
  ["ods", "csv", "content.xml", "Pictures/a.png"],
  ["numbers", "csv", "Index/Document.iwa"],
  ["epub", "html", "META-INF/container.xml", "OPS/book.opf", "OPS/text/one.xhtml", "OPS/pictures/flag one.png"],
  ["kmz", "geojson", "doc.kml"],
  ["3mf", "glb", "3D/3dmodel.model", "_rels/.rels"],
];

const MANY = 60_000;

export const zipBombs: readonly Attack[] = [
  ...DOCUMENTS.flatMap(([from, to, ...members]) =>
    members.map((name) => ({
      name: `1 GB of zeros as ${name}`,
      from,
      to: [to],
      bytes: () => withMembers(from, [bomb(name)]),
    })),
  ),
  ...DOCUMENTS.filter(([from]) => from !== "xlsb").map(([from, to]) => ({
    name: `${MANY} members`,
    from,
    to: [to],
    bytes: () =>
      withMembers(
        from,
        Array.from({ length: MANY }, (_, index) => ({ name: `a/${index}.xml` })),
      ),
  })),
  {
    name: "an undeclared size",
    from: "docx",
    to: ["html"],
    bytes: () => withMembers("docx", [{ ...bomb("word/document.xml"), size: 100 }]),
  },
  { name: "1 GB", from: "shp", to: ["geojson"], bytes: () => withMembers("shp.zip", [bomb("big.dbf")]) },
  { name: "1 GB", from: "zip", to: ["tar", "7z"], bytes: () => zipOf([bomb("a")]) },
  { name: "1 GB in a compressed FB2", from: "fb2", to: ["html"], bytes: () => zipOf([bomb("book.fb2")]) },
  {
    name: "1 GB of blanks",
    from: "svgz",
    to: ["svg", "png"],
    bytes: () => {
      const block = gzipSync(Buffer.alloc(16_777_216, " "));
      return Buffer.concat([gzipSync("<svg>"), ...Array.from({ length: 64 }, () => block), gzipSync("</svg>")]);
    },
  },
];

/** Nine levels of entities, each ten times the previous: a billion of the first. */
const laughs = (root: string): string =>
  `<!DOCTYPE ${root} [<!ENTITY e0 "ha">${Array.from({ length: 9 }, (_, index) => `<!ENTITY e${index + 1} "${`&e${index};`.repeat(10)}">`).join("")}]>`;

/** One entity of 100 kB used 50,000 times: 5 GB without nested entities. */
const quadratic = (root: string): string => `<!DOCTYPE ${root} [<!ENTITY e9 "${"a".repeat(100_000)}">]>`;
const outside = (root: string): string => `<!DOCTYPE ${root} [<!ENTITY e9 SYSTEM "file:///etc/passwd">]>`;
const parameters = (root: string): string =>
  `<!DOCTYPE ${root} SYSTEM "file:///etc/passwd" [<!ENTITY % a "<!ENTITY e9 '&#37;a;'>"> %a; %a;]>`;

/** Where XML has text: what precedes the entity, what follows it, and the target. */
const XML: readonly (readonly [FormatId, string, string, string, readonly FormatId[]])[] = [
  [
    "svg",
    "svg",
    '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><text>',
    "</text></svg>",
    ["png", "pdf"],
  ],
  [
    "kml",
    "kml",
    "<kml><Placemark><name>",
    "</name><Point><coordinates>1,2</coordinates></Point></Placemark></kml>",
    ["geojson"],
  ],
  ["gpx", "gpx", '<gpx><wpt lat="1" lon="2"><name>', "</name></wpt></gpx>", ["geojson"]],
  ["xml", "a", "<a>", "</a>", ["json"]],
  ["plist", "plist", "<plist><string>", "</string></plist>", ["json"]],
  [
    "ttml",
    "tt",
    '<tt xmlns="http://www.w3.org/ns/ttml"><body><div><p begin="1s" end="2s">',
    "</p></div></body></tt>",
    ["srt"],
  ],
  ["fb2", "FictionBook", "<FictionBook><body><section><p>", "</p></section></body></FictionBook>", ["html"]],
  ["html", "html", '<html xmlns="http://www.w3.org/1999/xhtml"><body><p>', "</p></body></html>", ["pdf", "docx"]],
];

const declarations = { laughs, quadratic, outside, parameters } as const;
const kinds = Object.entries(declarations);

/** The content of a document in a zip, with the entities inserted into its text. */
const MEMBERS: readonly (readonly [FormatId, string, string, RegExp, FormatId])[] = [
  ["docx", "word/document.xml", "w:document", /(?<=<w:t[ >][^<]*)(?=<)/, "html"],
  ["xlsx", "xl/sharedStrings.xml", "sst", /(?<=<t[ >][^<]*)(?=<)/, "csv"],
  ["ods", "content.xml", "office:document-content", /(?<=<text:p[ >][^<]*)(?=<)/, "csv"],
  ["epub", "OPS/text/one.xhtml", "html", /(?=<\/p>)/, "html"],
  ["epub", "OPS/book.opf", "package", /(?=<\/dc:title>)/, "html"],
  ["epub", "META-INF/container.xml", "container", /(?=<\/rootfiles>)/, "html"],
  ["kmz", "doc.kml", "kml", /(?=<\/name>)/, "geojson"],
  ["3mf", "3D/3dmodel.model", "model", /(?=<\/resources>)/, "glb"],
];

const put = (text: string, doctype: string, place: RegExp, times: number): string =>
  doctype + text.replace(/^<\?xml[^>]*\?>\s*/, "").replace(place, "&e9;".repeat(times));

export const xmlBombs: readonly Attack[] = kinds.flatMap(([kind, doctype]) => {
  const times = kind === "quadratic" ? 50_000 : 1;
  return [
    ...XML.map(([from, root, before, after, to]) => ({
      name: `entities: ${kind}`,
      from,
      to,
      bytes: () => `<?xml version="1.0"?>${doctype(root)}${before}${"&e9;".repeat(times)}${after}`,
    })),
    ...MEMBERS.map(([from, member, root, place, to]) => ({
      name: `entities: ${kind} in ${member}`,
      from,
      to: [to],
      bytes: () => withMember(from, member, (text) => put(text, doctype(root), place, times)),
    })),
    ...(["gml", "fods"] as const).map((from) => ({
      name: `entities: ${kind}`,
      from,
      to: [from === "gml" ? ("geojson" as const) : ("csv" as const)],
      bytes: () => put(String(sample(from)), doctype("a"), /(?<=<(?:text:p|ogr:name)[^<]*>)/, times),
    })),
  ];
});

const ALIASES = Array.from({ length: 12 }, (_, index) => {
  const items = Array.from({ length: 10 }, () => (index === 0 ? "x" : `*a${index - 1}`)).join(",");
  return `a${index}: &a${index} [${items}]`;
}).join("\n");

export const textBombs: readonly Attack[] = [
  { name: "exponential references", from: "yaml", to: ["json", "csv", "plist"], bytes: () => ALIASES },
  { name: "a reference to itself", from: "yaml", to: ["json"], bytes: () => "&a {b: *a}" },
  {
    name: "exponential merges",
    from: "yaml",
    to: ["json"],
    bytes: () =>
      `a0: &a0 {${Array.from({ length: 1_000 }, (_, index) => `k${index}: 1`).join(",")}}\n${Array.from({ length: 3_000 }, (_, index) => `a${index + 1}: &a${index + 1} {<<: [${`*a${index},`.repeat(10)}]}`).join("\n")}`,
  },
  { name: "nested footnotes", from: "md", to: ["html"], bytes: () => "[^1]: [^1]\n\n[^1]".repeat(5_000) },
  {
    name: "links with one definition",
    from: "md",
    to: ["html"],
    bytes: () => `[a]: ${"x".repeat(100_000)}\n\n${"[a] ".repeat(100_000)}`,
  },
];
