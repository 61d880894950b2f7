import { type CellObject, SSF, utils, type WorkBook, type WorkSheet } from "@e965/xlsx";
import type { Options } from "../../../domain/conversions/options.ts";
import { JobError } from "../../../domain/errors.ts";
import type { Value } from "../tables/table.ts";

/** The cells of a sheet, from A1 to the last cell with a value; rows may have holes. */
export interface Grid {
  readonly rows: readonly (readonly (CellObject | undefined)[])[];
  /** Cells of the widest row. */
  readonly width: number;
}

/** Maximum cells of a sheet, including blank ones: two cells at opposite ends of a sheet span 17 billion. */
const GRID_CELLS_MAX = 20_000_000;

/**
 * @returns the cells of a sheet that was read as `dense`
 * @throws JobError `output_too_large` when its range is too large
 */
export const gridOf = (sheet: WorkSheet): Grid => {
  const data = (sheet["!data"] ?? []) as (CellObject | undefined)[][];
  const rows = Array.from({ length: data.length }, (_, index) => withoutTail(data[index] ?? []));
  const last = rows.findLastIndex((row) => row.length > 0);
  const used = rows.slice(0, last + 1);
  const width = used.reduce((most, row) => Math.max(most, row.length), 0);
  if (used.length * width > GRID_CELLS_MAX) {
    throw new JobError(
      "output_too_large",
      `A sheet spans ${used.length} rows and ${width} columns; the maximum is ${GRID_CELLS_MAX} cells.`,
    );
  }
  return { rows: used, width };
};

const withoutTail = (row: readonly (CellObject | undefined)[]): readonly (CellObject | undefined)[] => {
  let end = row.length;
  while (end > 0 && !holds(row[end - 1])) {
    end -= 1;
  }
  return row.slice(0, end);
};

/** @returns whether a cell has a value; SheetJS also returns cells that only have formatting */
export const holds = (cell: CellObject | undefined): boolean =>
  cell !== undefined && cell.t !== "z" && cell.v !== undefined && cell.v !== null && cell.v !== "";

/** @returns whether days are counted from 1904, as in old versions of Excel for Mac */
export const is1904 = (workbook: WorkBook): boolean => workbook.Workbook?.WBProps?.date1904 === true;

/**
 * @returns the value of a cell, regardless of its number format: 0.25 for 25 %, a date in ISO 8601, an error as its
 * name (`#N/A`)
 */
export const heldValue = (cell: CellObject | undefined, date1904: boolean): Value => {
  if (cell === undefined || !holds(cell)) {
    return null;
  }
  const { t, v, w, z } = cell;
  if (t === "e") {
    return w ?? ERRORS[Number(v)] ?? "#ERROR!";
  }
  if (v instanceof Date) {
    return v.toISOString().slice(0, -5);
  }
  if (typeof v === "number" && typeof z === "string" && z !== "General" && SSF.is_date(z)) {
    return isoOf(v, z, date1904) ?? v;
  }
  return v ?? null;
};

/** @returns the text that a cell displays: 25 % as `25%`, an error as its name */
const shownText = (cell: CellObject | undefined): Value =>
  cell === undefined || !holds(cell) ? null : utils.format_cell(cell);

/** @returns a function for the values of cells, in the form that the option requests */
export const valueReader = (
  workbook: WorkBook,
  { values = "raw" }: Options,
): ((cell: CellObject | undefined) => Value) => {
  const date1904 = is1904(workbook);
  return values === "shown" ? shownText : (cell) => heldValue(cell, date1904);
};

/** [MS-XLS] 2.5.10. */
const ERRORS: Readonly<Record<number, string>> = {
  0: "#NULL!",
  7: "#DIV/0!",
  15: "#VALUE!",
  23: "#REF!",
  29: "#NAME?",
  36: "#NUM!",
  42: "#N/A",
  43: "#GETTING_DATA",
};

const DAY_SECONDS = 86_400;
/** Quoted or bracketed parts of a number format are not date digits. Excel allows 255 characters in a format. */
const NOT_DATE_PARTS = /"[^"]{0,255}"|\\.|\[(?!h+\]|m+\]|s+\])[^\]]{0,255}\]/gi;

/** @returns a day count as a date, a time or a duration; undefined when it is none of them */
const isoOf = (days: number, format: string, date1904: boolean): string | undefined => {
  const parts = format.replaceAll(NOT_DATE_PARTS, "").toLowerCase();
  if (/\[[hms]+\]/.test(parts)) {
    return clock(days * DAY_SECONDS);
  }
  const timed = /[hs]/.test(parts);
  if (timed && !/[dy]/.test(parts) && days >= 0 && days < 1) {
    return clock(days * DAY_SECONDS);
  }
  const date: { y: number; m: number; d: number; H: number; M: number; S: number; u: number } | null =
    SSF.parse_date_code(days, { date1904 });
  if (date === null || date.y > 9999) {
    return undefined;
  }
  const two = (number: number): string => String(number).padStart(2, "0");
  const day = `${String(date.y).padStart(4, "0")}-${two(date.m)}-${two(date.d)}`;
  const fraction = days !== Math.floor(days);
  return timed || fraction ? `${day}T${two(date.H)}:${two(date.M)}:${two(date.S)}` : day;
};

const clock = (seconds: number): string => {
  const rounded = Math.round(Math.abs(seconds));
  const [hours, minutes] = [Math.floor(rounded / 3_600), Math.floor((rounded % 3_600) / 60)];
  const two = (number: number): string => String(number).padStart(2, "0");
  return `${seconds < 0 ? "-" : ""}${two(hours)}:${two(minutes)}:${two(rounded % 60)}`;
};
