import { XMLParser } from "fast-xml-parser";
import { readZip } from "../../../../functions/engines/archives/zip/reader.ts";

/** A Word document, read without the code that wrote it. */
export interface WordView {
  /** The parts by name. */
  readonly parts: ReadonlyMap<string, string>;
  readonly body: string;
  /** The texts of the paragraphs of the body, outside of text boxes. */
  readonly paragraphs: readonly string[];
  /** Errors for which Word reports a damaged file. */
  readonly faults: readonly string[];
}

/** @returns the content of a DOCX and its faults */
export const viewWord = (path: string): Promise<WordView> =>
  readZip(path, async ({ paths, read }) => {
    const parts = new Map<string, string>();
    for (const name of paths) {
      parts.set(name, (await read(name))?.toString(/\.(?:xml|rels)$/.test(name) ? "utf8" : "latin1") ?? "");
    }
    const body = parts.get("word/document.xml") ?? "";
    const flat = body.replace(/<w:txbxContent>.*?<\/w:txbxContent>/gs, "");
    const paragraphs = [...flat.matchAll(/<w:p>.*?<\/w:p>/gs)].map(([xml]) => textIn(xml));
    return { parts, body, paragraphs, faults: [...parts.keys()].flatMap((name) => faultsIn(name, parts)) };
  });

const textIn = (xml: string): string =>
  [...xml.matchAll(/<w:t(?: [^>]*)?>([^<]*)<\/w:t>|<w:tab\/>|<w:br\/>/g)]
    .map(([all, text]) => text ?? (all === "<w:tab/>" ? "\t" : "\n"))
    .join("")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&amp;", "&");

/** The order of child elements (ECMA-376, part 1, wml.xsd), as far as the documents have them. */
const ORDERS: Readonly<Record<string, string>> = {
  "w:pPr":
    "pStyle keepNext keepLines pageBreakBefore framePr widowControl numPr pBdr shd tabs bidi spacing ind contextualSpacing jc outlineLvl rPr sectPr",
  "w:rPr": "rStyle rFonts b bCs i iCs strike color spacing sz szCs highlight u shd vertAlign rtl cs lang",
  "w:tblPr": "tblStyle tblpPr bidiVisual tblW jc tblInd tblBorders shd tblLayout tblCellMar tblLook",
  "w:trPr": "cantSplit trHeight tblHeader",
  "w:tcPr": "tcW gridSpan vMerge tcBorders shd noWrap tcMar vAlign",
  "w:tcBorders": "top left bottom right",
  "w:pBdr": "top left bottom right",
  "w:sectPr": "headerReference footerReference footnotePr type pgSz pgMar pgNumType cols titlePg bidi",
  "w:lvl": "start numFmt pStyle suff lvlText lvlJc pPr rPr",
  "w:style": "name basedOn next uiPriority qFormat pPr rPr tblPr",
  "w:settings": "evenAndOddHeaders defaultTabStop footnotePr compat",
  "w:tbl": "tblPr tblGrid tr",
};

type XmlNode = Readonly<Record<string, unknown>>;

const parser = new XMLParser({ preserveOrder: true, ignoreAttributes: false, attributeNamePrefix: "@" });

const faultsIn = (name: string, parts: ReadonlyMap<string, string>): string[] => {
  const xml = parts.get(name) ?? "";
  if (!/^word\/[a-z0-9]+\.xml$/.test(name)) {
    return [];
  }
  const relations = parts.get(name.replace("word/", "word/_rels/").concat(".rels")) ?? "";
  const numbers = parts.get("word/numbering.xml") ?? "";
  const notes = parts.get("word/footnotes.xml") ?? "";
  const ids = [...xml.matchAll(/docPr id="(\d+)"/g)].map(([, id]) => id);
  const lacks = (pattern: RegExp, isThere: (id: string) => boolean): string[] =>
    [...xml.matchAll(pattern)].flatMap(([all, id = ""]) => (isThere(id) ? [] : [`${name}: ${all} leads nowhere`]));
  return [
    ...(new Set(ids).size === ids.length ? [] : [`${name}: drawings with the same id`]),
    ...lacks(/r:(?:id|embed)="(\w+)"/g, (id) => relations.includes(`Id="${id}"`)),
    ...lacks(/<w:numId w:val="(\d+)"/g, (id) => numbers.includes(`<w:num w:numId="${id}"`)),
    ...lacks(/<w:footnoteReference [^>]*w:id="(\d+)"/g, (id) => notes.includes(`<w:footnote w:id="${id}"`)),
    ...lacks(/w:(?:left|right|before|after|line|w|h|pos)="(-?\d+)"/g, (id) => Math.abs(Number(id)) <= 31_680),
    ...(parser.parse(xml) as XmlNode[]).flatMap((node) => orderFaults(name, node)),
  ];
};

const orderFaults = (part: string, node: XmlNode): string[] => {
  const [name = ""] = Object.keys(node).filter((key) => key !== ":@");
  const children = Array.isArray(node[name]) ? (node[name] as XmlNode[]) : [];
  const names = children.flatMap((child) => Object.keys(child).filter((key) => key !== ":@" && key !== "#text"));
  const order = ORDERS[name]?.split(" ");
  const places = order === undefined ? [] : names.map((child) => order.indexOf(child.replace("w:", "")));
  const wrong = places.some((place, index) => place < 0 || place < (places[index - 1] ?? 0));
  const needsParagraph = ["w:tc", "w:txbxContent"].includes(name) && names.at(-1) !== "w:p";
  return [
    ...(wrong ? [`${part}: ${name} has ${names.join(" ")}`] : []),
    ...(needsParagraph ? [`${part}: ${name} ends without a paragraph`] : []),
    ...children.flatMap((child) => orderFaults(part, child)),
  ];
};
