import { join } from "node:path";
import type { CellObject } from "@e965/xlsx";
import { DELIMITER } from "../../../domain/conversions/by-engine/data/csv-rules.ts";
import type { EngineResult, EngineTask } from "../../core/engine.ts";
import { csvText } from "../csv/writer.ts";
import { type JsonList, jsonText, objectOf } from "../json/writer.ts";
import { columnNames, partName } from "../tables/names.ts";
import type { Value } from "../tables/table.ts";
import { orBlankLine, writeText } from "../text/chunks.ts";
import { holds, valueReader } from "./cells.ts";
import { type ChosenSheet, chosenNames, chosenSheets, sheetWarnings } from "./choose.ts";
import { htmlOfSheets } from "./html.ts";
import { readWorkbook } from "./workbook.ts";
import { writeWorkbook } from "./write-workbook.ts";

/**
 * A spreadsheet to another one or to text. Each of several sheets becomes a CSV file, a JSON member or an HTML table.
 */
export const fromSpreadsheet = async (task: EngineTask): Promise<EngineResult> => {
  const { workbook, warnings } = await readWorkbook(task);
  task.progress(0.5);
  const names = chosenNames(workbook, task.options);
  const read = valueReader(workbook, task.options);
  const allWarnings = [...warnings, ...sheetWarnings(workbook, names)];
  if (task.to === "html") {
    await writeText(task.output, htmlOfSheets(workbook, chosenSheets(workbook, task.options)));
    return { warnings: allWarnings };
  }
  if (task.to === "json") {
    await writeText(task.output, jsonOfSheets(task, chosenSheets(workbook, task.options), read));
    return { warnings: allWarnings };
  }
  if (task.to === "csv" || task.to === "tsv") {
    return {
      ...(await writeCsvs(task, chosenSheets(workbook, task.options), read)),
      warnings: allWarnings,
    };
  }
  await writeWorkbook(task, workbook, names);
  return { warnings: allWarnings };
};

type ReadCell = (cell: CellObject | undefined) => Value;

const ROWS_AT_ONCE = 1_000;

const writeCsvs = async (
  task: EngineTask,
  sheets: readonly ChosenSheet[],
  read: ReadCell,
): Promise<Pick<EngineResult, "parts">> => {
  const delimiter = task.to === "tsv" ? "\t" : (task.options.delimiter ?? DELIMITER);
  const [only] = sheets;
  if (only !== undefined && sheets.length === 1) {
    await writeText(task.output, orBlankLine(csvOf(only, delimiter, read)));
    return {};
  }
  const parts = sheets.map(({ name }, index) => ({
    name: partName(name),
    path: join(task.folder, `sheet-${index + 1}`),
  }));
  for (const [index, sheet] of sheets.entries()) {
    await writeText(parts[index]?.path ?? task.output, orBlankLine(csvOf(sheet, delimiter, read)));
  }
  return { parts };
};

const csvOf = async function* ({ grid }: ChosenSheet, delimiter: string, read: ReadCell): AsyncGenerator<string> {
  const cell = (value: Value): string | null => (value === null || value === "" ? null : String(value));
  for (let start = 0; start < grid.rows.length; start += ROWS_AT_ONCE) {
    const rows = grid.rows
      .slice(start, start + ROWS_AT_ONCE)
      .map((row) => Array.from({ length: grid.width }, (_, index) => cell(read(row[index]))));
    yield csvText(rows, delimiter);
  }
};

const jsonOfSheets = (task: EngineTask, sheets: readonly ChosenSheet[], read: ReadCell): AsyncGenerator<string> => {
  const { header = true, indent } = task.options;
  return jsonText(
    sheets.map((sheet) => recordsOf(sheet, header, read)),
    indent,
  );
};

/** A table may start anywhere: rows and columns before it are skipped. Its first row names the columns. */
const recordsOf = ({ name, grid }: ChosenSheet, header: boolean, read: ReadCell): JsonList => {
  const filled = grid.rows.filter(({ length }) => length > 0);
  const left = filled.reduce((least, row) => Math.min(least, row.findIndex(holds)), grid.width);
  const rows = filled.map((row) => row.slice(left));
  const given = Array.from(header ? (rows[0] ?? []) : [], (cell) => String(read(cell) ?? ""));
  const keys = columnNames(given, grid.width - left).map((column) => JSON.stringify(column));
  const body = header ? rows.slice(1) : rows;
  const records = async function* (): AsyncGenerator<string[]> {
    for (let start = 0; start < body.length; start += ROWS_AT_ONCE) {
      yield body.slice(start, start + ROWS_AT_ONCE).map((row) =>
        objectOf(
          keys,
          keys.map((_, index) => JSON.stringify(read(row[index]))),
        ),
      );
    }
  };
  return { name, records };
};
