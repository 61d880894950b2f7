import type { Kind } from "./column-kinds.ts";
import type { DayOrder } from "./printed-dates.ts";

/** How a column writes values that are neither JSON numbers nor dates in ISO 8601. */
export type Notation = "decimal-comma" | DayOrder;

/** Texts of a column that may be numbers with a decimal comma, or dates such as `05.01.2024`. */
export interface LocalSeen {
  /** Texts that are not empty. */
  values: number;
  /** Numbers by the rules of the decimal comma: `1.234,50`, `12,5`, also `1.234` and `7`. */
  numbers: number;
  /** Those with a comma or a point. */
  marked: number;
  /** Those that are numbers by no other rule: `12,5`, `1.234,50`; `1,234` has grouping in other countries. */
  sure: number;
  /** Numbers with a decimal point that are none by the rules of the decimal comma: `12.5`. */
  points: number;
  /** Other texts that look like numbers: `007`, `1,234,567`. */
  codes: number;
  /** Dates with the day first, with the month first, and those with a time. */
  byDay: number;
  byMonth: number;
  times: number;
}

export const nothingLocal = (): LocalSeen => ({
  values: 0,
  numbers: 0,
  marked: 0,
  sure: 0,
  points: 0,
  codes: 0,
  byDay: 0,
  byMonth: 0,
  times: 0,
});

const DECIMAL_COMMA = /^-?(?:\d{1,3}(?:\.\d{3})+|0|[1-9]\d*)(?:,\d+)?$/;
const SURE = /,(?:\d{1,2}|\d{4,})$|\.\d{3},/;
const MARKED = /[.,]/;
const POINT = /^-?\d+\.\d+$/;
const LIKE_A_NUMBER = /^[+-]?[\d.,]*\d(?:e[+-]?\d+)?$/i;
const DATE = /^(\d{1,2})([-/.])(\d{1,2})\2(\d{4})(?:,? (\d{1,2}):([0-5]\d)(?::([0-5]\d))?)?$/;
const LENGTH_MAX = "31.12.2024, 23:59:59".length;
const NINE = 57;

/** Every number with at most this many digits fits in a double. */
const DIGITS_MAX = 15;

/** Records a text of a column. */
export const seeLocal = (seen: LocalSeen, text: string): void => {
  seen.values += text === "" ? 0 : 1;
  if (text === "" || text.length > LENGTH_MAX || text.charCodeAt(0) > NINE) {
    return;
  }
  if (localNumber(text) !== undefined) {
    const isMarked = MARKED.test(text);
    seen.numbers += 1;
    seen.marked += isMarked ? 1 : 0;
    seen.sure += isMarked && SURE.test(text) ? 1 : 0;
    return;
  }
  const isDate = DATE.test(text);
  const day = isDate ? localDate(text, "day") : undefined;
  const month = isDate ? localDate(text, "month") : undefined;
  seen.byDay += day ? 1 : 0;
  seen.byMonth += month ? 1 : 0;
  seen.times += (day ?? month)?.includes(":") ? 1 : 0;
  if (!(day || month) && LIKE_A_NUMBER.test(text)) {
    seen.points += POINT.test(text) ? 1 : 0;
    seen.codes += POINT.test(text) ? 0 : 1;
  }
};

/** @returns the notation of each column; undefined where it has none of these, or day and month could be swapped */
export const notationsOf = (columns: readonly LocalSeen[], delimiter: string): (Notation | undefined)[] => {
  const hasCommas = columns.some(isSure) && !columns.some(({ points }) => points > 0);
  return columns.map((seen) => {
    const { values, byDay, byMonth, marked } = seen;
    if (values > 0 && byDay !== byMonth && Math.max(byDay, byMonth) === values) {
      return byDay === values ? "day" : "month";
    }
    const isDecimal = isSure(seen) || (hasCommas && marked > 0 && isOnlyNumbers(seen));
    return isDecimal && delimiter !== "," ? "decimal-comma" : undefined;
  });
};

const isOnlyNumbers = ({ points, codes, byDay, byMonth }: LocalSeen): boolean => points + codes + byDay + byMonth === 0;

const isSure = (seen: LocalSeen): boolean => seen.sure > 0 && isOnlyNumbers(seen);

/** @returns the kind of a column with this notation; words among its numbers remain texts */
export const kindOfLocal = (notation: Notation, { times, numbers, values }: LocalSeen): Kind => {
  if (notation === "decimal-comma") {
    return numbers === values ? "number" : "text";
  }
  return times > 0 ? "timestamp" : "date";
};

/** @returns the value of a text in a column with this notation: a number, a date in ISO 8601, or the text */
export const localValue = (text: string, notation: Notation): number | string =>
  (notation === "decimal-comma" ? localNumber(text) : localDate(text, notation)) ?? text;

const localNumber = (text: string): number | undefined =>
  DECIMAL_COMMA.test(text) && (text.length <= DIGITS_MAX || text.replaceAll(/\D/g, "").length <= DIGITS_MAX)
    ? Number(text.replaceAll(".", "").replace(",", "."))
    : undefined;

const localDate = (text: string, order: DayOrder): string | undefined => {
  const [, first = "", mark, second = "", year = "", hours, minutes, seconds = "00"] = DATE.exec(text) ?? [];
  // Points separate dates only where the day comes first.
  if (mark === undefined || (mark === "." && order === "month")) {
    return undefined;
  }
  const [day, month] = order === "day" ? [first, second] : [second, first];
  if (!isDay(Number(year), Number(month), Number(day)) || Number(hours ?? 0) > 23) {
    return undefined;
  }
  const date = `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`;
  return hours === undefined ? date : `${date} ${hours.padStart(2, "0")}:${minutes}:${seconds}`;
};

/** Workbooks count days from 1900. */
const isDay = (year: number, month: number, day: number): boolean =>
  year >= 1900 && month >= 1 && month <= 12 && day >= 1 && day <= new Date(Date.UTC(year, month, 0)).getUTCDate();
