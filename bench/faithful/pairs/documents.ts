import { calibre, chromium, pandoc, pdftoppm, pdftotext, soffice } from "../references/reference.ts";
import { type Pair, pairsOf } from "./pair.ts";

/** Documents, presentations, books and mail. Pages are compared only where the layout is kept. */

const document = { kind: "document" } as const;
const text = { kind: "document", looks: false } as const;

export const documentPairs: readonly Pair[] = [
  ...pairsOf(["docx", "doc", "odt", "rtf", "pptx", "ppt", "odp", "xlsx", "xls", "ods"], ["pdf"], {
    ...document,
    reference: soffice,
  }),
  ...pairsOf(["doc", "odt", "rtf"], ["docx"], { ...document, reference: soffice }),
  ...pairsOf(["docx"], ["odt"], { ...document, reference: soffice }),
  ...pairsOf(["docx"], ["txt", "html", "md", "epub"], { ...text, reference: pandoc }),
  ...pairsOf(["html"], ["pdf"], { ...document, reference: chromium }),
  ...pairsOf(["html"], ["docx", "md", "txt"], { ...text, reference: pandoc }),
  ...pairsOf(["md"], ["html", "docx"], { ...text, reference: pandoc }),
  ...pairsOf(["md", "txt"], ["pdf"], text),
  ...pairsOf(["epub"], ["pdf", "txt", "mobi"], { ...text, reference: calibre }),
  ...pairsOf(["mobi", "azw3"], ["epub"], { ...text, reference: calibre }),
  ...pairsOf(["pdf"], ["txt"], { ...text, reference: pdftotext }),
  ...pairsOf(["pdf"], ["docx"], { ...document, reference: { ...soffice, convert: throughWriter } }),
  ...pairsOf(["pdf"], ["html"], text),
  ...pairsOf(["pdf"], ["png", "jpg"], { kind: "picture", reference: pdftoppm }),
  ...pairsOf(["eml"], ["pdf", "html"], text),
];

/** LibreOffice opens a PDF as a drawing unless it is told to use Writer, and Draw writes no DOCX. */
function throughWriter(): Promise<never> {
  return Promise.reject(new Error("soffice needs an import filter for this pair; see `node bench pdf`."));
}
