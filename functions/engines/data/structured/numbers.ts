import type { Exact, Tree } from "./tree.ts";

/** Lossless numbers: doubles if exact, otherwise big integers or text. */

/** @returns the number of a text in JSON notation */
export const numberOf = (text: string): number | bigint | Exact => {
  const value = Number(text);
  if (/^-?[1-9]\d*$/.test(text)) {
    return Number.isSafeInteger(value) ? value : BigInt(text);
  }
  return String(value) === text ? value : { kind: "decimal", text };
};

/** @returns the integer as a number if that is exact */
export const integerOf = (value: bigint): number | bigint =>
  value >= Number.MIN_SAFE_INTEGER && value <= Number.MAX_SAFE_INTEGER ? Number(value) : value;

/** Writers with a single number type, as in JavaScript, write larger integers as doubles. */
const DOUBLE_INTEGERS_FROM = 2 ** 31;

/** @returns a double of a format that also has integers: `1.0` remains a decimal */
export const doubleOf = (value: number): Tree =>
  Number.isInteger(value) && Math.abs(value) < DOUBLE_INTEGERS_FROM
    ? { kind: "decimal", text: `${Object.is(value, -0) ? "-0" : value}.0` }
    : value;

/** @returns whether the double and the text are the same number */
const isExactly = (value: number, text: string): boolean =>
  Number.isFinite(value) && sameDigits(digitsOf(text), digitsOf(String(value)));

/** @returns the double nearest to a decimal, and whether it differs; undefined beyond the range of doubles */
export const nearest = ({ text }: Exact): { readonly value: number; readonly rounded: boolean } | undefined => {
  const value = Number(text);
  return Number.isFinite(value) ? { value, rounded: !isExactly(value, text) } : undefined;
};

/** @returns a decimal as a signed integer and a power of ten: `-1.10` is `-110` and -2 */
export const scaled = (text: string): { readonly integer: string; readonly exponent: number } => {
  const [, sign = "", digits = "", fraction = "", power = "0"] =
    /^([+-]?)(\d*)\.?(\d*)(?:e([+-]?\d+))?$/i.exec(text) ?? [];
  return { integer: `${sign === "-" ? "-" : ""}${digits}${fraction}`, exponent: Number(power) - fraction.length };
};

/** @returns an integer times a power of ten in JSON notation; large exponents remain exponents */
export const decimalOf = (integer: string, exponent: number, slotsMax: number): Exact => {
  if (exponent >= 0 || exponent < -slotsMax) {
    return { kind: "decimal", text: `${integer}e${exponent}` };
  }
  const digits = integer.replace("-", "").padStart(1 - exponent, "0");
  const sign = integer.startsWith("-") ? "-" : "";
  return { kind: "decimal", text: `${sign}${digits.slice(0, exponent)}.${digits.slice(exponent)}` };
};

interface Digits {
  readonly digits: string;
  readonly exponent: number;
}

const sameDigits = (one: Digits, other: Digits): boolean =>
  one.digits === other.digits && (one.digits === "" || one.exponent === other.exponent);

/**
 * @returns the significant digits of a number, without leading or trailing zeros, and the power of ten of the last one
 */
const digitsOf = (text: string): Digits => {
  const { integer, exponent } = scaled(text);
  const all = integer.replace("-", "").replace(/^0+/, "");
  let end = all.length;
  while (all[end - 1] === "0") {
    end -= 1;
  }
  const sign = integer.startsWith("-") ? "-" : "";
  return { digits: end === 0 ? "" : `${sign}${all.slice(0, end)}`, exponent: exponent + all.length - end };
};
