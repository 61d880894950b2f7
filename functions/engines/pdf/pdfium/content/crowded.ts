import { JobError } from "../../../../domain/errors.ts";
import type { PdfPage } from "../page/document.ts";
import { matrixOf, type PageObject } from "../page/objects.ts";

/**
 * Maximum text objects in one line. PDFium compares each with all others of its line: 10,000 take a second, and 60,000 half
 * a minute. A line of single letters has 500.
 */
const LINE_OBJECTS_MAX = 10_000;
/** Points within which baselines are of one line. */
const LINE = 2;

/** @throws JobError `unsupported_feature` if a line of the page has too many text objects */
export const refuseCrowded = ({ document: { pdfium }, number }: PdfPage, texts: readonly PageObject[]): void => {
  if (texts.length <= LINE_OBJECTS_MAX) {
    return;
  }
  const [start, count] = [
    [0, 0],
    [0, 0],
  ];
  for (const { handle } of texts) {
    const place = matrixOf(pdfium, handle).slice(-2);
    for (const [axis, at = 0] of place.entries()) {
      const isSame = Math.abs(at - (start[axis] ?? 0)) < LINE;
      count[axis] = isSame ? (count[axis] ?? 0) + 1 : 1;
      start[axis] = isSame ? (start[axis] ?? 0) : at;
      if (count[axis] > LINE_OBJECTS_MAX) {
        throw new JobError(
          "unsupported_feature",
          `Page ${number} has more than ${LINE_OBJECTS_MAX} text objects in one line.`,
        );
      }
    }
  }
};
