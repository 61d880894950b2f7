import { type ByteWriter, byteWriter } from "./bytes.ts";
import type { Target } from "./codec.ts";
import { millisecondsOf } from "./moments.ts";
import { nearest } from "./numbers.ts";
import { type Exact, isBytes, isList, isMap, type Tree, textOf } from "./tree.ts";

/** @returns the tree as MessagePack, each value in its shortest form */
export const writeMsgpack = (tree: Tree, target: Target): Uint8Array => {
  const bytes = byteWriter();
  value({ bytes, target }, tree);
  return bytes.done();
};

interface Writer {
  readonly bytes: ByteWriter;
  readonly target: Target;
}

const value = (writer: Writer, tree: Tree): void => {
  const { bytes } = writer;
  if (isMap(tree)) {
    head(bytes, tree.size, [0x80, 15, undefined, 0xde, 0xdf]);
    for (const [key, member] of tree) {
      text(bytes, key);
      value(writer, member);
    }
  } else if (isList(tree)) {
    head(bytes, tree.length, [0x90, 15, undefined, 0xdc, 0xdd]);
    for (const member of tree) {
      value(writer, member);
    }
  } else if (typeof tree === "string") {
    text(bytes, tree);
  } else if (isBytes(tree)) {
    head(bytes, tree.length, [0, -1, 0xc4, 0xc5, 0xc6]);
    bytes.bytes(tree);
  } else {
    simple(writer, tree);
  }
};

/** Writes a length: in the mark itself up to a number, else in one, two or four bytes behind a mark of their own. */
const head = (
  bytes: ByteWriter,
  length: number,
  [base, baseMax, one, two, four]: readonly [number, number, number | undefined, number, number],
): void => {
  if (length <= baseMax) {
    bytes.byte(base + length);
  } else if (one !== undefined && length < 0x100) {
    bytes.byte(one);
    bytes.byte(length);
  } else {
    const size = length < 0x1_0000 ? 2 : 4;
    bytes.byte(size === 2 ? two : four);
    const at = bytes.room(size);
    bytes.view().writeUIntBE(length, at, size);
  }
};

const text = (bytes: ByteWriter, content: string): void => {
  const length = Buffer.byteLength(content);
  head(bytes, length, [0xa0, 31, 0xd9, 0xda, 0xdb]);
  const at = bytes.room(length);
  bytes.view().write(content, at);
};

const simple = (writer: Writer, tree: null | boolean | number | bigint | Exact): void => {
  const { bytes, target } = writer;
  if (tree === null || typeof tree === "boolean") {
    bytes.byte(tree === null ? 0xc0 : tree ? 0xc3 : 0xc2);
  } else if (typeof tree === "bigint" || (typeof tree === "number" && Number.isSafeInteger(tree))) {
    integer(writer, tree);
  } else if (typeof tree === "number") {
    double(bytes, tree);
  } else if (tree.kind === "decimal" && nearest(tree) !== undefined) {
    const { value: number = 0, rounded = false } = nearest(tree) ?? {};
    target.notes.add("numbers_rounded", rounded ? 1 : 0);
    double(bytes, number);
  } else if (tree.kind === "instant" && millisecondsOf(tree) !== undefined) {
    instant(bytes, tree);
  } else {
    target.notes.add("types_as_text");
    text(bytes, textOf(tree));
  }
};

const double = (bytes: ByteWriter, number: number): void => {
  bytes.byte(0xcb);
  const at = bytes.room(8);
  bytes.view().writeDoubleBE(number, at);
};

/** The marks of integers by how many bytes they take. */
const UNSIGNED = new Map([
  [1, 0xcc],
  [2, 0xcd],
  [4, 0xce],
]);
const SIGNED = new Map([
  [1, 0xd0],
  [2, 0xd1],
  [4, 0xd2],
]);

const integer = ({ bytes, target }: Writer, number: number | bigint): void => {
  const size = [1, 2, 4].find((width) => (number >= 0 ? number < 2 ** (8 * width) : number >= -(2 ** (8 * width - 1))));
  if (number >= -32 && number < 128) {
    bytes.byte(Number(number) & 0xff);
  } else if (size !== undefined) {
    bytes.byte((number >= 0 ? UNSIGNED : SIGNED).get(size) ?? 0);
    const at = bytes.room(size);
    bytes.view().writeUIntBE(number >= 0 ? Number(number) : Number(number) + 2 ** (8 * size), at, size);
  } else if (number >= -(2n ** 63n) && number < 2n ** 64n) {
    bytes.byte(number >= 0 ? 0xcf : 0xd3);
    const at = bytes.room(8);
    bytes.view().writeBigUInt64BE(BigInt.asUintN(64, BigInt(number)), at);
  } else {
    target.notes.add("types_as_text");
    text(bytes, String(number));
  }
};

/** A time of 12 bytes holds all seconds and nanoseconds; the shorter forms save nothing that matters. */
const instant = (bytes: ByteWriter, moment: Exact): void => {
  const seconds = Math.floor((millisecondsOf(moment) ?? 0) / 1_000);
  const fraction = /\.(\d{1,9})/.exec(moment.text)?.[1] ?? "";
  bytes.bytes(Uint8Array.of(0xc7, 12, 0xff));
  const at = bytes.room(12);
  bytes.view().writeUInt32BE(Number(fraction.padEnd(9, "0")), at);
  bytes.view().writeBigInt64BE(BigInt(seconds), at + 4);
};
