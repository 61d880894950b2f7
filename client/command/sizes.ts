/** Sizes and durations for people. Machines read bytes and milliseconds with `--json`. */

const UNITS = ["B", "kB", "MB", "GB", "TB"] as const;
const STEP = 1_000;
/** From here on, a decimal adds nothing. */
const WHOLE_FROM = 100;

/** @returns the size in decimal units: `812 B`, `45.1 MB`, `230 MB` */
export const sizeText = (bytes: number): string => {
  let value = bytes;
  let unit = 0;
  while (value >= STEP - 0.5 && unit < UNITS.length - 1) {
    value /= STEP;
    unit += 1;
  }
  return `${unit === 0 || value >= WHOLE_FROM ? Math.round(value) : Math.round(value * 10) / 10} ${UNITS[unit]}`;
};

const SECOND_MS = 1_000;
const MINUTE_SECONDS = 60;
const SHORT_MS = 10_000;

/** @returns the duration: `0.4 s`, `8.2 s`, `42 s`, `3 min 5 s` */
export const durationText = (milliseconds: number): string => {
  if (milliseconds < SHORT_MS) {
    return `${(milliseconds / SECOND_MS).toFixed(1)} s`;
  }
  const seconds = Math.round(milliseconds / SECOND_MS);
  const minutes = Math.floor(seconds / MINUTE_SECONDS);
  return minutes === 0 ? `${seconds} s` : `${minutes} min ${seconds % MINUTE_SECONDS} s`;
};
