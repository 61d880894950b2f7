/** Cue times in milliseconds. */

/** Hours are optional, and the fraction has one to three digits. */
const CLOCK = /^(?:(\d+):)?(\d{1,3}):(\d{1,2})(?:[.,:](\d{1,3}))?$/;

/** @returns the milliseconds of a clock time such as `1:02:03,450` or `02:03.45`; undefined if it is invalid */
export const clockMs = (text: string): number | undefined => {
  const [found, hours = "0", minutes, seconds, fraction = ""] = CLOCK.exec(text.trim()) ?? [];
  return found === undefined
    ? undefined
    : Number(hours) * 3_600_000 + Number(minutes) * 60_000 + Number(seconds) * 1_000 + Number(fraction.padEnd(3, "0"));
};

/** Clock format: the decimal separator, the number of fraction digits, and the number of hour digits. */
export interface ClockStyle {
  readonly point: "." | ",";
  readonly fractionDigits: 2 | 3;
  readonly hourDigits: 1 | 2;
}

/** @returns a time in this clock format */
export const clockOf = (ms: number, { point, fractionDigits, hourDigits }: ClockStyle): string => {
  const unit = 10 ** (3 - fractionDigits);
  const all = Math.round(Math.max(0, ms) / unit);
  const perSecond = 1_000 / unit;
  const seconds = Math.floor(all / perSecond);
  const [hours, minutes] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60];
  const fraction = String(all % perSecond).padStart(fractionDigits, "0");
  return `${String(hours).padStart(hourDigits, "0")}:${two(minutes)}:${two(seconds % 60)}${point}${fraction}`;
};

const two = (value: number): string => String(value).padStart(2, "0");

/** Maximum milliseconds of a cue without an end time. */
const OPEN_MS_MAX = 10_000;

/** @returns the end of a cue without an end time */
export const openEnd = (start: number, next: number | undefined): number =>
  next === undefined || next <= start ? start + OPEN_MS_MAX : Math.min(next, start + OPEN_MS_MAX);
