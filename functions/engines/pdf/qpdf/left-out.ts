import { createReadStream } from "node:fs";
import { PDFArray, PDFDict, type PDFDocument, PDFName } from "@cantoo/pdf-lib";
import type { Warning } from "../../../domain/warning.ts";
import { openBook } from "../pdflib/book.ts";

const SIGNED = "/ByteRange";

/** @returns a warning if one of the PDFs is signed. The range of a signature is never inside a compressed object */
export const signatureWarning = async (paths: readonly string[]): Promise<Warning[]> => {
  for (const path of paths) {
    if (await contains(path, (text) => text.includes(SIGNED))) {
      const detail = "The PDF was signed; after the change its signature is no longer valid.";
      return [{ code: "signature_invalid", detail }];
    }
  }
  return [];
};

/** @returns whether one of the PDFs has an image object, whose dictionary is never inside a compressed object */
export const containsImages = async (paths: readonly string[]): Promise<boolean> => {
  for (const path of paths) {
    if (await contains(path, (text) => /\/Subtype\s*\/Image\b/.test(text))) {
      return true;
    }
  }
  return false;
};

/** Maximum characters of what is searched. */
const OVERLAP = 100;

const contains = async (path: string, isIn: (text: string) => boolean): Promise<boolean> => {
  let rest = "";
  for await (const chunk of createReadStream(path, { highWaterMark: 1_000_000, encoding: "latin1" })) {
    const text = rest + chunk;
    if (isIn(text)) {
      return true;
    }
    rest = text.slice(-OVERLAP);
  }
  return false;
};

/** Annotations that are not part of the page: links stay, and pop-ups repeat the text of others. */
const NOT_DRAWN = new Set(["/Link", "/Popup", "/Widget"]);

/** @returns a warning for annotations without an appearance: flattening removes them */
export const annotationsWarning = async (
  paths: readonly string[],
  password: string | undefined,
): Promise<Warning[]> => {
  let lost = 0;
  for (const path of paths) {
    lost += withoutAppearance(await openBook(path, password));
  }
  const detail = `Annotations without an appearance in the file were removed by \`flatten\`: ${lost}.`;
  return lost === 0 ? [] : [{ code: "annotations_dropped", detail }];
};

/** @returns the number of annotations that only the viewer draws */
const withoutAppearance = (document: PDFDocument): number =>
  document
    .getPages()
    .flatMap(({ node }) => {
      const annotations = node.Annots();
      return annotations instanceof PDFArray
        ? Array.from({ length: annotations.size() }, (_, index) => annotations.lookup(index))
        : [];
    })
    .filter(
      (annotation) =>
        annotation instanceof PDFDict &&
        !annotation.has(PDFName.of("AP")) &&
        !NOT_DRAWN.has(String(annotation.lookup(PDFName.of("Subtype")))),
    ).length;
