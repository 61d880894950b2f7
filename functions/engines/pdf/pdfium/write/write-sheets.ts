import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DELIMITER } from "../../../../domain/conversions/by-engine/data/csv-rules.ts";
import { TABLES } from "../../../../domain/conversions/by-engine/pdf/pdfium.ts";
import { JobError } from "../../../../domain/errors.ts";
import type { Warning } from "../../../../domain/warning.ts";
import type { EngineResult, EngineTask } from "../../../core/engine.ts";
import { csvText } from "../../../data/csv/writer.ts";
import { cutText, truncatedCellsWarning } from "../../../data/sheets/placed-cell.ts";
import { sheetNames } from "../../../data/sheets/sheet-names.ts";
import { type StyledCell, type StyledSheet, writeStyledWorkbook } from "../../../data/sheets/styled-workbook.ts";
import { printedColumn } from "../../../data/tables/printed-columns.ts";
import { type DayOrder, dayOrderOf } from "../../../data/tables/printed-dates.ts";
import {
  type DecimalMark,
  decimalMarkOf,
  type PrintedNumber,
  type PrintedValue,
  printedNumber,
} from "../../../data/tables/printed-numbers.ts";
import { readLayout } from "../layout/read-layout.ts";
import type { PdfDocument } from "../page/document.ts";
import { type Sheet, type SheetCell, type Sheets, sheetsOf } from "./sheets.ts";
import { missingWarning } from "./write.ts";

/** Writes a workbook with one sheet per table, or per page. */
export const writeWorkbook = async (
  document: PdfDocument,
  task: EngineTask,
  numbers: readonly number[],
): Promise<EngineResult> => {
  const { sheets, warnings } = await readSheets(document, task, numbers);
  const found = { cut: 0 };
  await writeStyledWorkbook(task.output, styledSheets(sheets, found));
  return { warnings: [...warnings, ...truncatedCellsWarning(found.cut)] };
};

/**
 * @param found counts the texts that are truncated
 * @returns the sheets of a workbook, with numbers and dates
 */
export const styledSheets = (sheets: readonly Sheet[], found: { cut: number }): StyledSheet[] => {
  const spelling = spellingOf(sheets);
  const names = sheetNames(sheets.map(({ name }) => name));
  return sheets.map((sheet, index) => {
    const headerRows = headerRowsOf(sheet, spelling.mark);
    return styledSheet({ ...sheet, headerRows, name: names[index] ?? "" }, spelling, found);
  });
};

/** @returns the number of header rows; a row of amounts is none, but years are names of columns */
const headerRowsOf = ({ cells, headerRows }: Sheet, mark: DecimalMark): number => {
  const amounts = cells.filter(({ row, plain }) => row < headerRows && isAmount(printedNumber(plain, mark)));
  const rows = Map.groupBy(amounts, ({ row }) => row);
  return (
    Array.from({ length: headerRows }, (_, row) => row).find((row) => (rows.get(row)?.length ?? 0) > 1) ?? headerRows
  );
};

const isAmount = (number: PrintedNumber | undefined): boolean => number?.format !== undefined && !number.spaced;

/** How the numbers and dates of a document are printed. */
interface Spelling {
  readonly mark: DecimalMark;
  readonly order: DayOrder | undefined;
}

const spellingOf = (sheets: readonly Sheet[]): Spelling => {
  const texts = sheets.flatMap(({ cells }) => cells.map(({ plain }) => plain));
  return { mark: decimalMarkOf(texts), order: dayOrderOf(texts) };
};

const styledSheet = (sheet: Sheet, spelling: Spelling, found: { cut: number }): StyledSheet => {
  const values = valuesOf(sheet, spelling);
  const cells = sheet.cells.map((cell): StyledCell => {
    const { row, column, rows, columns, fill, borders, text, align } = cell;
    const value = values.get(cell);
    const across = sheet.widths.slice(column, column + columns).reduce((sum, width) => sum + width, 0);
    return {
      ...{ row, column, rows, columns, fill, borders },
      value: value?.value ?? (text === "" ? undefined : cutText(text, found)),
      format: value?.format,
      bold: cell.bold || (row < sheet.headerRows && text !== ""),
      align: align === "center" ? "center" : align === "end" && value === undefined ? "right" : undefined,
      wraps: cell.inTable && value === undefined && (text.includes("\n") || text.length * LETTER_POINTS > across),
    };
  });
  return { ...sheet, cells, widths: widthsOf(sheet, values), frozenRows: sheet.headerRows };
};

