import type { Target } from "../codec.ts";
import { millisecondsOf } from "../moments.ts";
import { nearest } from "../numbers.ts";
import type { Exact, Tree } from "../tree.ts";
import type { ByteWriter } from "./bytes.ts";
import { type Form, type Writer, writeAsText, writeDouble, writeValues } from "./write-values.ts";

/** @returns the tree as MessagePack, each value in its shortest form */
export const writeMsgpack = (tree: Tree, target: Target): Uint8Array => writeValues(tree, target, FORM);

/**
 * The byte of the short form and its maximum length, then the bytes of the forms with one, two and four length bytes.
 */
const HEADS = {
  map: [0x80, 15, undefined, 0xde, 0xdf],
  list: [0x90, 15, undefined, 0xdc, 0xdd],
  text: [0xa0, 31, 0xd9, 0xda, 0xdb],
  bytes: [0, -1, 0xc4, 0xc5, 0xc6],
} as const;

const head: Form["head"] = (bytes, kind, length) => {
  const [base, baseMax, one, two, four] = HEADS[kind];
  if (length <= baseMax) {
    bytes.byte(base + length);
    return;
  }
  const size = one !== undefined && length < 0x100 ? 1 : length < 0x1_0000 ? 2 : 4;
  marked(bytes, size === 1 ? (one ?? two) : size === 2 ? two : four, { value: length, size });
};

const marked = (bytes: ByteWriter, mark: number, { value, size }: { value: number; size: number }): void => {
  bytes.byte(mark);
  bytes.add(size, (view, at) => view.writeUIntBE(value, at, size));
};

/** Sizes of integers in bytes, with the type bytes for unsigned and signed. */
const INTEGERS = [
  [1, 0xcc, 0xd0],
  [2, 0xcd, 0xd1],
  [4, 0xce, 0xd2],
] as const;

const integer: Form["integer"] = (writer, number) => {
  const { bytes } = writer;
  if (number >= -32 && number < 128) {
    bytes.byte(Number(number) & 0xff);
    return;
  }
  const positive = number >= 0;
  const fitting = INTEGERS.find(([size]) => (positive ? number < 2 ** (8 * size) : number >= -(2 ** (8 * size - 1))));
  if (fitting !== undefined) {
    const [size, unsigned, signed] = fitting;
    marked(bytes, positive ? unsigned : signed, { value: Number(number) + (positive ? 0 : 2 ** (8 * size)), size });
  } else if (number >= -(2n ** 63n) && number < 2n ** 64n) {
    bytes.byte(positive ? 0xcf : 0xd3);
    bytes.add(8, (view, at) => view.writeBigUInt64BE(BigInt.asUintN(64, BigInt(number)), at));
  } else {
    writeAsText(writer, String(number));
  }
};

const exact = (writer: Writer, value: Exact): void => {
  const near = value.kind === "decimal" ? nearest(value) : undefined;
  const milliseconds = value.kind === "instant" ? millisecondsOf(value) : undefined;
  if (near !== undefined) {
    writer.target.notes.add("numbers_rounded", near.rounded ? 1 : 0);
    writeDouble(writer, near.value);
  } else if (milliseconds !== undefined) {
    instant(writer.bytes, value, Math.floor(milliseconds / 1_000));
  } else {
    writeAsText(writer, value.text);
  }
};

/** A 12-byte timestamp holds all seconds and nanoseconds; the shorter forms save nothing significant. */
const instant = (bytes: ByteWriter, { text }: Exact, seconds: number): void => {
  const fraction = /\.(\d{1,9})/.exec(text)?.[1] ?? "";
  bytes.bytes(Uint8Array.of(0xc7, 12, 0xff));
  bytes.add(4, (view, at) => view.writeUInt32BE(Number(fraction.padEnd(9, "0")), at));
  bytes.add(8, (view, at) => view.writeBigInt64BE(BigInt(seconds), at));
};

const FORM: Form = { head, integer, exact, marks: { null: 0xc0, true: 0xc3, false: 0xc2, double: 0xcb } };
