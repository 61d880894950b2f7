import type { Target } from "../codec.ts";
import { nearest, scaled } from "../numbers.ts";
import type { Exact, Tree } from "../tree.ts";
import type { ByteWriter } from "./bytes.ts";
import { type Form, type Writer, writeAsText, writeDouble, writeText, writeValues } from "./write-values.ts";

/** @returns the tree as CBOR, with definite lengths and heads in their shortest form (RFC 8949, 4.2.1) */
export const writeCbor = (tree: Tree, target: Target): Uint8Array => writeValues(tree, target, FORM);

/** Major types (RFC 8949, 3.1). */
const MAJORS = { unsigned: 0, negative: 1, bytes: 2, text: 3, list: 4, map: 5, tag: 6 } as const;

const head = (bytes: ByteWriter, kind: keyof typeof MAJORS, argument: number | bigint): void => {
  const major = MAJORS[kind] << 5;
  if (argument < 24) {
    bytes.byte(major | Number(argument));
    return;
  }
  const power = [0, 1, 2].find((width) => argument < 2 ** (8 * 2 ** width)) ?? 3;
  bytes.byte(major | (24 + power));
  bytes.add(2 ** power, (view, at) =>
    power === 3 ? view.writeBigUInt64BE(BigInt(argument), at) : view.writeUIntBE(Number(argument), at, 2 ** power),
  );
};

const integer = ({ bytes }: Writer, number: number | bigint): void => {
  const size = number < 0 ? -1n - BigInt(number) : BigInt(number);
  if (size < 2n ** 64n) {
    head(bytes, number < 0 ? "negative" : "unsigned", number < 0 ? size : number);
    return;
  }
  head(bytes, "tag", number < 0 ? 3 : 2);
  const digits = size.toString(16);
  const big = Buffer.from(digits.length % 2 === 0 ? digits : `0${digits}`, "hex");
  head(bytes, "bytes", big.length);
  bytes.bytes(big);
};

const exact = (writer: Writer, value: Exact): void => {
  if (value.kind === "decimal") {
    decimal(writer, value);
  } else if (value.kind === "instant" || value.kind === "date") {
    head(writer.bytes, "tag", value.kind === "instant" ? 0 : 1_004);
    writeText(writer, value.text);
  } else {
    writeAsText(writer, value.text);
  }
};

/** A double if it is the same number, otherwise a power of ten and an integer. */
const decimal = (writer: Writer, value: Exact): void => {
  const near = nearest(value);
  if (near !== undefined && !near.rounded) {
    writeDouble(writer, near.value);
    return;
  }
  const { integer: coefficient, exponent } = scaled(value.text);
  head(writer.bytes, "tag", 4);
  head(writer.bytes, "list", 2);
  integer(writer, exponent);
  integer(writer, BigInt(coefficient));
};

const FORM: Form = { head, integer, exact, marks: { null: 0xf6, true: 0xf5, false: 0xf4, double: 0xfb } };
