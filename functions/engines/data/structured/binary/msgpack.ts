import { type Codec, corrupt } from "../codec.ts";
import { instantOf } from "../moments.ts";
import { doubleOf, integerOf } from "../numbers.ts";
import type { Tree } from "../tree.ts";
import { writeMsgpack } from "./msgpack-writer.ts";
import { type Read, type Reader, readBytes, readList, readMap, readText, readValues } from "./read-values.ts";

/** MessagePack (github.com/msgpack/msgpack, spec.md). Several values in sequence become a list. */
export const msgpackCodec: Codec = {
  read: (source) => readValues(source, "MessagePack", value),
  write: writeMsgpack,
};

const value: Read = (reader, depth) => {
  const { bytes } = reader;
  const mark = bytes.view[bytes.skip(1)] ?? 0;
  if (mark < 0x80 || mark >= 0xe0) {
    return mark < 0x80 ? mark : mark - 0x100;
  }
  if (mark < 0xa0) {
    return (mark < 0x90 ? map : list)(reader, mark & 15, depth);
  }
  if (mark < 0xc0) {
    return readText(reader, mark & 31);
  }
  const read = MARKS[mark - 0xc0];
  if (read === undefined) {
    throw corrupt(`The MessagePack file has an invalid type byte (0x${mark.toString(16)}).`);
  }
  return read(reader, depth);
};

const unsigned = ({ bytes }: Reader, size: number): number => bytes.view.readUIntBE(bytes.skip(size), size);

const signed = ({ bytes }: Reader, size: number): number => bytes.view.readIntBE(bytes.skip(size), size);

const list = (reader: Reader, count: number, depth: number): Tree => readList(reader, depth, (done) => done < count);

const map = (reader: Reader, count: number, depth: number): Tree => readMap(reader, depth, (done) => done < count);

const TIMESTAMP = -1;

/** An extension value: a timestamp, or bytes with an application-specific meaning. */
const extension = (reader: Reader, length: number): Tree => {
  const type = signed(reader, 1);
  const bytes = reader.bytes.take(length);
  const time = type === TIMESTAMP ? instant(bytes) : undefined;
  if (time === undefined) {
    reader.source.notes.add("tags_dropped");
  }
  return time ?? bytes;
};

const instant = (bytes: Buffer): Tree | undefined => {
  if (bytes.length === 4) {
    return instantOf(bytes.readUInt32BE(0) * 1_000);
  }
  if (bytes.length === 8) {
    const both = bytes.readBigUInt64BE(0);
    return withNanoseconds(Number(both & 0x3_ffff_ffffn), Number(both >> 34n));
  }
  return bytes.length === 12 ? withNanoseconds(Number(bytes.readBigInt64BE(4)), bytes.readUInt32BE(0)) : undefined;
};

/** The field can hold more than the nanoseconds of a second. */
const NANOSECONDS_MAX = 999_999_999;

const withNanoseconds = (seconds: number, nanoseconds: number): Tree | undefined => {
  if (nanoseconds > NANOSECONDS_MAX) {
    return undefined;
  }
  const instant = instantOf(seconds * 1_000);
  const fraction = String(nanoseconds).padStart(9, "0").replace(/0+$/, "");
  return instant && fraction !== "" ? { ...instant, text: instant.text.replace("Z", `.${fraction}Z`) } : instant;
};

/** @returns a reader for each possible size in bytes of the number after the type byte */
const sized = (sizes: readonly number[], read: (reader: Reader, length: number, depth: number) => Tree): Read[] =>
  sizes.map((size) => (reader, depth) => read(reader, unsigned(reader, size), depth));

/** The meaning of the type bytes from 0xc0 to 0xdf. */
const MARKS: readonly (Read | undefined)[] = [
  () => null,
  undefined,
  () => false,
  () => true,
  ...sized([1, 2, 4], readBytes),
  ...sized([1, 2, 4], extension),
  ({ bytes }) => doubleOf(bytes.view.readFloatBE(bytes.skip(4))),
  ({ bytes }) => doubleOf(bytes.view.readDoubleBE(bytes.skip(8))),
  ...sized([1, 2, 4], (_, number) => number),
  ({ bytes }) => integerOf(bytes.view.readBigUInt64BE(bytes.skip(8))),
  ...[1, 2, 4].map(
    (size): Read =>
      (reader) =>
        signed(reader, size),
  ),
  ({ bytes }) => integerOf(bytes.view.readBigInt64BE(bytes.skip(8))),
  ...[1, 2, 4, 8, 16].map(
    (length): Read =>
      (reader) =>
        extension(reader, length),
  ),
  ...sized([1, 2, 4], readText),
  ...sized([2, 4], list),
  ...sized([2, 4], map),
];
