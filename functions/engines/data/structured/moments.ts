import type { Exact } from "./tree.ts";

/** Dates and times, kept as RFC 3339 text. */

const DATE = /^\d{4}-\d{2}-\d{2}$/;
/** Timestamps of YAML 1.1 (yaml.org/type/timestamp.html), which include those of RFC 3339 and TOML. */
const DATE_TIME =
  /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[Tt]|[ \t]+)(\d{1,2}):(\d{2}):(\d{2})(\.\d*)?(?:[ \t]*(Z|z|[-+]\d{1,2}(?::?\d{2})?))?$/;

/** @returns the date or time of a text; undefined when it is not one or the day does not exist */
export const momentOf = (text: string): Exact | undefined => {
  if (DATE.test(text)) {
    return isDay(text) ? { kind: "date", text } : undefined;
  }
  const [found, year = "", month = "", day = "", hour = "", minute, second, fraction = "", zone] =
    DATE_TIME.exec(text) ?? [];
  const date = `${year}-${two(month)}-${two(day)}`;
  if (found === undefined || !isDay(date) || Number(hour) > 23 || Number(minute) > 59 || Number(second) > 60) {
    return undefined;
  }
  const clock = `${two(hour)}:${minute}:${second}${fraction === "." ? "" : fraction}`;
  return {
    kind: zone === undefined ? "local" : "instant",
    text: `${date}T${clock}${zone === undefined ? "" : offset(zone)}`,
  };
};

/** @returns an instant from milliseconds since 1970; undefined beyond the range of a date */
export const instantOf = (milliseconds: number): Exact | undefined => {
  const date = new Date(milliseconds);
  return Number.isNaN(date.getTime()) ? undefined : { kind: "instant", text: date.toISOString().replace(".000Z", "Z") };
};

/** @returns milliseconds since 1970, with local times treated as UTC; undefined for a time without a date */
export const millisecondsOf = ({ kind, text }: Exact): number | undefined => {
  const value = kind === "time" ? Number.NaN : Date.parse(kind === "local" ? `${text}Z` : text);
  return Number.isNaN(value) ? undefined : value;
};

const two = (digits: string): string => digits.padStart(2, "0");

const isDay = (date: string): boolean => {
  const day = new Date(`${date}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(date);
};

const offset = (zone: string): string => {
  const [, sign = "", hours = "", minutes = "00"] = /^([-+])(\d{1,2}):?(\d{2})?$/.exec(zone) ?? [];
  return sign === "" ? "Z" : `${sign}${two(hours)}:${minutes}`;
};
