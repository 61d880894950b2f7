import { integerOf } from "./numbers.ts";
import type { Exact, Tree } from "./tree.ts";

/** Decimals of 34 digits (IEEE 754-2008, decimal128 in its binary encoding), as BSON has them. */

const BIAS = 6_176;
const DIGITS_MAX = 34;
const COEFFICIENT_BITS = 113n;

/** @returns the number as JSON writes it */
export const fromDecimal128 = (bytes: Buffer): Tree => {
  const bits = bytes.readBigUInt64LE(0) | (bytes.readBigUInt64LE(8) << 64n);
  const negative = bits >> 127n === 1n;
  const combination = Number((bits >> 122n) & 31n);
  if (combination >= 30) {
    return combination === 31 ? Number.NaN : negative ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  }
  // A coefficient that begins otherwise would have more than 34 digits, and counts as zero.
  const large = combination >= 24;
  const coefficient = large ? 0n : bits & ((1n << COEFFICIENT_BITS) - 1n);
  const exponent = Number((bits >> (large ? 111n : COEFFICIENT_BITS)) & 0x3fffn) - BIAS;
  if (exponent === 0) {
    return integerOf(negative ? -coefficient : coefficient);
  }
  const sign = negative ? "-" : "";
  if (exponent > 0 || exponent < -DIGITS_MAX) {
    return { kind: "decimal", text: `${sign}${coefficient}e${exponent}` };
  }
  const digits = String(coefficient).padStart(1 - exponent, "0");
  return { kind: "decimal", text: `${sign}${digits.slice(0, exponent)}.${digits.slice(exponent)}` };
};

/** @returns the bytes of a decimal or an integer; undefined when it has more digits or a greater power than they hold */
export const toDecimal128 = (number: Exact | bigint): Buffer | undefined => {
  const [, sign = "", whole = "", fraction = "", power = "0"] =
    /^(-?)(\d+)\.?(\d*)(?:e([+-]?\d+))?$/i.exec(typeof number === "bigint" ? String(number) : number.text) ?? [];
  const exponent = Number(power) - fraction.length + BIAS;
  const digits = (whole + fraction).replace(/^0+(?=\d)/, "");
  if (digits.length > DIGITS_MAX || exponent < 0 || exponent > 2 * BIAS - 65) {
    return undefined;
  }
  const bits = (sign === "" ? 0n : 1n << 127n) | (BigInt(exponent) << COEFFICIENT_BITS) | BigInt(digits);
  const bytes = Buffer.alloc(16);
  bytes.writeBigUInt64LE(BigInt.asUintN(64, bits), 0);
  bytes.writeBigUInt64LE(bits >> 64n, 8);
  return bytes;
};
