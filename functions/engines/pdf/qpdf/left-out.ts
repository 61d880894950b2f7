import { createReadStream } from "node:fs";
import { PDFArray, PDFDict, PDFName } from "@cantoo/pdf-lib";
import type { Warning } from "../../../domain/warning.ts";
import { openBook } from "../pdflib/book.ts";

const SIGNED = Buffer.from("/ByteRange");

/** @returns a warning if the PDF is signed. The range of a signature is never inside a compressed object */
export const signatureWarning = async (path: string): Promise<Warning[]> =>
  (await contains(path, SIGNED))
    ? [{ code: "signature_invalid", detail: "The PDF was signed; after the change its signature is no longer valid." }]
    : [];

const contains = async (path: string, wanted: Buffer): Promise<boolean> => {
  let rest = Buffer.alloc(0);
  for await (const chunk of createReadStream(path, { highWaterMark: 1_000_000 })) {
    const bytes = Buffer.concat([rest, chunk]);
    if (bytes.includes(wanted)) {
      return true;
    }
    rest = bytes.subarray(1 - wanted.length);
  }
  return false;
};

/** Annotations that are not part of the page: links stay, and pop-ups repeat the text of others. */
const NOT_DRAWN = new Set(["/Link", "/Popup", "/Widget"]);

/** @returns a warning for annotations without an appearance: flattening removes them */
export const annotationsWarning = async (path: string, password: string | undefined): Promise<Warning[]> => {
  const document = await openBook(path, password);
  const lost = document
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
  return lost === 0
    ? []
    : [
        {
          code: "annotations_dropped",
          detail: `Annotations without an appearance in the file were removed by \`flatten\`: ${lost}.`,
        },
      ];
};
