import type { Warning } from "../../../domain/warning.ts";
import type { Column, Value } from "../tables/table.ts";

/** A value as stored in a spreadsheet cell. */
export interface PlacedCell {
  readonly value: string | number | boolean;
  /** Its number format; `text` keeps spreadsheets from treating an edited `007` as a number. */
  readonly style: "general" | "date" | "timestamp" | "text";
}

/** Maximum characters of a cell in Excel. */
const CELL_CHARACTERS_MAX = 32_767;

/**
 * @param found counts the texts that are truncated
 * @returns the cell; undefined when it is empty
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
  return { value: cutText(value, found), style: coded ? "text" : "general" };
};

/** @returns the text, truncated to the length of a cell */
export const cutText = (text: string, found: { cut: number }): string => {
  if (text.length <= CELL_CHARACTERS_MAX) {
    return text;
  }
  found.cut += 1;
  return text.slice(0, CELL_CHARACTERS_MAX);
};

/** @returns the warning for texts that were truncated, if any */
export const truncatedCellsWarning = (cut: number): Warning[] =>
  cut === 0
    ? []
    : [
        {
          code: "cells_truncated",
          detail: `Texts truncated to the maximum length of a cell (32,767 characters): ${cut}.`,
        },
      ];

const ISO = /^(\d{4})-(\d\d)-(\d\d)(?:[ T](\d\d):(\d\d):(\d\d))?$/;
const DAY_MS = 86_400_000;
/** Day 0 of Excel. It counts a February 29, 1900, so programs disagree about days before March 1, 1900. */
const EPOCH_MS = Date.UTC(1899, 11, 30);
const FIRST_MS = Date.UTC(1900, 2, 1);

/** @returns the day count of a date; undefined when a day count cannot represent it exactly */
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
