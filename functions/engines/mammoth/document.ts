import type { Warning } from "../../domain/jobs.ts";
import type { DocxPackage } from "./package.ts";

/** What mammoth's own table of styles lacks: titles, quotes and code, as Word, LibreOffice, pandoc and we call them. */
const STYLES = [
  "p[style-name='Title'] => h1:fresh",
  "p[style-name='Subtitle'] => p > em",
  ...["Quote", "Intense Quote", "Block Text", "Quotations"].map(
    (name) => `p[style-name='${name}'] => blockquote > p:fresh`,
  ),
  ...["HTML Preformatted", "Source Code", "Preformatted Text", "Code"].map(
    (name) => `p[style-name='${name}'] => pre:separator('\\n')`,
  ),
  ...["HTML Code", "Verbatim Char", "Source Text", "Code Char"].map((name) => `r[style-name='${name}'] => code`),
  "r[style-name='Emphasis'] => em",
  "u => u",
  "strike => s",
];

/** @returns the document as HTML that is still to be cleaned, and what was not understood */
export const htmlOfDocx = async (file: DocxPackage): Promise<{ html: string; warnings: readonly Warning[] }> => {
  const { default: mammoth } = await import("mammoth");
  // `file` is what mammoth makes of a path or of bytes (`lib/unzip.js`); given so, nothing else opens the zip.
  const input: { file: DocxPackage } & Partial<{ path: string }> = { file };
  const { value, messages } = await mammoth.convertToHtml(input as { path: string } & typeof input, {
    styleMap: STYLES,
    includeEmbeddedStyleMap: false,
    externalFileAccess: false,
  });
  const said = messages.map(({ message }) => message).join("\n");
  return {
    html: value,
    warnings: MEANINGS.filter(({ words }) => words.test(said)).map(({ words: _, ...warning }) => warning),
  };
};

/** What mammoth says that is worth a word to the client. Pictures that no browser shows are the cleaning's to tell. */
const MEANINGS = [
  { words: /ignored: \S*oMath/, code: "equations_dropped", detail: "Equations were left out." },
  {
    words: /ignored: \S*(?:chart|diagram|dgm|wpc|graphicFrame)/,
    code: "drawings_dropped",
    detail: "Charts or drawings were left out.",
  },
  { words: /find image file/, code: "pictures_dropped", detail: "Pictures were left out that are not in the file." },
] as const;
