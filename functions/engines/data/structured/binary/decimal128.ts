import { decimalOf, integerOf, scaled } from "../numbers.ts";
import type { Exact, Tree } from "../tree.ts";

/** Decimals of 34 digits (IEEE 754-2008, decimal128 in binary encoding), the decimal type of BSON. */

const BIAS = 6_176;
const DIGITS_MAX = 34;
const COEFFICIENT_BITS = 113n;

/** @returns the number in JSON notation */
export const fromDecimal128 = (bytes: Buffer): Tree => {
  const bits = bytes.readBigUInt64LE(0) | (bytes.readBigUInt64LE(8) << 64n);
  const negative = bits >> 127n === 1n;
  const combination = Number((bits >> 122n) & 31n);
  if (combination >= 30) {
    return combination === 31 ? Number.NaN : negative ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  }
  // The other coefficient encoding would exceed 34 digits, so it is treated as zero.
  const large = combination >= 24;
  const coefficient = large ? 0n : bits & ((1n << COEFFICIENT_BITS) - 1n);
  const exponent = Number((bits >> (large ? 111n : COEFFICIENT_BITS)) & 0x3fffn) - BIAS;
  if (exponent === 0) {
    return integerOf(negative ? -coefficient : coefficient);
  }
  return decimalOf(`${negative ? "-" : ""}${coefficient}`, exponent, DIGITS_MAX);
};

/** @returns the bytes of a decimal or an integer; undefined when it has too many digits or too large an exponent */
export const toDecimal128 = (number: Exact | bigint): Buffer | undefined => {
  const { integer, exponent: power } = scaled(typeof number === "bigint" ? String(number) : number.text);
  const exponent = power + BIAS;
  const digits = integer.replace("-", "").replace(/^0+(?=\d)/, "");
  if (digits.length > DIGITS_MAX || exponent < 0 || exponent > 2 * BIAS - 65) {
    return undefined;
  }
  const sign = integer.startsWith("-") ? 1n << 127n : 0n;
  const bits = sign | (BigInt(exponent) << COEFFICIENT_BITS) | BigInt(digits);
  const bytes = Buffer.alloc(16);
  bytes.writeBigUInt64LE(BigInt.asUintN(64, bits), 0);
  bytes.writeBigUInt64LE(bits >> 64n, 8);
  return bytes;
};
