import { FOR_DISPLAY, type PdfPage } from "./document.ts";

/** Kinds of annotations (fpdf_annot.h) without content to show on the page: notes, links, pop-ups. */
const UNSEEN: readonly number[] = [1, 2, 16];
const ANNOTATIONS_MAX = 10_000;

/**
 * Flattens form fields and other annotations into the page content, so that their text is read with the rest. Reopen
 * the page before reading it; flattening removes its links.
 *
 * @returns whether anything was flattened
 */
export const flattenAnnotations = ({ document: { pdfium, open }, handle, number }: PdfPage): boolean => {
  const { call } = pdfium;
  const count = Math.min(call.FPDFPage_GetAnnotCount(handle), ANNOTATIONS_MAX);
  const seen = Array.from({ length: count }, (_, index) => index).some((index) => {
    const annotation = call.FPDFPage_GetAnnot(handle, index);
    const kind = call.FPDFAnnot_GetSubtype(annotation);
    call.FPDFPage_CloseAnnot(annotation);
    return !UNSEEN.includes(kind);
  });
  const flattened = seen && call.FPDFPage_Flatten(handle, FOR_DISPLAY) === 1;
  flattened && open.flattened.add(number);
  return flattened;
};
