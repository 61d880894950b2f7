import type { Exact, Tree } from "./tree.ts";

/** Numbers without loss: what a double gives back exactly is a double, the rest is a big integer or its text. */

/** @returns a number by its text in the grammar of JSON */
export const numberOf = (text: string): number | bigint | Exact => {
  const value = Number(text);
  if (/^-?[1-9]\d*$/.test(text)) {
    return Number.isSafeInteger(value) ? value : BigInt(text);
  }
  return String(value) === text ? value : { kind: "decimal", text };
};

/** @returns an integer as a number where that is exact */
export const integerOf = (value: bigint): number | bigint =>
  value >= Number.MIN_SAFE_INTEGER && value <= Number.MAX_SAFE_INTEGER ? Number(value) : value;

/** Integers from here on are doubles to many writers that have one kind of number only, as those of JavaScript. */
const DOUBLE_INTEGERS_FROM = 2 ** 31;

/** @returns a double of a format that tells doubles from integers: `1.0` stays one */
export const doubleOf = (value: number): Tree =>
  Number.isInteger(value) && Math.abs(value) < DOUBLE_INTEGERS_FROM
    ? { kind: "decimal", text: `${Object.is(value, -0) ? "-0" : value}.0` }
    : value;

/** @returns whether the double means the same number as the text */
const isExactly = (value: number, text: string): boolean =>
  Number.isFinite(value) && sameDigits(digitsOf(text), digitsOf(String(value)));

/** @returns the double that is nearest to a decimal, and whether it is another number; undefined beyond all doubles */
export const nearest = ({ text }: Exact): { readonly value: number; readonly rounded: boolean } | undefined => {
  const value = Number(text);
  return Number.isFinite(value) ? { value, rounded: !isExactly(value, text) } : undefined;
};

interface Digits {
  readonly digits: string;
  readonly exponent: number;
}

const sameDigits = (one: Digits, other: Digits): boolean =>
  one.digits === other.digits && (one.digits === "" || one.exponent === other.exponent);

/** @returns the significant digits of a number, without zeros at either end, and the power of ten of the last one */
const digitsOf = (text: string): Digits => {
  const [, sign = "", whole = "", fraction = "", power = "0"] =
    /^([+-]?)(\d*)\.?(\d*)(?:e([+-]?\d+))?$/i.exec(text) ?? [];
  const all = (whole + fraction).replace(/^0+/, "");
  let end = all.length;
  while (all[end - 1] === "0") {
    end -= 1;
  }
  const digits = all.slice(0, end);
  const exponent = Number(power) - fraction.length + (all.length - digits.length);
  return { digits: digits === "" ? "" : `${sign === "-" ? "-" : ""}${digits}`, exponent };
};
