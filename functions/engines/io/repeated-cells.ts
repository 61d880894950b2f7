import { REPEATED_CELLS_MAX } from "../../domain/conversion-limits.ts";
import { JobError } from "../../domain/errors.ts";

/** Tags of rows and cells, whatever their prefix; a `<` cannot stand within a tag, so each is looked through once. */
const TAG =
  /<(?:[\w.-]+:)?(?:(table-row)|table-cell|covered-table-cell)\b((?:[^<>"'/]|\/(?!>)|"[^"<]*"|'[^'<]*')*)(\/?)>/g;

/**
 * Counts the cells of an OpenDocument that say how often they stand there, before all of them are made: one of a few
 * bytes fills a sheet. Those that hold nothing are passed over, as their reader does.
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
        `The spreadsheet repeats cells over ${REPEATED_CELLS_MAX} times, which is the most that is read here.`,
      );
    }
  }
};

const timesOf = (attributes: string, expression: RegExp): number =>
  Math.max(1, Number(expression.exec(attributes)?.[1] ?? 1));
