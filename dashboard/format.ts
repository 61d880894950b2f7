import { locale } from "./text.ts";

/** Numbers, sizes and times as people of the chosen language read them. */

export const number = (value: number): string => new Intl.NumberFormat(locale.value).format(value);

const UNITS = ["byte", "kilobyte", "megabyte", "gigabyte"] as const;

/** @returns bytes as `2.4 MB`, in powers of 1,000 */
export const bytes = (value: number): string => {
  const power = Math.min(UNITS.length - 1, Math.floor(Math.log10(Math.max(1, value)) / 3));
  return new Intl.NumberFormat(locale.value, {
    style: "unit",
    unit: UNITS[power] ?? "byte",
    unitDisplay: power === 0 ? "long" : "short",
    maximumFractionDigits: power === 0 ? 0 : 1,
  }).format(value / 1_000 ** power);
};

/** @returns milliseconds as `412 ms`, `1.2 sec` or `3 min` */
export const duration = (milliseconds: number): string => {
  const [value, unit] = lengthOf(milliseconds);
  return new Intl.NumberFormat(locale.value, {
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
  new Intl.DateTimeFormat(locale.value, { dateStyle: "medium", timeStyle: "short" }).format(new Date(time));

/** The same to the second, where several lie in one minute. */
export const exactTime = (time: string): string =>
  new Intl.DateTimeFormat(locale.value, { dateStyle: "medium", timeStyle: "medium" }).format(new Date(time));

export const time = (at: string): string =>
  new Intl.DateTimeFormat(locale.value, { timeStyle: "short" }).format(new Date(at));

export const date = (time: string): string =>
  new Intl.DateTimeFormat(locale.value, { dateStyle: "medium" }).format(new Date(time));

const STEPS = [
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
] as const;

/** @returns the time as seen from now: `3 minutes ago`, `in 2 days` */
export const relative = (time: string, now = Date.now()): string => {
  const seconds = (Date.parse(time) - now) / 1_000;
  const format = new Intl.RelativeTimeFormat(locale.value, { numeric: "auto" });
  const step = STEPS.find(([, length]) => Math.abs(seconds) >= length);
  return step === undefined ? format.format(0, "second") : format.format(Math.round(seconds / step[1]), step[0]);
};
