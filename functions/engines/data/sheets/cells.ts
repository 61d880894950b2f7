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
    return v.toISOString().replace(/(?:\.000)?Z$/, "");
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

const DAY_MS = 86_400_000;
/** Quoted or bracketed parts of a number format are not date digits. Excel allows 255 characters in a format. */
const NOT_DATE_PARTS = /"[^"]{0,255}"|\\.|\[(?!h+\]|m+\]|s+\])[^\]]{0,255}\]/gi;

/** @returns a day count as a date, a time or a duration; undefined when it is none of them */
const isoOf = (days: number, format: string, date1904: boolean): string | undefined => {
  const parts = format.replaceAll(NOT_DATE_PARTS, "").toLowerCase();
  if (/\[[hms]+\]/.test(parts)) {
    return clock(days * DAY_MS);
  }
  const timed = /[hs]/.test(parts);
  if (timed && !/[dy]/.test(parts) && days >= 0 && days < 1) {
    return clock(days * DAY_MS);
  }
  // A date near 2024 is a number with a resolution of less than a microsecond.
  const ms = Math.round((days - Math.floor(days)) * DAY_MS);
  const whole = Math.floor(days) + Math.floor(ms / DAY_MS);
  const date: { y: number; m: number; d: number } | null = SSF.parse_date_code(whole, { date1904 });
  if (date === null || date.y > 9999) {
    return undefined;
  }
  const day = `${String(date.y).padStart(4, "0")}-${two(date.m)}-${two(date.d)}`;
  return timed || days !== Math.floor(days) ? `${day}T${clock(ms % DAY_MS)}` : day;
};

/** @returns hours, minutes and seconds, with milliseconds if there are any */
const clock = (exact: number): string => {
  const ms = Math.round(Math.abs(exact));
  const [hours, minutes, seconds] = [ms / 3_600_000, (ms / 60_000) % 60, (ms / 1_000) % 60].map(Math.floor);
  const rest = ms % 1_000 === 0 ? "" : `.${String(ms % 1_000).padStart(3, "0")}`;
  return `${exact < 0 ? "-" : ""}${two(hours)}:${two(minutes)}:${two(seconds)}${rest}`;
};

const two = (number = 0): string => String(number).padStart(2, "0");
