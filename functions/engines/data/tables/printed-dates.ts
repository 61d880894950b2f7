import type { PrintedValue } from "./printed-numbers.ts";

/** Whether the day or the month comes first in dates such as `03/04/2024`. */
export type DayOrder = "day" | "month";

interface DateParts {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  /** Number format of the cell. */
  readonly format: string;
}

const ISO = /^(\d{4})([-/.])(\d{1,2})\2(\d{1,2})(?:[ T](\d{1,2}):(\d\d)(?::(\d\d))?Z?)?$/;
const NUMERIC = /^(\d{1,2})([-/.])(\d{1,2})\2(\d{4}|\d\d)$/;
const DAY_NAMED = /^(\d{1,2})(\.?)([ -])(\p{L}{3,10})(\.?,?)\3(\d{4}|\d\d)$/u;
const MONTH_NAMED = /^(\p{L}{3,10})\.? (\d{1,2}) ?, ?(\d{4})$/u;
/** Typographic hyphens and dashes. */
const DASH = /[\u2010-\u2013\u2212]/g;

/** Languages whose names of months are known. */
const LANGUAGES = ["en", "de", "fr", "es", "it", "pt", "nl"];

let months: ReadonlyMap<string, number> | undefined;

const monthNamed = (name: string): number | undefined => {
  months ??= new Map(
    LANGUAGES.flatMap((language) =>
      (["long", "short"] as const).flatMap((month) => {
        const { format } = new Intl.DateTimeFormat(language, { month, timeZone: "UTC" });
        const named = (index: number) =>
          format(Date.UTC(2026, index, 15))
            .toLowerCase()
            .replace(".", "");
        return Array.from({ length: 12 }, (_, index): [string, number] => [named(index), index + 1]);
      }),
    ),
  );
  return months.get(name.toLowerCase());
};

/**
 * @returns the order of day and month in the dates of a column: the one in which all of them are dates; undefined if
 * both are possible, or neither
 */
export const dayOrderOf = (texts: readonly string[]): DayOrder | undefined => {
  const dates = texts.map(plainOf).filter((text) => NUMERIC.test(text));
  const fits = (order: DayOrder): boolean => dates.every((text) => numericDate(text, order) !== undefined);
  const [day, month] = [fits("day"), fits("month")];
  return dates.length === 0 || day === month ? undefined : day ? "day" : "month";
};

const plainOf = (text: string): string => text.trim().replaceAll(DASH, "-").replaceAll(/\s/g, " ");

/** @returns the date that the complete text is; undefined if it is none, or day and month could be swapped */
export const printedDate = (text: string, order: DayOrder | undefined): PrintedValue | undefined => {
  const plain = plainOf(text);
  const time = ISO.exec(plain);
  const parts = isoDate(time) ?? namedDate(plain) ?? numericDate(plain, order);
  const days = parts && daysOf(parts);
  if (parts === undefined || days === undefined) {
    return undefined;
  }
  const [hours, minutes, seconds] = [time?.[5], time?.[6], time?.[7]].map((part) => Number(part ?? 0));
  const share = ((hours ?? 0) * 3_600 + (minutes ?? 0) * 60 + (seconds ?? 0)) / 86_400;
  return { value: days + share, format: parts.format };
};

const isoDate = (found: RegExpExecArray | null): DateParts | undefined => {
  if (found === null) {
    return undefined;
  }
  const [, year, mark, month, day, hours, , seconds] = found;
  const time = hours === undefined ? "" : `\\ hh:mm${seconds === undefined ? "" : ":ss"}`;
  return { year: Number(year), month: Number(month), day: Number(day), format: `yyyy\\${mark}mm\\${mark}dd${time}` };
};

const namedDate = (text: string): DateParts | undefined => {
  const [, day, dot, gap, name, mark, year] = DAY_NAMED.exec(text) ?? [];
  const month = name && monthNamed(name);
  if (month) {
    const letters = name.length > 3 && mark !== "." ? "mmmm" : "mmm";
    const years = year?.length === 2 ? "yy" : "yyyy";
    const format = `d${dot && "\\."}\\${gap}${letters}${mark ? `\\${mark}` : ""}\\${gap}${years}`;
    return { year: fullYear(year), month, day: Number(day), format };
  }
  const [, first, second, third] = MONTH_NAMED.exec(text) ?? [];
  const number = first && monthNamed(first);
  return number
    ? {
        year: Number(third),
        month: number,
        day: Number(second),
        format: `${first.length > 3 ? "mmmm" : "mmm"}\\ d\\,\\ yyyy`,
      }
    : undefined;
};

const numericDate = (text: string, order: DayOrder | undefined): DateParts | undefined => {
  const [, first, mark, second, year] = NUMERIC.exec(text) ?? [];
  if (first === undefined) {
    return undefined;
  }
  const width = first.length === 2 || second?.length === 2 ? 2 : 1;
  const [d, m] = ["d".repeat(width), "m".repeat(width)];
  const y = year?.length === 2 ? "yy" : "yyyy";
  const at = (day: number, month: number, format: string) => ({ year: fullYear(year), month, day, format });
  const byDay = at(Number(first), Number(second), `${d}\\${mark}${m}\\${mark}${y}`);
  const byMonth = at(Number(second), Number(first), `${m}\\${mark}${d}\\${mark}${y}`);
  // Points separate dates only where the day comes first.
  const candidates = mark === "." || order === "day" ? [byDay] : order === "month" ? [byMonth] : [byDay, byMonth];
  const valid = candidates.filter((parts) => daysOf(parts) !== undefined);
  const isSame = Number(first) === Number(second);
  return valid.length === 1 || isSame ? valid[0] : undefined;
};

/** Spreadsheets read years of two digits from 30 on as those of the 20th century. */
const fullYear = (year = ""): number =>
  year.length > 2 ? Number(year) : Number(year) + (Number(year) < 30 ? 2_000 : 1_900);

const DAY_MS = 86_400_000;
/** Day 0 of spreadsheets. They count a February 29, 1900, so they disagree about days before March 1, 1900. */
const EPOCH_MS = Date.UTC(1899, 11, 30);
const FIRST_MS = Date.UTC(1900, 2, 1);

/** @returns the day count of a date that exists */
const daysOf = ({ year, month, day }: DateParts): number | undefined => {
  const ms = Date.UTC(year, month - 1, day);
  const date = new Date(ms);
  const exists = date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  return exists && ms >= FIRST_MS ? (ms - EPOCH_MS) / DAY_MS : undefined;
};
