import { REPEATED_CELLS_MAX } from "../../../domain/conversions/conversion-limits.ts";
import { JobError } from "../../../domain/errors.ts";

/** Tags of rows and cells with any prefix. A tag cannot contain `<`, so each is scanned once. */
const TAG =
  /<(?:[\w.-]+:)?(?:(table-row)|table-cell|covered-table-cell)\b((?:[^<>"'/]|\/(?!>)|"[^"<]*"|'[^'<]*')*)(\/?)>/g;

/**
 * Counts the repeated cells of an OpenDocument before they are expanded: a cell of a few bytes can fill a sheet. Empty
 * cells are skipped, as their reader does.
 *
 * @throws JobError `output_too_large` above {@link REPEATED_CELLS_MAX}
 */
export const checkRepeatedCells = (xml: string): void => {
  let [cells, rows] = [0, 1];
  for (const [, row, attributes = "", closed] of xml.matchAll(TAG)) {
    if (row !== undefined) {
      rows = timesOf(attributes, /\bnumber-rows-repeated\s*=\s*["']\s*(\d+)/);
    } else if (closed === "" || /\bvalue(?:-type)?\s*=/.test(attributes)) {
      const times = rows * timesOf(attributes, /\bnumber-columns-repeated\s*=\s*["']\s*(\d+)/);
      cells += times > 1 ? times : 0;
    }
    if (cells > REPEATED_CELLS_MAX) {
      throw new JobError(
        "output_too_large",
        `The spreadsheet repeats cells more than ${REPEATED_CELLS_MAX} times, the maximum.`,
      );
    }
  }
};

const timesOf = (attributes: string, expression: RegExp): number =>
  Math.max(1, Number(expression.exec(attributes)?.[1] ?? 1));
