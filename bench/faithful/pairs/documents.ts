import { calibre, chromium, pandoc, pdftoppm, pdftotext } from "../references/reference.ts";
import { type Pair, pairsOf } from "./pair.ts";

/** Documents, presentations, books and mail. Pages are compared only where the layout is kept. */

const document = { kind: "document" } as const;
const text = { kind: "document", looks: false } as const;

export const documentPairs: readonly Pair[] = [
  // The pages of the source are those that a plain run of LibreOffice prints, so it is the reference by itself; and it
  // also converts the office formats into each other.
  ...pairsOf(["docx", "doc", "odt", "rtf", "pptx", "ppt", "odp"], ["pdf"], document),
  // Sheets are fitted to pages, which LibreOffice does not do by itself.
  ...pairsOf(["xlsx", "xls", "ods"], ["pdf"], text),
  ...pairsOf(["doc", "odt", "rtf"], ["docx"], document),
  ...pairsOf(["docx"], ["odt"], document),
  ...pairsOf(["docx"], ["txt", "html", "md", "epub"], { ...text, reference: pandoc }),
  ...pairsOf(["html"], ["pdf"], { ...document, reference: chromium }),
  ...pairsOf(["html"], ["docx", "md", "txt"], { ...text, reference: pandoc }),
  ...pairsOf(["md"], ["html", "docx"], { ...text, reference: pandoc }),
  ...pairsOf(["md", "txt"], ["pdf"], text),
  ...pairsOf(["epub"], ["pdf", "txt", "mobi"], { ...text, reference: calibre }),
  ...pairsOf(["mobi", "azw3"], ["epub"], { ...text, reference: calibre }),
  ...pairsOf(["pdf"], ["txt"], { ...text, reference: pdftotext }),
  // `node bench pdf` scores these two in detail.
  ...pairsOf(["pdf"], ["html", "docx"], text),
  ...pairsOf(["pdf"], ["png", "jpg"], { kind: "picture", reference: pdftoppm }),
  ...pairsOf(["eml"], ["pdf", "html"], text),
];