/** Some tables have a row with the numbers of their columns, which look like negative numbers. */
const COLUMN_NUMBER = /^\(\d{1,2}\)$/;

type Values = ReadonlyMap<SheetCell, PrintedValue>;

/** @returns the values of the cells that are numbers or dates, column by column, without the headers */
const valuesOf = ({ cells, headerRows }: Sheet, { mark, order }: Spelling): Values => {
  const numbering = new Set(
    [
      ...Map.groupBy(
        cells.filter(({ plain }) => plain !== ""),
        ({ row }) => row,
      ),
    ]
      .filter(([, inRow]) => inRow.length > 1 && inRow.every(({ plain }) => COLUMN_NUMBER.test(plain)))
      .map(([row]) => row),
  );
  const body = cells.filter(({ row, plain }) => row >= headerRows && plain !== "" && !numbering.has(row));
  const columns = Map.groupBy(body, ({ column }) => column).values();
  return new Map(
    Array.from(columns).flatMap((column) => {
      const values = printedColumn(
        column.map(({ plain }) => plain),
        mark,
        order,
      );
      return column.flatMap((cell, index): [SheetCell, PrintedValue][] => {
        const value = values[index];
        return value === undefined ? [] : [[cell, value]];
      });
    }),
  );
};

/** Average width of letters and digits of Calibri 11 in points, and the padding of a cell. */
const [LETTER_POINTS, DIGIT_POINTS, PADDING_POINTS] = [5, 5.6, 8];

/** Numbers that do not fit into their cell are shown as `####`. */
const widthsOf = ({ widths, cells }: Sheet, values: Values): number[] =>
  widths.map((width, column) => {
    const own = cells.filter((cell) => cell.column === column && cell.columns === 1 && values.has(cell));
    return own.reduce((most, { plain }) => Math.max(most, plain.length * DIGIT_POINTS + PADDING_POINTS), width);
  });

/** Writes one CSV per table, or per page, with the text as printed. */
export const writeCsv = async (
  document: PdfDocument,
  task: EngineTask,
  numbers: readonly number[],
): Promise<EngineResult> => {
  const { sheets, warnings } = await readSheets(document, task, numbers);
  const names = sheetNames(sheets.map(({ name }) => name));
  const spelling = spellingOf(sheets);
  const parts = sheets.map((sheet, index) => ({
    path: join(task.folder, `${index + 1}.csv`),
    name: (names[index] ?? "").toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, "-"),
    text: csvText(rowsOf(sheet, spelling), task.options.delimiter ?? DELIMITER),
  }));
  for (const { path, text } of parts) {
    await writeFile(path, text, { flag: "wx" });
  }
  return { warnings, parts: parts.map(({ path, name }) => ({ path, name })) };
};

/** @returns the rows of a sheet; the marks of notes are only kept in texts */
const rowsOf = (sheet: Sheet, spelling: Spelling): string[][] => {
  const rows = Array.from({ length: sheet.rows }, () => Array.from({ length: sheet.columns }, () => ""));
  const values = valuesOf(sheet, spelling);
  for (const cell of sheet.cells) {
    const row = rows[cell.row];
    if (row !== undefined) {
      row[cell.column] = values.has(cell) ? cell.plain : cell.text;
    }
  }
  return rows;
};

const readSheets = async (document: PdfDocument, task: EngineTask, numbers: readonly number[]) => {
  const layout = await readLayout(document, numbers, task);
  if (layout.empty) {
    throw new JobError("unsupported_feature", noTextDetail(document));
  }
  const found = sheetsOf(layout, task.options.tables ?? TABLES);
  return { sheets: found.sheets, warnings: [...missingWarning(layout.missing), ...warningsOf(found)] };
};

/** A file without any text cannot be converted, so what would be a warning elsewhere is its error. */
const noTextDetail = ({ scans }: PdfDocument): string =>
  ["The file has no text for a table.", ...(scans?.warnings() ?? []).map(({ detail }) => detail)].join(" ");

const warningsOf = ({ tables, outside }: Sheets): Warning[] => [
  ...(tables ? [] : [NO_TABLES]),
  ...(outside ? [TEXT_LEFT] : []),
];

const NO_TABLES: Warning = {
  code: "no_tables",
  detail: "No tables were found in the PDF. Each page became a sheet with its text.",
};

const TEXT_LEFT: Warning = {
  code: "text_dropped",
  detail: "Only the tables in the PDF were converted. With `tables: page`, sheets also have the text around them.",
};
