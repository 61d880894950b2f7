import { Document, LevelFormat } from "docx";
import type { Warning } from "../../../domain/warning.ts";
import type { CleanTree } from "../html/clean.ts";
import { blocksOf } from "./blocks.ts";
import { stateOf } from "./state.ts";

/** @returns the document, and warnings about what was left out */
export const documentOf = (tree: CleanTree): { document: Document; warnings: readonly Warning[] } => {
  const state = stateOf(tree.body);
  const children = blocksOf(tree.body.childNodes, { ...START, rightToLeft: tree.dir === "rtl" }, state);
  const { author = "", description = "", keywords = "" } = tree.metadata;
  const document = new Document({
    title: tree.title,
    // Otherwise the library inserts a default author.
    creator: author,
    lastModifiedBy: author,
    ...(description && { description }),
    ...(keywords && { keywords }),
    styles: {
      default: { document: { run: { font: FONT, size: 22 }, paragraph: { spacing: { after: 120 } } } },
      ...STYLES,
    },
    numbering: { config: [{ reference: "bullets", levels: BULLETS }, ...[...state.starts].map(numbering)] },
    sections: [{ properties: { page: { size: A4, margin: MARGINS } }, children }],
  });
  const warnings =
    state.picturesDropped === 0
      ? []
      : [
          {
            code: "pictures_dropped",
            detail: `Pictures in formats that Word does not support were left out: ${state.picturesDropped}.`,
          },
        ];
  return { document, warnings };
};

const FONT = { ascii: "Calibri", hAnsi: "Calibri", cs: "Arial", eastAsia: "Microsoft YaHei" };
const MONOSPACED = { ascii: "Courier New", hAnsi: "Courier New", cs: "Courier New" };

/** In twentieths of a point. */
const A4 = { width: 11_906, height: 16_838 };
const MARGINS = { top: 1_440, right: 1_440, bottom: 1_440, left: 1_440 };

const START = {
  format: {},
  paragraph: {},
  lists: [],
  item: undefined,
  indent: 0,
  preformatted: false,
  rightToLeft: false,
};

const BLACK = { color: "000000" };
const heading = (size: number) => ({
  run: { size, bold: true, ...BLACK },
  paragraph: { spacing: { before: 240, after: 120 }, keepNext: true },
});

/** Style names by which Word, LibreOffice and pandoc recognize code and quotes. */
const STYLES = {
  paragraphStyles: [
    {
      id: "SourceCode",
      name: "Source Code",
      basedOn: "Normal",
      run: { font: MONOSPACED, size: 19 },
      paragraph: { spacing: { after: 120 } },
    },
    {
      id: "Quote",
      name: "Quote",
      basedOn: "Normal",
      run: { italics: true },
      paragraph: { indent: { left: 567, right: 567 } },
    },
    { id: "Heading1", name: "heading 1", basedOn: "Normal", next: "Normal", quickFormat: true, ...heading(36) },
    { id: "Heading2", name: "heading 2", basedOn: "Normal", next: "Normal", quickFormat: true, ...heading(30) },
    { id: "Heading3", name: "heading 3", basedOn: "Normal", next: "Normal", quickFormat: true, ...heading(26) },
    { id: "Heading4", name: "heading 4", basedOn: "Normal", next: "Normal", quickFormat: true, ...heading(24) },
    { id: "Heading5", name: "heading 5", basedOn: "Normal", next: "Normal", quickFormat: true, ...heading(22) },
    { id: "Heading6", name: "heading 6", basedOn: "Normal", next: "Normal", quickFormat: true, ...heading(22) },
  ],
  characterStyles: [
    { id: "VerbatimChar", name: "Verbatim Char", run: { font: MONOSPACED, size: 20 } },
    { id: "Hyperlink", name: "Hyperlink", run: { color: "0563C1", underline: {} } },
  ],
};

const LEVELS = [0, 1, 2, 3, 4, 5, 6, 7, 8];
const indented = (level: number) => ({ paragraph: { indent: { left: 720 * (level + 1), hanging: 360 } } });

const BULLETS = LEVELS.map((level) => ({
  level,
  format: LevelFormat.BULLET,
  text: ["•", "◦", "▪"][level % 3] ?? "•",
  style: indented(level),
}));

const FORMATS: Readonly<Record<string, (typeof LevelFormat)[keyof typeof LevelFormat]>> = {
  "1": LevelFormat.DECIMAL,
  a: LevelFormat.LOWER_LETTER,
  A: LevelFormat.UPPER_LETTER,
  i: LevelFormat.LOWER_ROMAN,
  I: LevelFormat.UPPER_ROMAN,
};

const numbering = ([reference, { type, start }]: readonly [string, { type: string; start: number }]) => ({
  reference,
  levels: LEVELS.map((level) => ({
    level,
    format: FORMATS[type] ?? LevelFormat.DECIMAL,
    text: `%${level + 1}.`,
    start,
    style: indented(level),
  })),
});
