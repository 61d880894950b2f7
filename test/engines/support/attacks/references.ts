import { readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { gzipSync } from "node:zlib";
import type { FormatId } from "../../../../functions/domain/formats.ts";
import { tarOf, zipOf } from "../raw-archives.ts";
import { type Attack, sample, withMember, withMembers } from "./attack.ts";

/** Files that refer to what lies outside of them. Each names all places in every way that its format has. */

/** @param places addresses of the network, of files, and paths, none of which may be opened */
export const references = (places: readonly string[]): readonly Attack[] => {
  const each = (one: (place: string, index: number) => string): string => places.map(one).join("\n");
  const attack = (from: FormatId, to: readonly FormatId[], name: string, bytes: Attack["bytes"]): Attack => ({
    name,
    from,
    to,
    bytes,
  });
  const [first = ""] = places;

  const svg =
    `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:xi="http://www.w3.org/2001/XInclude" width="200" height="200"><style>${each((place) => `@import url("${place}"); @font-face { font-family: f; src: url("${place}") }`)}</style>${each(
      (place) =>
        `<image href="${place}" width="200" height="200"/><image xlink:href="${place}" width="200" height="200"/><use href="${place}#a"/><text font-family="f"><tref xlink:href="${place}"/></text><script href="${place}"/><xi:include href="${place}" parse="text"/><rect width="200" height="200" fill="url(${place}#a)"/><rect width="200" height="200" style="fill:url('${place}#a') none;mask:url(${place}#b);cursor:url(${place})"/><filter id="f"><feImage href="${place}"/></filter><rect width="200" height="200" fill-opacity="0" filter="url(#f)"/><foreignObject width="99" height="99"><iframe xmlns="http://www.w3.org/1999/xhtml" src="${place}"/></foreignObject>`,
    )}</svg>`.replaceAll(
      /<rect width="200" height="200" fill="url/g,
      '<rect width="200" height="200" fill-opacity="0" fill="url',
    );
  const sheet = each((place) => `<?xml-stylesheet href="${place}"?>`);

  const html = `<html><head><base href="${first}/"><link rel="stylesheet" href="${first}"><meta http-equiv="refresh" content="0;url=${first}"><style>${each((place) => `@import url("${place}"); body { background: url("${place}") }`)}</style></head><body background="${first}">${each(
    (place) =>
      `<img src="${place}"><img srcset="${place} 2x"><picture><source srcset="${place}"></picture><iframe src="${place}"></iframe><object data="${place}"></object><embed src="${place}"><video src="${place}" poster="${place}"></video><input type="image" src="${place}"><p style="background:url('${place}')">x</p><script src="${place}"></script><img src="data:image/svg+xml;base64,${btoa(svg)}"><svg><image href="${place}"/></svg><a href="${place}">x</a>`,
  )}</body></html>`;

  /** Code of Typst where text is expected, with all signs that could end a string or begin code. */
  const code = each(
    (place) =>
      `#read("${place}") #image("${place}") #include "${place}" #import "${place}": * #eval("read(\\"${place}\\")") $ #read("${place}") $ \\" #read("${place}") \\\\" + read("${place}") + " ${"`"}#read("${place}")${"`"} */ #read("${place}") /* // \u0000" #read("${place}")\r#read("${place}")\u2028#read("${place}")`,
  );
  const attributes = `<p title='" + read("${first}") + "' lang='en", read("${first}"), "'><a href='https://x"#read("${first}")'>x</a><img alt='"+read("${first}")+"' src="data:image/png;base64,AA" width='9pt) + read("${first}")'><ol start='1, read("${first}")'><li>x</ol><td colspan='read("${first}")'>`;

  const relations = (type: string): string =>
    each(
      (place, index) =>
        `<Relationship Id="out${index}" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/${type}" Target="${place}" TargetMode="External"/><Relationship Id="in${index}" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/${type}" Target="${place}"/>`,
    );
  const package_ = (text: string): string =>
    `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${text}</Relationships>`;
  const drawings = each(
    (place, index) =>
      `<w:p><w:r>${["out", "in"].map((id) => `<w:drawing><wp:inline><a:graphic><a:graphicData><pic:pic><pic:blipFill><a:blip r:link="${id}${index}" r:embed="${id}${index}"/></pic:blipFill></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing>`).join("")}<w:instrText>INCLUDETEXT "${place}"</w:instrText><w:instrText>INCLUDEPICTURE "${place}"</w:instrText></w:r></w:p><w:altChunk r:id="out${index}"/>`,
  );
  const docx = async (): Promise<Buffer> => {
    const rels = package_(`${relations("image")}${relations("attachedTemplate")}${relations("aFChunk")}`);
    const document = await withMember("docx", "word/document.xml", (text) =>
      text.replace("<w:body>", `<w:body>${drawings}`),
    );
    return document.length === 0
      ? document
      : withMembersOf(document, [
          ["word/_rels/document.xml.rels", rels],
          ["word/_rels/settings.xml.rels", rels],
          [
            "word/settings.xml",
            '<w:settings xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><w:attachedTemplate r:id="out0"/></w:settings>',
          ],
        ]);
  };

  const pdf = (): string => {
    const actions = places.flatMap((place) => [
      `<</Type/Annot/Subtype/Link/Rect[0 0 99 99]/A<</S/URI/URI(${place})>>>>`,
      `<</Type/Annot/Subtype/Link/Rect[0 0 99 99]/A<</S/Launch/F(${place})>>>>`,
      `<</Type/Annot/Subtype/Link/Rect[0 0 99 99]/A<</S/GoToR/F(${place})/D[0/Fit]>>>>`,
      `<</Type/Annot/Subtype/FileAttachment/Rect[0 0 99 99]/FS<</Type/Filespec/F(${place})>>>>`,
      `<</Type/Annot/Subtype/Widget/FT/Btn/T(a)/Rect[0 0 99 99]/A<</S/SubmitForm/F<</FS/URL/F(${place})>>>>/AA<</PO<</S/ImportData/F(${place})>>/O<</S/JavaScript/JS(app.launchURL\\("${place}"\\))>>>>>>`,
    ]);
    const pictures = places.map(
      (place) =>
        `<</Type/XObject/Subtype/Image/Width 9/Height 9/BitsPerComponent 8/ColorSpace/DeviceRGB/F<</Type/Filespec/FS/URL/F(${place})>>/Length 0>>stream\n\nendstream`,
    );
    const objects = [
      `<</Type/Catalog/Pages 2 0 R/OpenAction<</S/URI/URI(${first})>>/AcroForm<</Fields[]/XFA(${first})>>>>`,
      "<</Type/Pages/Kids[3 0 R]/Count 1>>",
      `<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]/Annots[${actions.join("")}]/Contents 4 0 R/Resources<</XObject<<${pictures.map((_, index) => `/P${index} ${index + 5} 0 R`).join("")}>>>>>>`,
      `<</Length 0/F(${places[1] ?? first})>>stream\n${pictures.map((_, index) => `/P${index} Do`).join(" ")}\nendstream`,
      ...pictures,
    ];
    return `%PDF-1.7\n${objects.map((object, index) => `${index + 1} 0 obj\n${object}\nendobj\n`).join("")}trailer\n<</Root 1 0 R>>\n%%EOF\n`;
  };

  const mail = each(
    (place, index) =>
      `--b\r\nContent-Type: message/external-body; access-type=local-file; name="${place}"\r\nContent-ID: <x${index}>\r\n\r\n--b\r\nContent-Type: text/plain\r\nContent-Location: ${place}\r\nContent-Disposition: attachment; filename="../../${place}"\r\n\r\nx\r\n`,
  );
  const eml = `From: a@example.org\r\nSubject: ${first}\r\nMIME-Version: 1.0\r\nContent-Type: multipart/related; boundary=b\r\n\r\n--b\r\nContent-Type: text/html\r\n\r\n${html}\r\n${mail}--b--\r\n`;

  const formulas = each(
    (place) =>
      `"=WEBSERVICE(""${place}"")","=cmd|'/C ${place}'!A0",+IMPORTXML("${place}"),@SUM(1),"=HYPERLINK(""${place}"",1)","='file://${place}'#$Sheet1.A1"`,
  );
  const xml = each(
    (place) =>
      `<a xlink:href="${place}"/><xi:include xmlns:xi="http://www.w3.org/2001/XInclude" href="${place}" parse="text"/>`,
  );
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
  const magick = [
    `push graphic-context\nviewbox 0 0 200 200\n${each((place) => `image over 0,0 0,0 '${place}'`)}\npop graphic-context\n`,
    `<?xml version="1.0"?><image>${each((place) => `<read filename="${place}"/><write filename="/tmp/written"/>`)}</image>`,
    each((place) => `text:${place}\ncaption:@${place}\n@${place}\nmsl:${place}\n`),
    `%!PS\n${each((place) => `(${place}) (r) file run`)}\n`,
  ];
  const MAGICK: readonly FormatId[] = [
    "bmp",
    "psd",
    "tga",
    "pcx",
    "xpm",
    "xbm",
    "miff",
    "pict",
    "ico",
    "dng",
    "jxl",
    "jp2",
    "svg",
    "png",
    "gif",
    "heic",
  ];

  return [
    attack("svg", ["png", "pdf", "jpg", "tiff"], "in all its ways", () => `${sheet}${svg}`),
    attack("svgz", ["png", "pdf"], "in all its ways", () => gzipSync(svg)),
    attack("html", ["pdf", "docx", "epub", "md", "txt"], "in all its ways", () => html),
    attack(
      "md",
      ["html", "pdf", "docx", "epub"],
      "in all its ways",
      () =>
        `---\ncss: ${first}\n---\n${each((place) => `![a](${place})\n![a](<${place}>)\n[a]: ${place}\n![a]\n`)}\n${html}`,
    ),
    attack("txt", ["pdf", "html", "docx"], "as code of Typst", () => code),
    attack(
      "md",
      ["pdf"],
      "as code of Typst",
      () => `${code}\n\n\`\`\`typ\n${code}\n\`\`\`\n\n# ${code.replaceAll("\n", " ")}`,
    ),
    attack(
      "html",
      ["pdf"],
      "as code of Typst",
      () =>
        `<html lang='"#read("${first}")'><title>" #read("${first}")</title><meta name=author content='"#read("${first}")'>${attributes}<pre><code class='language-"#read("${first}")'>${code}</code></pre><p>${code}</p><math><mi>${code}</mi></math>`,
    ),
    attack(
      "srt",
      ["ass", "vtt", "ttml"],
      "in all its ways",
      () =>
        `1\n00:00:01,000 --> 00:00:02,000\n${each((place) => `<img src="${place}">{\\1img(${place})}<font face="${place}">x</font>`)}\n`,
    ),
    attack(
      "vtt",
      ["ttml", "srt"],
      "in all its ways",
      () => `WEBVTT\n\nSTYLE\n::cue { background: url("${first}") }\n\n00:01.000 --> 00:02.000\n<c.${first}>x\n`,
    ),
    attack("docx", ["html", "pdf", "txt", "epub"], "in all its ways", docx),
    attack("xlsx", ["csv", "json", "html", "ods", "xlsb"], "in all its ways", async () =>
      withMembersOf(
        await withMember("xlsx", "xl/workbook.xml", (text) =>
          text.replace(
            "</sheets>",
            `</sheets><externalReferences>${each((_, index) => `<externalReference r:id="out${index}"/>`)}</externalReferences><definedNames><definedName name="a">'${first}'!A1</definedName></definedNames>`,
          ),
        ),
        [
          [
            "xl/_rels/workbook.xml.rels",
            package_(
              `<Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet1.xml"/>${relations("externalLink")}${relations("sharedStrings")}${relations("worksheet")}`,
            ),
          ],
          [
            "xl/worksheets/_rels/sheet1.xml.rels",
            package_(`${relations("image")}${relations("comments")}${relations("hyperlink")}`),
          ],
          [
            "xl/connections.xml",
            `<connections>${each((place) => `<connection id="1" type="4"><webPr url="${place}"/></connection>`)}</connections>`,
          ],
        ],
      ),
    ),
    attack("ods", ["csv", "json", "html"], "in all its ways", () =>
      withMember("ods", "content.xml", (text) =>
        text.replace(
          "<table:table-row",
          `${each((place) => `<table:table-source xlink:href="${place}" table:mode="copy-all"/><table:table-row><table:table-cell table:formula="of:=WEBSERVICE(&quot;${place}&quot;)"/><table:table-cell table:formula="of:=DDE(&quot;soffice&quot;;&quot;${place}&quot;;&quot;A1&quot;)"/></table:table-row>`)}<table:table-row`,
        ),
      ),
    ),
    attack(
      "csv",
      ["xlsx", "ods", "xls", "xlsb", "html", "json", "parquet", "sqlite"],
      "as formulas",
      () => `a,b,c,d,e,f\n${formulas}\n`,
    ),
    attack(
      "csv",
      ["json", "parquet"],
      "as names of files",
      () => `${places.map((place) => `"${place}"`).join(",")}\nread_text('${first}'),x\n`,
    ),
    attack("json", ["csv", "parquet", "sqlite", "xlsx"], "as names of columns", () =>
      JSON.stringify([
        Object.fromEntries(
          places.map((place) => [
            `"; ATTACH '${place}'; SELECT read_text('${place}') --`,
            `'||read_text('${place}')||'`,
          ]),
        ),
      ]),
    ),
    attack("epub", ["html", "pdf", "txt", "md"], "in its pages", () =>
      withMember("epub", "OPS/text/one.xhtml", (text) =>
        text
          .replace(
            "</body>",
            `${each((place) => `<img src="${place}"/><object data="${place}"/><a href="${place}">x</a>`)}</body>`,
          )
          .replace("<title/>", `<title/><link rel="stylesheet" href="${first}"/>`),
      ),
    ),
    attack("epub", ["html", "txt"], "in its list", () =>
      withMember("epub", "OPS/book.opf", (text) =>
        text
          .replace(
            "<manifest>",
            `<manifest>${each((place, index) => `<item id="x${index}" href="${place}" media-type="application/xhtml+xml"/><item id="y${index}" href="../../../../${place}" media-type="application/xhtml+xml"/>`)}`,
          )
          .replace(
            "<itemref",
            `${each((_, index) => `<itemref idref="x${index}"/><itemref idref="y${index}"/>`)}<itemref`,
          ),
      ),
    ),
    attack("epub", ["html"], "in its first file", () =>
      withMember("epub", "META-INF/container.xml", (text) =>
        text.replace('full-path="OPS/book.opf"', `full-path="${places[1] ?? first}"`),
      ),
    ),
    attack(
      "fb2",
      ["html", "pdf"],
      "in all its ways",
      () =>
        `<FictionBook xmlns:l="http://www.w3.org/1999/xlink"><body><section>${each((place) => `<image l:href="${place}"/><p><a l:href="${place}">x</a></p>`)}</section></body></FictionBook>`,
    ),
    attack("eml", ["html", "pdf", "json", "zip", "docx"], "in all its ways", () => eml),
    attack("mbox", ["html", "zip"], "in all its ways", () => `From a@example.org Thu Jan  1 00:00:00 1970\r\n${eml}`),
    attack(
      "ics",
      ["json", "csv"],
      "in all its ways",
      () =>
        `BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nDTSTART:20200101T000000Z\r\n${places.map((place) => `ATTACH;VALUE=URI:${place}\r\nURL:${place}\r\n`).join("")}SUMMARY:x\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n`,
    ),
    attack(
      "vcf",
      ["json", "csv"],
      "in all its ways",
      () =>
        `BEGIN:VCARD\r\nVERSION:3.0\r\nFN:x\r\n${places.map((place) => `PHOTO;VALUE=URI:${place}\r\nKEY;VALUE=URI:${place}\r\n`).join("")}END:VCARD\r\n`,
    ),
    attack("kml", ["geojson", "csv", "gpkg"], "in all its ways", () => kml),
    attack("kmz", ["geojson"], "in all its ways", () =>
      zipOf([
        { name: "../../doc.kml", bytes: kml },
        { name: "doc.kml", bytes: kml },
      ]),
    ),
    attack(
      "gpx",
      ["geojson"],
      "in all its ways",
      () =>
        `${sheet}<gpx xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="${first} ${first}">${each((place) => `<wpt lat="1" lon="2"><link href="${place}"/></wpt>`)}</gpx>`,
    ),
    attack("gml", ["geojson", "gpkg"], "in all its ways", () => gml),
    ...(["gml", "geojson", "geojsonl", "gpkg", "fgb", "kml"] as const).map((from) =>
      attack(from, ["csv", "topojson"], "as a source of GDAL", () => vrt),
    ),
    attack("geojson", ["gpkg", "kml", "csv"], "as a system of coordinates", () =>
      JSON.stringify({
        type: "FeatureCollection",
        crs: { type: "link", properties: { href: first, type: "proj4" } },
        features: [{ type: "Feature", properties: { a: first }, geometry: { type: "Point", coordinates: [1, 2] } }],
      }),
    ),
    attack("gpkg", ["geojson", "csv"], "as a view", () =>
      database(String(join(tmpdir(), "attack.gpkg")), places, sample("gpkg")),
    ),
    attack("sqlite", ["json", "csv"], "as a view and a trigger", () =>
      database(String(join(tmpdir(), "attack.sqlite")), places),
    ),
    attack("gltf", ["glb", "obj", "stl"], "as buffers", () => gltf),
    attack("gltf", ["glb", "usdz", "3mf", "obj"], "as pictures", () => textured),
    attack(
      "obj",
      ["glb", "usdz", "3mf"],
      "as materials",
      () => `${each((place) => `mtllib ${place}\nusemtl a\nmap_Kd ${place}\n`)}v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n`,
    ),
    attack("3mf", ["glb"], "as relations", () =>
      withMembers("3mf", [
        {
          name: "_rels/.rels",
          bytes: package_(
            each(
              (place) =>
                `<Relationship Id="a" Type="http://schemas.microsoft.com/3dmanufacturing/2013/01/3dmodel" Target="${place}"/>`,
            ),
          ),
        },
      ]),
    ),
    attack("pdf", ["png", "txt", "html", "docx", "pptx", "pdf"], "in all its ways", pdf),
    ...(["plist", "xml", "yaml"] as const).map((from) =>
      attack(from, ["json"], "in all its ways", () =>
        from === "yaml"
          ? each(
              (place, index) =>
                `a${index}: !!js/function "require('fs').readFileSync('${place}')"\nb${index}: !include ${place}\nc${index}: !!python/object/apply:os.system [ls]`,
            )
          : from === "xml"
            ? `${sheet}<r xmlns:xlink="x">${xml}</r>`
            : `<plist><dict>${each((place) => `<key>a</key><string>${place}</string>`)}</dict></plist>`,
      ),
    ),
    ...MAGICK.flatMap((from) =>
      magick.map((bytes, index) =>
        attack(from, [from === "png" ? "jpg" : "png"], `as a script of ImageMagick, ${index + 1}`, () => bytes),
      ),
    ),
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
};

/** @returns the zip with more members, the later ones of a name being those that are found */
const withMembersOf = async (zip: Buffer, members: readonly (readonly [string, string])[]): Promise<Buffer> => {
  const { readZip } = await import("../../../../functions/engines/io/zip-reader.ts");
  const { mkdtempSync, writeFileSync } = await import("node:fs");
  const folder = mkdtempSync(join(tmpdir(), "attack-"));
  writeFileSync(join(folder, "a.zip"), zip);
  const made = await readZip(join(folder, "a.zip"), async ({ paths, read }) => {
    const kept = paths.filter((path) => members.every(([name]) => name !== path));
    const own = await Promise.all(kept.map(async (name) => ({ name, bytes: (await read(name)) ?? "" })));
    return zipOf([...own, ...members.map(([name, bytes]) => ({ name, bytes }))]);
  });
  rmSync(folder, { recursive: true });
  return made;
};

/** @returns a database whose schema asks for files, programs and rows without end */
const database = (path: string, places: readonly string[], start: Uint8Array = Buffer.alloc(0)): Buffer => {
  rmSync(path, { force: true });
  const made = new DatabaseSync(path);
  void start;
  made.exec("CREATE TABLE a (x); INSERT INTO a VALUES (1)");
  for (const [index, place] of places.entries()) {
    made.exec(`CREATE VIEW v${index} AS SELECT readfile('${place}'), load_extension('${place}'), edit('${place}')`);
  }
  made.close();
  const bytes = readFileSync(path);
  rmSync(path);
  return bytes;
};
