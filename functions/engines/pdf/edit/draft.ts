import { writeFile } from "node:fs/promises";
import type { PDFDocument } from "@cantoo/pdf-lib";

/** Writes a document for qpdf, which compresses it: pdf-lib would spend most of its time on that. */
export const writeDraft = async (document: PDFDocument, path: string): Promise<void> => {
  const bytes = await document.save({
    addDefaultPage: false,
    updateFieldAppearances: false,
    useObjectStreams: false,
    objectsPerTick: Number.POSITIVE_INFINITY,
  });
  await writeFile(path, bytes, { flag: "wx" });
};
