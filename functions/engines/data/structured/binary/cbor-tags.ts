import { corrupt } from "../codec.ts";
import { instantOf, momentOf } from "../moments.ts";
import type { Notes } from "../notes.ts";
import { decimalOf, integerOf } from "../numbers.ts";
import { isBytes, isExact, isList, type Tree } from "../tree.ts";

/** The tags with a counterpart in a tree (RFC 8949, 3.4; RFC 8943 for days). */
const TAGS: Readonly<Record<string, (value: Tree) => Tree | undefined>> = {
  0: (value) => (typeof value === "string" ? momentOf(value) : undefined),
  1: (value) => (isNumber(value) ? instantOf(Math.round(numberOf(value) * 1_000)) : undefined),
  2: (value) => (isBytes(value) ? integerOf(bigOf(value)) : undefined),
  3: (value) => (isBytes(value) ? integerOf(-1n - bigOf(value)) : undefined),
  4: (value) => (isList(value) ? fractionOf(value) : undefined),
  100: (value) => (typeof value === "number" ? dayOf(value) : undefined),
  1004: (value) => (typeof value === "string" ? momentOf(value) : undefined),
  // Self-described CBOR.
  55799: (value) => value,
};

/** @returns the meaning of a tagged value. With an unknown tag, the value is unchanged and a note is added */
export const taggedValue = (tag: bigint, value: Tree, notes: Notes): Tree => {
  const known = Object.hasOwn(TAGS, String(tag)) ? TAGS[String(tag)] : undefined;
  if (known === undefined) {
    notes.add("tags_dropped");
    return value;
  }
  const meant = known(value);
  if (meant === undefined) {
    throw corrupt(`The CBOR file has a value that does not match its tag ${tag}.`);
  }
  return meant;
};

const isNumber = (value: Tree): boolean => typeof value === "number" || (isExact(value) && value.kind === "decimal");

const numberOf = (value: Tree): number => Number(isExact(value) ? value.text : value);

/** Maximum bytes of an integer. The time of BigInt grows with the square of the digits. */
const BIG_BYTES_MAX = 1_000;

const bigOf = (bytes: Uint8Array): bigint => {
  if (bytes.length > BIG_BYTES_MAX) {
    throw corrupt(`The CBOR file has an integer of ${bytes.length} bytes; the maximum is ${BIG_BYTES_MAX}.`);
  }
  return BigInt(`0x0${Buffer.from(bytes).toString("hex")}`);
};

/** In CBOR, a double is not an integer, even without a fraction. */
const isInteger = (value: Tree | undefined): value is number | bigint =>
  typeof value === "bigint" || (typeof value === "number" && Number.isSafeInteger(value));

/** @returns the value of a decimal fraction: a power of ten and an integer (RFC 8949, 3.4.4) */
const fractionOf = ([exponent, mantissa, ...more]: readonly Tree[]): Tree | undefined =>
  isInteger(exponent) && typeof exponent === "number" && isInteger(mantissa) && more.length === 0
    ? decimalOf(String(mantissa), exponent, BIG_BYTES_MAX)
    : undefined;

const dayOf = (days: number): Tree | undefined => {
  const instant = instantOf(days * 86_400_000);
  return instant && { kind: "date", text: instant.text.slice(0, 10) };
};
