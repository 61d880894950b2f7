import { halfPoints, val, w } from "./elements.ts";
import type { Look, Looks } from "./looks.ts";

/** The styles and settings of a document. */

/** @param language of the document, if the PDF declares it @param plain whether the styles are Word's, not the source's */
export const stylesXml = ({ body, headings }: Looks, language: string | undefined, plain: boolean): string => {
  const { family } = body;
  const defaults = [
    w("rFonts", { ascii: family, hAnsi: family, eastAsia: family, cs: family }),
    body.color === "000000" ? "" : val("color", body.color),
    val("sz", halfPoints(body.size)) + val("szCs", halfPoints(body.size)),
    language === undefined ? "" : w("lang", { val: language, eastAsia: language, bidi: language }),
  ];
  const spacing = plain
    ? w("spacing", { after: 160, line: 259, lineRule: "auto" })
    : w("spacing", { after: 0, line: 240, lineRule: "auto" });
  const paragraph = w("pPr", {}, plain ? "" : val("widowControl", 0), spacing);
  return w("docDefaults", {}, w("rPrDefault", {}, w("rPr", {}, ...defaults)), w("pPrDefault", {}, paragraph)).concat(
    style("paragraph", "Normal", "Normal", { standard: true }),
    ...[...headings]
      .toSorted(([one], [other]) => one - other)
      .map(([level, look]) => headingXml(level, look, body, plain)),
    w(
      "style",
      { type: "character", default: 1, styleId: "DefaultParagraphFont" },
      val("name", "Default Paragraph Font"),
      val("uiPriority", 1),
    ),
    w(
      "style",
      { type: "character", styleId: "Hyperlink" },
      val("name", "Hyperlink"),
      w("rPr", {}, val("color", "0563C1"), val("u", "single")),
    ),
    TABLES,
  );
};

const style = (type: string, id: string, name: string, { standard = false, content = "" }): string =>
  w("style", { type, default: standard ? 1 : undefined, styleId: id }, val("name", name), "<w:qFormat/>", content);

const headingXml = (level: number, look: Look, body: Look, plain: boolean): string => {
  const properties = [
    look.family === body.family ? "" : w("rFonts", { ascii: look.family, hAnsi: look.family, cs: look.family }),
    look.bold ? "<w:b/><w:bCs/>" : "",
    look.italic ? "<w:i/><w:iCs/>" : "",
    look.color === body.color ? "" : val("color", look.color),
    look.size === body.size ? "" : val("sz", halfPoints(look.size)) + val("szCs", halfPoints(look.size)),
  ];
  return w(
    "style",
    { type: "paragraph", styleId: `Heading${level}` },
    val("name", `heading ${level}`),
    val("basedOn", "Normal"),
    val("next", "Normal"),
    val("uiPriority", 9),
    "<w:qFormat/>",
    w(
      "pPr",
      {},
      plain ? "<w:keepNext/>" : "",
      plain ? w("spacing", { before: 240, after: 80 }) : "",
      val("outlineLvl", level - 1),
    ),
    w("rPr", {}, ...properties).replace("<w:rPr/>", ""),
  );
};

const border = (name: string): string => w(name, { val: "single", sz: 4, space: 0, color: "auto" });
const TABLES =
  w(
    "style",
    { type: "table", default: 1, styleId: "TableNormal" },
    val("name", "Normal Table"),
    val("uiPriority", 99),
    w(
      "tblPr",
      {},
      w("tblInd", { w: 0, type: "dxa" }),
      w(
        "tblCellMar",
        {},
        ...["top", "left", "bottom", "right"].map((side, index) =>
          w(side, { w: index % 2 === 0 ? 0 : 108, type: "dxa" }),
        ),
      ),
    ),
  ) +
  w(
    "style",
    { type: "table", styleId: "TableGrid" },
    val("name", "Table Grid"),
    val("basedOn", "TableNormal"),
    w("tblPr", {}, w("tblBorders", {}, ...["top", "left", "bottom", "right", "insideH", "insideV"].map(border))),
  );

/** The document for Word 2013 and later, without compatibility mode. */
export const settingsXml = (facing: boolean, hasNotes: boolean): string => {
  const separators = [0, 1].map((id) => w("footnote", { id })).join("");
  return [
    facing ? "<w:evenAndOddHeaders/>" : "",
    val("defaultTabStop", 720),
    hasNotes ? w("footnotePr", {}, separators) : "",
    w(
      "compat",
      {},
      w("compatSetting", { name: "compatibilityMode", uri: "http://schemas.microsoft.com/office/word", val: 15 }),
    ),
  ].join("");
};
