import { region, texts } from "./text.ts";

/** Numbers, sizes and times in the selected language. */

export const number = (value: number): string => new Intl.NumberFormat(region.value).format(value);

/** @param value 0 to 100 @returns `37%` */
export const percent = (value: number): string =>
  new Intl.NumberFormat(region.value, { style: "percent", maximumFractionDigits: 0 }).format(value / 100);

const UNITS = ["byte", "kilobyte", "megabyte", "gigabyte"] as const;

/** @returns bytes as `2.4 MB`, in powers of 1,000 */
export const bytes = (value: number): string => {
  const power = Math.min(UNITS.length - 1, Math.floor(Math.log10(Math.max(1, value)) / 3));
  return new Intl.NumberFormat(region.value, {
    style: "unit",
    unit: UNITS[power] ?? "byte",
    unitDisplay: power === 0 ? "long" : "short",
    maximumFractionDigits: power === 0 ? 0 : 1,
  }).format(value / 1_000 ** power);
};

/** @returns milliseconds as `412 ms`, `1.2 sec` or `3 min` */
export const duration = (milliseconds: number): string => {
  const [value, unit] = lengthOf(milliseconds);
  return new Intl.NumberFormat(region.value, {
    style: "unit",
    unit,
    unitDisplay: "short",
    maximumFractionDigits: value < 10 ? 1 : 0,
  }).format(value);
};

const lengthOf = (milliseconds: number): [value: number, unit: string] => {
  const seconds = milliseconds / 1_000;
  if (seconds < 1) {
    return [Math.round(milliseconds), "millisecond"];
  }
  if (seconds < 120) {
    return [seconds, "second"];
  }
  return seconds < 7_200 ? [seconds / 60, "minute"] : [seconds / 3_600, "hour"];
};

export const dateTime = (time: string): string =>
  new Intl.DateTimeFormat(region.value, { dateStyle: "medium", timeStyle: "short" }).format(new Date(time));

/** The same with seconds, for events within one minute. */
export const exactTime = (time: string): string =>
  new Intl.DateTimeFormat(region.value, { dateStyle: "medium", timeStyle: "medium" }).format(new Date(time));

export const time = (at: string): string =>
  new Intl.DateTimeFormat(region.value, { timeStyle: "short" }).format(new Date(at));

export const date = (time: string): string =>
  new Intl.DateTimeFormat(region.value, { dateStyle: "medium" }).format(new Date(time));

/** @returns a UTC day, in any time zone */
export const utcDay = (day: string): string =>
  new Intl.DateTimeFormat(region.value, { dateStyle: "medium", timeZone: "UTC" }).format(new Date(day));

/** @param value 0 to 1 @returns `99.98%` */
export const share = (value: number): string =>
  new Intl.NumberFormat(region.value, { style: "percent", maximumFractionDigits: 2 }).format(value);

const UNIT_SECONDS = [
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
  ["second", 1],
] as const;

const MINUTE_SECONDS = 60;

/** @returns the time relative to now: `just now` for the last minute, `3 minutes ago`, `in 2 days` */
export const relative = (time: string, now = Date.now()): string => {
  const seconds = Math.round((Date.parse(time) - now) / 1_000);
  if (seconds <= 0 && seconds > -MINUTE_SECONDS) {
    return texts.value.common.justNow;
  }
  const format = new Intl.RelativeTimeFormat(region.value, { numeric: "auto" });
  const [unit, length] = UNIT_SECONDS.find(([, each]) => Math.abs(seconds) >= each) ?? UNIT_SECONDS[0];
  return format.format(Math.round(seconds / length), unit);
};
