/**
 * The kind of all values of a column: a column never mixes numbers and texts. A double represents every digit of
 * `integer` and `number`; `long` needs 64 bits. Dates are in ISO 8601, without a time zone.
 */
export type Kind = "integer" | "long" | "number" | "boolean" | "date" | "timestamp" | "text";

/** The texts of a column seen so far. */
export interface Seen {
  values: number;
  integers: number;
  longs: number;
  numbers: number;
  booleans: number;
  dates: number;
  timestamps: number;
  /** Texts that look like numbers but would not round-trip: `007`, `+5`, twenty digits. */
  codes: number;
}

export const nothingSeen = (): Seen => ({
  values: 0,
  integers: 0,
  longs: 0,
  numbers: 0,
  booleans: 0,
  dates: 0,
  timestamps: 0,
  codes: 0,
});

const INTEGER = /^-?(?:0|[1-9]\d*)$/;
const LONG = /^-?[1-9]\d{0,18}$/;
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/;
const LIKE_A_NUMBER = /^[+-]?[\d.,]*\d(?:e[+-]?\d+)?$/i;
const DATE = /^(\d{4})-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])(?:[ T](?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,6})?)?$/;
const DATE_CHARACTERS = "2026-01-31".length;

/** Every number with at most this many digits fits in a double (IEEE 754, binary64). */
const EXACT_DIGITS = 15;

/** @returns whether a text is a number whose every digit fits in a double, and that is a valid JSON number */
export const isExactNumber = (text: string): boolean =>
  NUMBER.test(text) && (text.length <= EXACT_DIGITS || isHeld(text));

const isHeld = (text: string): boolean =>
  INTEGER.test(text) ? Number.isSafeInteger(Number(text)) : String(Number(text)) === text;

const LONG_BITS = 64;

const isLong = (text: string): boolean => LONG.test(text) && BigInt.asIntN(LONG_BITS, BigInt(text)) === BigInt(text);

/** Records a text; empty ones are ignored. */
export const see = (seen: Seen, text: string): void => {
  if (text === "") {
    return;
  }
  seen.values += 1;
  // The first character decides for most texts: no number starts with a character after nine.
  if (text.charCodeAt(0) > 57) {
    seen.booleans += text === "true" || text === "false" ? 1 : 0;
    return;
  }
  if (isExactNumber(text)) {
    seen.numbers += 1;
    seen.integers += INTEGER.test(text) ? 1 : 0;
    return;
  }
  seen.longs += isLong(text) ? 1 : 0;
  seen.codes += LIKE_A_NUMBER.test(text) ? 1 : 0;
  seeDate(seen, text);
};

/** Records a text that is neither a number nor a boolean, even if it looks like one. */
export const seeText = (seen: Seen, text: string): void => {
  seen.values += 1;
  seeDate(seen, text);
};

const MINUS = 45;

const seeDate = (seen: Seen, text: string): void => {
  if (text.length < DATE_CHARACTERS || text.charCodeAt(4) !== MINUS) {
    return;
  }
  const parts = DATE.exec(text);
  if (parts !== null && (Number(parts[3]) <= 28 || Number(parts[3]) <= daysOf(Number(parts[1]), Number(parts[2])))) {
    seen.dates += text.length === DATE_CHARACTERS ? 1 : 0;
    seen.timestamps += text.length === DATE_CHARACTERS ? 0 : 1;
  }
};

const daysOf = (year: number, month: number): number => new Date(Date.UTC(2000 + (year % 400), month, 0)).getUTCDate();

/** @returns the kind of all values; a column without values is text */
export const kindOf = ({ values, integers, longs, numbers, booleans, dates, timestamps }: Seen): Kind => {
  const counts: readonly [Kind, number][] = [
    ["integer", integers],
    ["long", integers + longs],
    ["number", numbers],
    ["boolean", booleans],
    ["date", dates],
    ["timestamp", timestamps],
  ];
  return values === 0 ? "text" : (counts.find(([, count]) => count === values)?.[0] ?? "text");
};
