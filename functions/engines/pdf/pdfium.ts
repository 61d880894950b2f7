import type { Engine } from "../core/engine.ts";
import { convertPdf } from "./pdfium/convert-pdf.ts";
import { pdfiumVersion } from "./pdfium/page/module.ts";

/**
 * PDF by PDFium as WebAssembly: renders pages as pictures (encoded by sharp) and extracts text with positions, from
 * which paragraphs, lists and tables are detected.
 */
export const pdfiumEngine: Engine = {
  name: "pdfium",
  version: () => pdfiumVersion(),
  convert: convertPdf,
};
