import { corrupt } from "./codec.ts";
import { instantOf, momentOf } from "./moments.ts";
import type { Notes } from "./notes.ts";
import { integerOf } from "./numbers.ts";
import { isBytes, isExact, isList, type Tree } from "./tree.ts";

/** What the tags mean that have a counterpart in a tree (RFC 8949, 3.4; RFC 8943 for days). */
const TAGS: Readonly<Record<string, (value: Tree) => Tree | undefined>> = {
  0: (value) => (typeof value === "string" ? momentOf(value) : undefined),
  1: (value) => (isNumber(value) ? instantOf(Math.round(numberOf(value) * 1_000)) : undefined),
  2: (value) => (isBytes(value) ? integerOf(bigOf(value)) : undefined),
  3: (value) => (isBytes(value) ? integerOf(-1n - bigOf(value)) : undefined),
  4: (value) => (isList(value) ? decimalOf(value) : undefined),
  100: (value) => (typeof value === "number" ? dayOf(value) : undefined),
  1004: (value) => (typeof value === "string" ? momentOf(value) : undefined),
  // It says only that what follows is CBOR.
  55799: (value) => value,
};

/** @returns what a value with a tag means. One whose tag nobody knows stays as it is, and that is noted */
export const taggedValue = (tag: bigint, value: Tree, notes: Notes): Tree => {
  const known = Object.hasOwn(TAGS, String(tag)) ? TAGS[String(tag)] : undefined;
  if (known === undefined) {
    notes.add("tags_dropped");
    return value;
  }
  const meant = known(value);
  if (meant === undefined) {
    throw corrupt(`The CBOR has a value that its tag ${tag} does not fit.`);
  }
  return meant;
};

const isNumber = (value: Tree): boolean => typeof value === "number" || (isExact(value) && value.kind === "decimal");

const numberOf = (value: Tree): number => Number(isExact(value) ? value.text : value);

/** Digits of a big integer that are still read: 1,000 bytes. BigInt takes time in the square of its digits. */
const BIG_BYTES_MAX = 1_000;

const bigOf = (bytes: Uint8Array): bigint => {
  if (bytes.length > BIG_BYTES_MAX) {
    throw corrupt(`The CBOR has an integer of ${bytes.length} bytes; at most ${BIG_BYTES_MAX} are read.`);
  }
  return BigInt(`0x0${Buffer.from(bytes).toString("hex")}`);
};

/** A double is no integer of CBOR, though it be a whole number. */
const isInteger = (value: Tree | undefined): value is number | bigint =>
  typeof value === "bigint" || (typeof value === "number" && Number.isSafeInteger(value));

/** @returns the number of a power of ten and an integer (RFC 8949, 3.4.4), as JSON writes it */
const decimalOf = ([exponent, mantissa, ...more]: readonly Tree[]): Tree | undefined => {
  if (!isInteger(exponent) || typeof exponent !== "number" || !isInteger(mantissa) || more.length > 0) {
    return undefined;
  }
  if (exponent >= 0 || exponent < -BIG_BYTES_MAX) {
    return { kind: "decimal", text: `${mantissa}e${exponent}` };
  }
  const digits = String(mantissa)
    .replace("-", "")
    .padStart(1 - exponent, "0");
  const sign = mantissa < 0 ? "-" : "";
  return { kind: "decimal", text: `${sign}${digits.slice(0, exponent)}.${digits.slice(exponent)}` };
};

const dayOf = (days: number): Tree | undefined => {
  const instant = instantOf(days * 86_400_000);
  return instant && { kind: "date", text: instant.text.slice(0, 10) };
};
