import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type BookType, type CellObject, utils, type WorkBook, type WorkSheet, write } from "@e965/xlsx";
import {
  BINARY_SPREADSHEET_CELLS_MAX,
  XML_SPREADSHEET_CELLS_MAX,
} from "../../../domain/conversions/conversion-limits.ts";
import { JobError } from "../../../domain/errors.ts";
import { type FormatId, formatOf } from "../../../domain/formats/formats.ts";
import { readZip } from "../../archives/zip/reader.ts";
import { writeZip, type ZipMember } from "../../archives/zip/writer.ts";
import { type EngineTask, rowFor } from "../../core/engine.ts";
import { type Grid, gridOf, heldValue, is1904 } from "./cells.ts";
import { sheetNames } from "./sheet-names.ts";

/** Maximum rows and columns of a sheet. */
export interface SheetSize {
  readonly rows: number;
  readonly columns: number;
}

const EXCEL: SheetSize = { rows: 1_048_576, columns: 16_384 };
const SIZES: Partial<Record<FormatId, SheetSize>> = { xls: { rows: 65_536, columns: 256 } };

/** @returns the maximum size of a sheet in the format */
export const sheetSizeOf = (format: FormatId): SheetSize => SIZES[format] ?? EXCEL;

/** @throws JobError `output_too_large` for more cells than fit in memory */
export const checkCells = (cells: number, to: FormatId): void => {
  const most = to === "xls" || to === "xlsb" ? BINARY_SPREADSHEET_CELLS_MAX : XML_SPREADSHEET_CELLS_MAX;
  if (cells > most) {
    throw new JobError(
      "output_too_large",
      `The table has ${cells} cells; the maximum for ${formatOf(to).name} is ${most}.`,
    );
  }
};

const BOOK_TYPES: Partial<Record<FormatId, BookType>> = { xlsx: "xlsx", xls: "biff8", xlsb: "xlsb", ods: "ods" };

/**
 * Writes the sheets with these names: values, formulas, number formats and merged cells.
 *
 * @throws JobError `output_too_large` when a sheet is larger than the format allows
 */
export const writeWorkbook = async (
  { output, folder, to }: Pick<EngineTask, "output" | "folder" | "to">,
  workbook: WorkBook,
  names: readonly string[],
): Promise<void> => {
  const bookType = rowFor(BOOK_TYPES, to, "sheets");
  const size = sheetSizeOf(to);
  const grids = new Map(names.map((name) => [name, gridOf(workbook.Sheets[name] ?? {})]));
  checkCells(
    [...grids.values()].reduce((sum, { rows }) => sum + rows.reduce((cells, { length }) => cells + length, 0), 0),
    to,
  );
  // OpenDocument and Numbers allow names that Excel does not.
  const given = sheetNames(names);
  const sheets = [...grids].map(([name, grid], index) => {
    const sheet = workbook.Sheets[name] ?? {};
    checkSize({ name, rows: grid.rows.length, columns: grid.width }, size, to);
    return [given[index] ?? name, sheetOf(sheet, grid, { to, date1904: is1904(workbook) })] as const;
  });
  const chosen: WorkBook = {
    ...workbook,
    SheetNames: given,
    Sheets: Object.fromEntries(sheets),
    Workbook: { ...workbook.Workbook, WBProps: { ...workbook.Workbook?.WBProps, date1904: false } },
  };
  const bytes: Buffer = write(chosen, { type: "buffer", bookType, compression: true, cellDates: to === "ods" });
  await (to === "ods" ? writeOds(output, folder, bytes) : writeFile(output, bytes, { flag: "wx" }));
};

/** The first member of an ODS is its media type and must not be compressed (OpenDocument 1.3, part 2, 3.3). */
const writeOds = async (output: string, folder: string, bytes: Buffer): Promise<void> => {
  const packed = join(folder, "packed.zip");
  await writeFile(packed, bytes);
  const members = await readZip(packed, async ({ paths, read }) => {
    const all: ZipMember[] = [];
    for (const path of [MIMETYPE, ...paths.filter((name) => name !== MIMETYPE)]) {
      all.push({ path, bytes: (await read(path)) ?? Buffer.alloc(0), stored: path === MIMETYPE });
    }
    return all;
  });
  await writeZip(output, members);
};

const MIMETYPE = "mimetype";

/** @throws JobError `output_too_large` */
export const checkSize = (sheet: SheetSize & { readonly name: string }, size: SheetSize, to: FormatId): void => {
  if (sheet.rows > size.rows || sheet.columns > size.columns) {
    throw new JobError(
      "output_too_large",
      `The sheet ${sheet.name} has ${sheet.rows} rows and ${sheet.columns} columns; the maximum in ` +
        `${formatOf(to).name} is ${size.rows} and ${size.columns}.`,
    );
  }
};

/** @returns the sheet in the form that SheetJS writes: without missing rows, and without rows after the last value */
const sheetOf = (
  sheet: WorkSheet,
  { rows, width }: Grid,
  { to, date1904 }: { to: FormatId; date1904: boolean },
): WorkSheet => {
  const end = { r: Math.max(0, rows.length - 1), c: Math.max(0, width - 1) };
  const place = to === "ods" ? odsCell : date1904 ? cellOf1900 : undefined;
  const data = place === undefined ? rows : rows.map((row) => Array.from(row, (cell) => place(cell, date1904)));
  return { ...sheet, "!ref": utils.encode_range({ s: { r: 0, c: 0 }, e: end }), "!data": data } as WorkSheet;
};

/**
 * In an ODS, dates are written as dates, not as formatted numbers. SheetJS drops the separators in their format unless
 * they are quoted.
 */
const odsCell = (cell: CellObject | undefined, date1904: boolean): CellObject | undefined => {
  const iso = cell === undefined || cell.t !== "n" ? undefined : heldValue(cell, date1904);
  if (cell === undefined || typeof iso !== "string" || !ISO_DAY.test(iso)) {
    return cell;
  }
  const z = String(cell.z).replaceAll(SIGNS, (all: string, signs?: string) =>
    signs === undefined ? all : `"${signs}"`,
  );
  return { ...cell, t: "d", v: new Date(iso.length === DAY_CHARACTERS ? iso : `${iso}Z`), w: cell.w ?? iso, z };
};

/** Days from 1900-01-01 to 1904-01-01, with the February 29, 1900 that Excel counts. */
const DAYS_1904 = 1_462;

/** Converts a date in the 1904 system to the 1900 system: not every reader supports both. */
const cellOf1900 = (cell: CellObject | undefined): CellObject | undefined => {
  const dated = cell?.t === "n" && typeof cell.v === "number" && ISO_DAY.test(String(heldValue(cell, true)));
  return dated ? { ...cell, v: Number(cell.v) + DAYS_1904 } : cell;
};

const ISO_DAY = /^\d{4}-/;
const DAY_CHARACTERS = "2026-01-31".length;
/** Excel allows 255 characters in a number format. */
const SIGNS = /"[^"]{0,255}"|\\.|\[[^\]]{0,255}\]|([- ,.]+)/g;
