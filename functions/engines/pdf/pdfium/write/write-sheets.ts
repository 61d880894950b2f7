import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DELIMITER } from "../../../../domain/conversions/by-engine/data/csv-rules.ts";
import { JobError } from "../../../../domain/errors.ts";
import type { Warning } from "../../../../domain/warning.ts";
import type { EngineResult, EngineTask } from "../../../core/engine.ts";
import { csvText } from "../../../data/csv/writer.ts";
import { truncatedCellsWarning } from "../../../data/sheets/placed-cell.ts";
import { writeXlsx } from "../../../data/sheets/xlsx-writer.ts";
import { isExactNumber } from "../../../data/tables/column-kinds.ts";
import type { Table, Value } from "../../../data/tables/table.ts";
import type { PdfDocument } from "../page/document.ts";
import { type DocumentText, readDocument } from "../page/text.ts";
import { type Sheet, sheetsOf } from "./sheets.ts";
import { missingWarning } from "./write.ts";

/** Writes a workbook with one sheet per table, or per page if the document has no tables. */
export const writeWorkbook = async (
  document: PdfDocument,
  task: EngineTask,
  numbers: readonly number[],
): Promise<EngineResult> => {
  const { sheets, warnings } = await readSheets(document, task, numbers);
  const found = { cut: 0 };
  await writeXlsx(
    task.output,
    sheets.map((sheet) => ({ name: sheet.name, table: tableOf(sheet), from: 0, to: sheet.rows.length })),
    found,
  );
  return { warnings: [...warnings, ...truncatedCellsWarning(found.cut)] };
};

/** The columns are text, so that the writer keeps dates as printed; numbers are typed per cell. */
const tableOf = ({ name, rows }: Sheet): Table => ({
  name,
  columns: (rows[0] ?? []).map((_, index) => ({ name: `${index + 1}`, kind: "text", coded: false })),
  rowCount: rows.length,
  named: false,
  rows: async function* () {
    yield rows.map((row) => row.map(cellValue));
  },
});

/** Writes one CSV per table, or per page if the document has no tables. */
export const writeCsv = async (
  document: PdfDocument,
  task: EngineTask,
  numbers: readonly number[],
): Promise<EngineResult> => {
  const { sheets, warnings } = await readSheets(document, task, numbers);
  const parts = sheets.map(({ name, rows }, index) => {
    const path = join(task.folder, `${index + 1}.csv`);
    return {
      path,
      name: name.toLowerCase().replaceAll(" ", "-"),
      text: csvText(rows, task.options.delimiter ?? DELIMITER),
    };
  });
  for (const { path, text } of parts) {
    await writeFile(path, text, { flag: "wx" });
  }
  return { warnings, parts: parts.map(({ path, name }) => ({ path, name })) };
};

const readSheets = async (document: PdfDocument, task: EngineTask, numbers: readonly number[]) => {
  const text = await readDocument(document, numbers, task.progress);
  if (text.empty) {
    throw new JobError("unsupported_feature", "The PDF has no text for a table.");
  }
  const { sheets, tables, outside } = sheetsOf(text);
  return { sheets, warnings: warningsOf(text, { sheets, tables, outside }) };
};

const warningsOf = (
  { missing }: DocumentText,
  { tables, outside }: { sheets: readonly Sheet[]; tables: boolean; outside: boolean },
): Warning[] => [...missingWarning(missing), ...(tables ? [] : [NO_TABLES]), ...(tables && outside ? [TEXT_LEFT] : [])];

const NO_TABLES: Warning = {
  code: "no_tables",
  detail: "No tables were found in the PDF. Each page became a sheet, and each line a row.",
};

const TEXT_LEFT: Warning = {
  code: "text_dropped",
  detail: "Only the tables in the PDF were converted. The text around them was left out.",
};

/**
 * @returns null for an empty cell, a number if the text is exactly a number (with either minus sign), else the text,
 * such as `007`
 */
const cellValue = (text: string): Value => {
  const plain = text.replace(/^\u2212/, "-");
  return isExactNumber(plain) ? Number(plain) : text || null;
};
