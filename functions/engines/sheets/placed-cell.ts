import type { Column, Value } from "../io/table.ts";

/** A value as a cell of a spreadsheet holds it. */
export interface PlacedCell {
  readonly value: string | number | boolean;
  /** What it is shown as; `text` keeps a spreadsheet from taking an edited `007` for a number. */
  readonly style: "general" | "date" | "timestamp" | "text";
}

/** Characters that a cell of Excel holds. */
const CELL_CHARACTERS_MAX = 32_767;

/**
 * @param found counts the texts that are cut
 * @returns the cell; undefined where there is none
 */
export const placedCell = (value: Value, { kind, coded }: Column, found: { cut: number }): PlacedCell | undefined => {
  if (value === null) {
    return undefined;
  }
  if (typeof value !== "string") {
    return { value, style: "general" };
  }
  const days = kind === "date" || kind === "timestamp" ? daysOf(value) : undefined;
  if (days !== undefined) {
    return { value: days, style: kind === "date" ? "date" : "timestamp" };
  }
  if (value.length > CELL_CHARACTERS_MAX) {
    found.cut += 1;
  }
  const text = value.length > CELL_CHARACTERS_MAX ? value.slice(0, CELL_CHARACTERS_MAX) : value;
  return { value: text, style: coded ? "text" : "general" };
};

const ISO = /^(\d{4})-(\d\d)-(\d\d)(?:[ T](\d\d):(\d\d):(\d\d))?$/;
const DAY_MS = 86_400_000;
/** Day 0 of Excel; it counts a 29 February 1900, so days before 1 March of it are not the same everywhere. */
const EPOCH_MS = Date.UTC(1899, 11, 30);
const FIRST_MS = Date.UTC(1900, 2, 1);

/** @returns the day count of a date, and undefined for one that a day count does not hold exactly */
const daysOf = (text: string): number | undefined => {
  const parts = ISO.exec(text)
    ?.slice(1)
    .map((part) => Number(part ?? 0));
  if (parts === undefined) {
    return undefined;
  }
  const [year = 0, month = 1, day = 1, hours = 0, minutes = 0, seconds = 0] = parts;
  const ms = Date.UTC(year, month - 1, day, hours, minutes, seconds);
  return ms < FIRST_MS ? undefined : (ms - EPOCH_MS) / DAY_MS;
};
