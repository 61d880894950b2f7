import { type CellObject, utils, type WorkBook, type WorkSheet } from "@e965/xlsx";
import type { Warning } from "../../../domain/warning.ts";
import type { EngineResult, EngineTask } from "../../core/engine.ts";
import { readTables } from "../tables/read-tables.ts";
import type { Table } from "../tables/table.ts";
import { type PlacedCell, placedCell, truncatedCellsWarning } from "./placed-cell.ts";
import { sheetNames } from "./sheet-names.ts";
import { checkCells, checkSize, sheetSizeOf, writeWorkbook } from "./write-workbook.ts";
import { type SheetSource, writeXlsx } from "./xlsx-writer.ts";

/**
 * CSV, TSV and JSON to a spreadsheet. Texts stay texts: `=` at the start does not make a formula, and `007` keeps its
 * zeros. A table with more rows than a sheet supports continues in the next sheet.
 */
export const intoSpreadsheet = async (task: EngineTask): Promise<EngineResult> => {
  const { tables, warnings } = await readTables({ ...task, mixed: true });
  const size = sheetSizeOf(task.to);
  for (const { name, columns } of tables) {
    checkSize({ name, rows: 0, columns: columns.length }, size, task.to);
  }
  const sheets = split(tables, size.rows);
  const found = { cut: 0 };
  if (task.to === "xlsx") {
    await writeXlsx(task.output, sheets, found);
  } else {
    await writeBySheetJs(task, sheets, found);
  }
  return { warnings: [...warnings, ...tableWarnings(tables, sheets, found.cut)] };
};

const tableWarnings = (tables: readonly Table[], sheets: readonly SheetSource[], cut: number): Warning[] => [
  ...(sheets.length === tables.length
    ? []
    : [
        {
          code: "sheets_split",
          detail: `The table exceeds the rows of one sheet and was split into ${sheets.length} sheets.`,
        },
      ]),
  ...truncatedCellsWarning(cut),
];

/** @returns the tables as sheets, each with as many rows as fit; the first row of each has the column names */
const split = (tables: readonly Table[], rowsMax: number): SheetSource[] => {
  const sheets = tables.flatMap((table) => {
    const body = rowsMax - (table.named ? 1 : 0);
    const count = Math.max(1, Math.ceil(table.rowCount / body));
    return Array.from({ length: count }, (_, index) => ({
      name: count === 1 ? table.name : `${table.name || "Sheet"} ${index + 1}`,
      table,
      from: index * body,
      to: (index + 1) * body,
    }));
  });
  const names = sheetNames(sheets.map(({ name }) => name));
  return sheets.map((sheet, index) => ({ ...sheet, name: names[index] ?? sheet.name }));
};

const writeBySheetJs = async (
  task: EngineTask,
  sheets: readonly SheetSource[],
  found: { cut: number },
): Promise<void> => {
  const cells = sheets.reduce((sum, { table }) => sum + table.rowCount * table.columns.length, 0);
  checkCells(cells, task.to);
  const workbook: WorkBook = { SheetNames: [], Sheets: {} };
  for (const source of sheets) {
    utils.book_append_sheet(workbook, await sheetOf(source, found), source.name);
  }
  await writeWorkbook(task, workbook, workbook.SheetNames);
};

const FORMATS = { date: "yyyy-mm-dd", timestamp: "yyyy-mm-dd hh:mm:ss", text: "@" } as const;

const sheetOf = async ({ table, from, to }: SheetSource, found: { cut: number }): Promise<WorkSheet> => {
  const rows: (CellObject | undefined)[][] = [];
  if (table.named) {
    rows.push(table.columns.map(({ name }) => ({ t: "s", v: name })));
  }
  let index = 0;
  for await (const batch of table.rows()) {
    for (const row of batch) {
      if (index >= from && index < to) {
        rows.push(table.columns.map((column, place) => cellOf(placedCell(row[place] ?? null, column, found))));
      }
      index += 1;
    }
  }
  const range = { s: { r: 0, c: 0 }, e: { r: Math.max(0, rows.length - 1), c: Math.max(0, table.columns.length - 1) } };
  return { "!ref": utils.encode_range(range), "!data": rows } as WorkSheet;
};

const cellOf = (cell: PlacedCell | undefined): CellObject | undefined => {
  if (cell === undefined) {
    return undefined;
  }
  const { value, style } = cell;
  const t = typeof value === "number" ? "n" : typeof value === "boolean" ? "b" : "s";
  return { t, v: value, ...(style === "general" ? {} : { z: FORMATS[style] }) };
};
