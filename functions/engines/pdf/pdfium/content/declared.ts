import type { DocumentLayout } from "../layout/model.ts";
import { type PdfDocument, withPage } from "../page/document.ts";
import { type Pdfium, withMemory } from "../page/module.ts";

const TEXT_BYTES = 1_024;
const KEY = Buffer.from("Title\0");
const LEVELS_MAX = 3;

/** @returns the title of a document, and the language of its structure tree, if the file declares them */
export const declaredOf = async (document: PdfDocument): Promise<Pick<DocumentLayout, "title" | "language">> => {
  const { pdfium, open } = document;
  const title = textBy(pdfium, (place) => {
    pdfium.bytes().set(KEY, place + TEXT_BYTES);
    return pdfium.call.FPDF_GetMetaText(open.handle, place + TEXT_BYTES, place, TEXT_BYTES);
  });
  return { title, language: await withPage(document, 1, (page) => languageIn(pdfium, page.handle)) };
};

/** @param read writes UTF-16 to an address, and returns the number of bytes with the final zero */
const textBy = (pdfium: Pdfium, read: (place: number) => number): string | undefined =>
  withMemory(pdfium, TEXT_BYTES + KEY.length, (place) => {
    const length = Math.min(read(place), TEXT_BYTES);
    const text = Buffer.from(pdfium.bytes().subarray(place, place + Math.max(0, length - 2))).toString("utf16le");
    return text.replaceAll(/[\p{Cc}\s]+/gu, " ").trim() || undefined;
  });

/** PDFium does not read the language of the catalog, only that of structure elements. */
const languageIn = (pdfium: Pdfium, page: number): string | undefined => {
  const { call } = pdfium;
  const tree = call.FPDF_StructTree_GetForPage(page);
  if (tree === 0) {
    return undefined;
  }
  try {
    let element = call.FPDF_StructTree_GetChildAtIndex(tree, 0);
    for (let level = 0; level < LEVELS_MAX && element !== 0; level += 1) {
      const found = element;
      const language = textBy(pdfium, (place) => call.FPDF_StructElement_GetLang(found, place, TEXT_BYTES));
      if (language !== undefined && /^[a-z]{2,3}(?:-[a-z0-9]{2,8})*$/i.test(language)) {
        return language;
      }
      element = call.FPDF_StructElement_GetChildAtIndex(element, 0);
    }
    return undefined;
  } finally {
    call.FPDF_StructTree_Close(tree);
  }
};
