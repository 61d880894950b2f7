import type { PdfPage } from "./document.ts";

/** Kinds of annotations (fpdf_annot.h) that show nothing of their own on a page: notes, links, what pops up. */
const UNSEEN: readonly number[] = [1, 2, 16];
const ANNOTATIONS_MAX = 10_000;
const FOR_DISPLAY = 0;

/**
 * Makes what fields of forms and other annotations show a part of the page, so that it is read with the rest. The page
 * has to be opened anew to be read; its links are gone then.
 *
 * @returns whether there was anything
 */
export const flattenAnnotations = ({ document: { pdfium }, handle }: PdfPage): boolean => {
  const { call } = pdfium;
  const count = Math.min(call.FPDFPage_GetAnnotCount(handle), ANNOTATIONS_MAX);
  const seen = Array.from({ length: count }, (_, index) => index).some((index) => {
    const annotation = call.FPDFPage_GetAnnot(handle, index);
    const kind = call.FPDFAnnot_GetSubtype(annotation);
    call.FPDFPage_CloseAnnot(annotation);
    return !UNSEEN.includes(kind);
  });
  return seen && call.FPDFPage_Flatten(handle, FOR_DISPLAY) === 1;
};
