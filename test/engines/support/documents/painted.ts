import { PDFDocument, type PDFFont, PDFName, type PDFPage, StandardFonts } from "@cantoo/pdf-lib";
import type { Scratch } from "../scratch.ts";

/** A page to draw on with operators of a content stream. */
export interface Painting {
  readonly document: PDFDocument;
  readonly page: PDFPage;
  /** Helvetica, `/F1` in the content stream. */
  readonly font: PDFFont;
}

/**
 * @param content operators of the content stream (ISO 32000-2, annex A); `/F1` is Helvetica
 * @param change further changes to the page
 * @returns the path of a PDF of one page, 300 × 300 points
 */
export const painted = async (
  scratch: Scratch,
  content: string,
  change: (painting: Painting) => void | Promise<void> = () => {},
): Promise<string> => {
  const document = await PDFDocument.create();
  const page = document.addPage([300, 300]);
  const font = await document.embedFont(StandardFonts.Helvetica);
  page.node.normalize();
  page.node.setFontDictionary(PDFName.of("F1"), font.ref);
  page.node.addContentStream(document.context.register(document.context.stream(content)));
  await change({ document, page, font });
  return scratch.file(await document.save());
};
