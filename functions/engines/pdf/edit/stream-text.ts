import { decodePDFRawStream, type PDFRawStream } from "@cantoo/pdf-lib";

/** @returns the decoded content of a stream as UTF-8; empty if its filters are not supported */
export const streamText = (stream: PDFRawStream): string => {
  try {
    return Buffer.from(decodePDFRawStream(stream).decode()).toString("utf8");
  } catch {
    return "";
  }
};
