import type { Target } from "../codec.ts";
import { millisecondsOf } from "../moments.ts";
import { nearest } from "../numbers.ts";
import { type Exact, isBytes, isList, isMap, type Tree } from "../tree.ts";
import { type ByteWriter, byteWriter } from "./bytes.ts";
import { toDecimal128 } from "./decimal128.ts";

/** @returns the tree as BSON: a document; a list of objects as concatenated documents, as mongorestore expects them */
export const writeBson = (tree: Tree, target: Target): Uint8Array => {
  const writer: Writer = { bytes: byteWriter(), target };
  if (isList(tree) && tree.length > 0 && tree.every(isMap)) {
    for (const member of tree) {
      members(writer, member);
    }
    return writer.bytes.done();
  }
  if (!isMap(tree)) {
    target.notes.add("root_wrapped");
  }
  members(writer, isMap(tree) ? tree : new Map([[isList(tree) ? "items" : "value", tree]]));
  return writer.bytes.done();
};

interface Writer {
  readonly bytes: ByteWriter;
  readonly target: Target;
}

/** A value with its key: the type byte, and the function that writes it. */
type Typed = readonly [type: number, write: () => void];

const members = (writer: Writer, entries: Iterable<readonly [string | number, Tree]>): void => {
  const { bytes, target } = writer;
  const start = bytes.room(4);
  for (const [key, tree] of entries) {
    const [type, write] = typed(writer, tree);
    const name = String(key).replaceAll("\0", "_");
    target.notes.add("names_changed", name === String(key) ? 0 : 1);
    bytes.byte(type);
    bytes.bytes(Buffer.from(`${name}\0`));
    write();
  }
  bytes.byte(0);
  bytes.setInt32(bytes.room(0) - start, start);
};

const typed = (writer: Writer, tree: Tree): Typed => {
  const { bytes } = writer;
  if (isMap(tree)) {
    return [3, () => members(writer, tree)];
  }
  if (isList(tree)) {
    return [4, () => members(writer, tree.entries())];
  }
  if (typeof tree === "string") {
    return text(writer, tree);
  }
  if (isBytes(tree)) {
    return [
      5,
      () => {
        int32(bytes, tree.length);
        bytes.byte(0);
        bytes.bytes(tree);
      },
    ];
  }
  if (tree === null || typeof tree === "boolean") {
    return tree === null ? [10, () => {}] : [8, () => bytes.byte(tree ? 1 : 0)];
  }
  return typeof tree === "bigint" || (typeof tree === "number" && Number.isSafeInteger(tree))
    ? integer(writer, tree)
    : number(writer, tree);
};

const text = ({ bytes }: Writer, content: string): Typed => [
  2,
  () => {
    const utf8 = Buffer.from(`${content}\0`);
    int32(bytes, utf8.length);
    bytes.bytes(utf8);
  },
];

const foreign = (writer: Writer, content: string): Typed => {
  writer.target.notes.add("types_as_text");
  return text(writer, content);
};

const int32 = (bytes: ByteWriter, value: number): void => bytes.add(4, (view, at) => view.writeInt32LE(value, at));

const int64 = (bytes: ByteWriter, value: bigint): void => bytes.add(8, (view, at) => view.writeBigInt64LE(value, at));

const integer = (writer: Writer, value: number | bigint): Typed => {
  if (value >= -(2 ** 31) && value < 2 ** 31) {
    return [16, () => int32(writer.bytes, Number(value))];
  }
  const big = BigInt(value);
  if (BigInt.asIntN(64, big) === big) {
    return [18, () => int64(writer.bytes, big)];
  }
  const decimal = toDecimal128(big);
  return decimal === undefined ? foreign(writer, String(big)) : [19, () => writer.bytes.bytes(decimal)];
};

const double = (bytes: ByteWriter, value: number): Typed => [
  1,
  () => bytes.add(8, (view, at) => view.writeDoubleLE(value, at)),
];

const number = (writer: Writer, tree: number | Exact): Typed => {
  if (typeof tree === "number") {
    return double(writer.bytes, tree);
  }
  return tree.kind === "decimal" ? decimal(writer, tree) : moment(writer, tree);
};

/** A double if it is the same number, otherwise a decimal of 34 digits, otherwise the nearest double. */
const decimal = (writer: Writer, tree: Exact): Typed => {
  const { bytes, target } = writer;
  const near = nearest(tree);
  if (near !== undefined && !near.rounded) {
    return double(bytes, near.value);
  }
  const exact = toDecimal128(tree);
  if (exact !== undefined) {
    return [19, () => bytes.bytes(exact)];
  }
  if (near === undefined) {
    return foreign(writer, tree.text);
  }
  target.notes.add("numbers_rounded");
  return double(bytes, near.value);
};

const moment = (writer: Writer, tree: Exact): Typed => {
  const milliseconds = tree.kind === "instant" ? millisecondsOf(tree) : undefined;
  if (milliseconds === undefined) {
    return foreign(writer, tree.text);
  }
  writer.target.notes.add("times_rounded", /\.\d{3}\d*[1-9]/.test(tree.text) ? 1 : 0);
  return [9, () => int64(writer.bytes, BigInt(milliseconds))];
};
