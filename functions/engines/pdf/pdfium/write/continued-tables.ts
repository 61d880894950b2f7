import type { Table } from "../layout/model.ts";
import type { Sheet, SheetCell } from "./sheets.ts";

/**
 * Appends the part of a table that is on the next page.
 *
 * @param tables the part before, and the next one
 * @returns the sheet of both; undefined if the columns of the next part are not among those of the first
 */
export const continued = (sheet: Sheet, next: Sheet, tables: readonly [Table, Table]): Sheet | undefined => {
  const places = next.columns === sheet.columns ? next.widths.map((_, index) => index) : placesIn(sheet, next, tables);
  if (places === undefined) {
    return undefined;
  }
  const repeated = repeatedRows(sheet, next);
  const added = next.cells
    .filter(({ row }) => row >= repeated)
    .map((cell): SheetCell => {
      const [column, last] = [places[cell.column] ?? 0, places[cell.column + cell.columns - 1] ?? 0];
      return { ...cell, row: cell.row - repeated + sheet.rows, column, columns: last - column + 1 };
    });
  return { ...sheet, cells: [...sheet.cells, ...added], rows: sheet.rows + next.rows - repeated };
};

/** A part without text in some columns lacks these. @returns the column of the sheet for each of the next part */
const placesIn = (sheet: Sheet, next: Sheet, [before, table]: readonly [Table, Table]): number[] | undefined => {
  if (sheet.rtl || next.columns > sheet.columns) {
    return undefined;
  }
  const places = next.widths.map((_, index) => {
    const middle = ((table.xs[index] ?? 0) + (table.xs[index + 1] ?? 0)) / 2;
    return before.xs.findLastIndex((x) => x <= middle);
  });
  const isOrdered = places.every((place, index) => place > (places[index - 1] ?? -1) && place < sheet.columns);
  return isOrdered ? places : undefined;
};

/** @returns the number of rows at the top of the next part that repeat the header */
const repeatedRows = (sheet: Sheet, next: Sheet): number => {
  const textsOf = ({ cells }: Sheet, row: number): string =>
    cells
      .filter((cell) => cell.row === row)
      .map(({ text }) => text)
      .join("\0");
  const rows = Math.max(1, sheet.headerRows);
  let count = 0;
  while (count < rows && count < next.rows && textsOf(sheet, count) === textsOf(next, count)) {
    count += 1;
  }
  return count === rows ? count : 0;
};
