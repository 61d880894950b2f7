import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { JobError } from "../../domain/errors.ts";
import type { Warning } from "../../domain/jobs.ts";
import type { EngineResult, EngineTask } from "../engine.ts";
import { isExactNumber } from "../io/column-kinds.ts";
import { csvText } from "../io/csv-writer.ts";
import type { PdfDocument } from "./document.ts";
import { type Sheet, sheetsOf } from "./sheets.ts";
import { type DocumentText, readDocument } from "./text.ts";
import { missingWarning } from "./write.ts";

/** Writes a workbook: each table that was found is a sheet, or each page, where there is no table. */
export const writeWorkbook = async (
  document: PdfDocument,
  task: EngineTask,
  numbers: readonly number[],
): Promise<EngineResult> => {
  const { sheets, warnings } = await readSheets(document, task, numbers);
  const { writeXlsx } = await import("hucre/xlsx");
  const bytes = await writeXlsx({
    sheets: sheets.map(({ name, rows }) => ({ name, rows: rows.map((row) => row.map(numberOrText)) })),
  });
  await writeFile(task.output, bytes, { flag: "wx" });
  return { warnings };
};

/** Writes a CSV of each table that was found, or of each page, where there is no table. */
export const writeCsv = async (
  document: PdfDocument,
  task: EngineTask,
  numbers: readonly number[],
): Promise<EngineResult> => {
  const { sheets, warnings } = await readSheets(document, task, numbers);
  const parts = sheets.map(({ name, rows }, index) => {
    const path = join(task.folder, `${index + 1}.csv`);
    return { path, name: name.toLowerCase().replaceAll(" ", "-"), text: csvText(rows, task.options.delimiter ?? ",") };
  });
  for (const { path, text } of parts) {
    await writeFile(path, text, { flag: "wx" });
  }
  return { warnings, parts: parts.map(({ path, name }) => ({ path, name })) };
};

const readSheets = async (document: PdfDocument, task: EngineTask, numbers: readonly number[]) => {
  const text = await readDocument(document, numbers, task.progress);
  if (text.empty) {
    throw new JobError("unsupported_feature", "The PDF holds no text that could be put into a table.");
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
  detail: "No table was found in the PDF: each page became a sheet, each line a row.",
};

const TEXT_LEFT: Warning = {
  code: "text_dropped",
  detail: "Only the tables that were found in the PDF were taken; the text around them was left out.",
};

/** @returns the number that a cell says exactly, with either kind of minus, else its text: `007` is no number */
const numberOrText = (text: string): string | number => {
  const plain = text.replace(/^\u2212/, "-");
  return isExactNumber(plain) ? Number(plain) : text;
};
