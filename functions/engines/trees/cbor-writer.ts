import { type ByteWriter, byteWriter } from "./bytes.ts";
import type { Target } from "./codec.ts";
import { nearest } from "./numbers.ts";
import { type Exact, isBytes, isExact, isList, isMap, type Tree } from "./tree.ts";

/** @returns the tree as CBOR, lengths stated and each head in its shortest form (RFC 8949, 4.2.1) */
export const writeCbor = (tree: Tree, target: Target): Uint8Array => {
  const bytes = byteWriter();
  value({ bytes, target }, tree);
  return bytes.done();
};

interface Writer {
  readonly bytes: ByteWriter;
  readonly target: Target;
}

/** Major types (RFC 8949, 3.1). */
const UNSIGNED = 0;
const NEGATIVE = 1;
const BYTES = 2;
const TEXT = 3;
const LIST = 4;
const MAP = 5;
const TAG = 6;

const value = (writer: Writer, tree: Tree): void => {
  const { bytes } = writer;
  if (isMap(tree)) {
    head(bytes, MAP, tree.size);
    for (const [key, member] of tree) {
      text(bytes, key);
      value(writer, member);
    }
  } else if (isList(tree)) {
    head(bytes, LIST, tree.length);
    for (const member of tree) {
      value(writer, member);
    }
  } else if (typeof tree === "string") {
    text(bytes, tree);
  } else if (isBytes(tree)) {
    head(bytes, BYTES, tree.length);
    bytes.bytes(tree);
  } else if (isExact(tree)) {
    exact(writer, tree);
  } else {
    simple(bytes, tree);
  }
};

const head = (bytes: ByteWriter, major: number, argument: number | bigint): void => {
  if (argument < 24) {
    bytes.byte((major << 5) | Number(argument));
    return;
  }
  const power = [0, 1, 2].find((width) => argument < 2 ** (8 * 2 ** width)) ?? 3;
  bytes.byte((major << 5) | (24 + power));
  const at = bytes.room(2 ** power);
  if (power === 3) {
    bytes.view().writeBigUInt64BE(BigInt(argument), at);
  } else {
    bytes.view().writeUIntBE(Number(argument), at, 2 ** power);
  }
};

const text = (bytes: ByteWriter, content: string): void => {
  const length = Buffer.byteLength(content);
  head(bytes, TEXT, length);
  const at = bytes.room(length);
  bytes.view().write(content, at);
};

const simple = (bytes: ByteWriter, tree: null | boolean | number | bigint): void => {
  if (tree === null || typeof tree === "boolean") {
    bytes.byte(tree === null ? 0xf6 : tree ? 0xf5 : 0xf4);
  } else if (typeof tree === "bigint" || Number.isSafeInteger(tree)) {
    integer(bytes, tree);
  } else {
    double(bytes, tree);
  }
};

const double = (bytes: ByteWriter, number: number): void => {
  bytes.byte(0xfb);
  const at = bytes.room(8);
  bytes.view().writeDoubleBE(number, at);
};

const integer = (bytes: ByteWriter, number: number | bigint): void => {
  const size = number < 0 ? -1n - BigInt(number) : BigInt(number);
  if (size < 2n ** 64n) {
    head(bytes, number < 0 ? NEGATIVE : UNSIGNED, number < 0 ? size : number);
    return;
  }
  head(bytes, TAG, number < 0 ? 3 : 2);
  const digits = size.toString(16);
  const big = Buffer.from(digits.length % 2 === 0 ? digits : `0${digits}`, "hex");
  head(bytes, BYTES, big.length);
  bytes.bytes(big);
};

const exact = ({ bytes, target }: Writer, tree: Exact): void => {
  if (tree.kind === "decimal") {
    decimal(bytes, tree);
  } else if (tree.kind === "instant" || tree.kind === "date") {
    head(bytes, TAG, tree.kind === "instant" ? 0 : 1_004);
    text(bytes, tree.text);
  } else {
    target.notes.add("types_as_text");
    text(bytes, tree.text);
  }
};

/** A double where that is the same number, else a power of ten and an integer. */
const decimal = (bytes: ByteWriter, tree: Exact): void => {
  const near = nearest(tree);
  if (near !== undefined && !near.rounded) {
    double(bytes, near.value);
    return;
  }
  const [, sign = "", whole = "", fraction = "", power = "0"] =
    /^(-?)(\d+)\.?(\d*)(?:e([+-]?\d+))?$/i.exec(tree.text) ?? [];
  head(bytes, TAG, 4);
  head(bytes, LIST, 2);
  integer(bytes, Number(power) - fraction.length);
  integer(bytes, BigInt(`${sign}${whole}${fraction}`));
};
