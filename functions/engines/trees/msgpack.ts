import { type ByteReader, byteReader } from "./bytes.ts";
import { type Codec, corrupt, type Source } from "./codec.ts";
import { instantOf } from "./moments.ts";
import { writeMsgpack } from "./msgpack-writer.ts";
import { doubleOf, integerOf } from "./numbers.ts";
import { keyOf, newMap, type Tree } from "./tree.ts";

/** MessagePack (github.com/msgpack/msgpack, spec.md). Several values one after the other become a list. */
export const msgpackCodec: Codec = {
  read: async (source) => {
    const bytes = byteReader(await source.bytes(), "MessagePack");
    const values: Tree[] = [];
    while (!bytes.ended()) {
      values.push(value({ bytes, source }, 0));
    }
    if (values.length > 1) {
      source.notes.add("documents_as_list", values.length);
      return values;
    }
    const [only] = values;
    if (only === undefined) {
      throw corrupt("The file is empty.");
    }
    return only;
  },
  write: writeMsgpack,
};

interface Reader {
  readonly bytes: ByteReader;
  readonly source: Source;
}

const value = (reader: Reader, depth: number): Tree => {
  const { bytes, source } = reader;
  source.budget.depth(depth);
  source.budget.spend(1, 0);
  const mark = bytes.view[bytes.skip(1)] ?? 0;
  if (mark < 0x80 || mark >= 0xe0) {
    return mark < 0x80 ? mark : mark - 0x100;
  }
  if (mark < 0xa0) {
    return mark < 0x90 ? map(reader, mark & 15, depth) : list(reader, mark & 15, depth);
  }
  if (mark < 0xc0) {
    return text(reader, mark & 31);
  }
  const read = MARKS[mark - 0xc0];
  if (read === undefined) {
    throw corrupt(`The MessagePack has a byte that means nothing (0x${mark.toString(16)}).`);
  }
  return read(reader, depth);
};

const unsigned = ({ bytes }: Reader, length: 1 | 2 | 4): number => bytes.view.readUIntBE(bytes.skip(length), length);

const signed = ({ bytes }: Reader, length: 1 | 2 | 4): number => bytes.view.readIntBE(bytes.skip(length), length);

const text = ({ bytes, source }: Reader, length: number): string => {
  source.budget.spend(0, length);
  return bytes.text(length);
};

const binary = ({ bytes, source }: Reader, length: number): Tree => {
  source.budget.spend(0, length);
  return bytes.take(length);
};

const list = (reader: Reader, count: number, depth: number): Tree => {
  const items: Tree[] = [];
  for (let index = 0; index < count; index += 1) {
    items.push(value(reader, depth + 1));
  }
  return items;
};

const map = (reader: Reader, count: number, depth: number): Tree => {
  const { notes } = reader.source;
  const made = newMap(notes);
  for (let index = 0; index < count; index += 1) {
    const key = value(reader, depth + 1);
    made.add(keyOf(key, notes), value(reader, depth + 1));
  }
  return made.map;
};

const TIMESTAMP = -1;

/** A value of an extension: a time, or bytes whose meaning only their program knows. */
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

/** Those of a second: there is room for more. */
const NANOSECONDS_MAX = 999_999_999;

const withNanoseconds = (seconds: number, nanoseconds: number): Tree | undefined => {
  if (nanoseconds > NANOSECONDS_MAX) {
    return undefined;
  }
  const whole = instantOf(seconds * 1_000);
  const fraction = String(nanoseconds).padStart(9, "0").replace(/0+$/, "");
  return whole && fraction !== "" ? { ...whole, text: whole.text.replace("Z", `.${fraction}Z`) } : whole;
};

const MARKS: readonly (((reader: Reader, depth: number) => Tree) | undefined)[] = [
  () => null,
  undefined,
  () => false,
  () => true,
  (reader) => binary(reader, unsigned(reader, 1)),
  (reader) => binary(reader, unsigned(reader, 2)),
  (reader) => binary(reader, unsigned(reader, 4)),
  (reader) => extension(reader, unsigned(reader, 1)),
  (reader) => extension(reader, unsigned(reader, 2)),
  (reader) => extension(reader, unsigned(reader, 4)),
  ({ bytes }) => doubleOf(bytes.view.readFloatBE(bytes.skip(4))),
  ({ bytes }) => doubleOf(bytes.view.readDoubleBE(bytes.skip(8))),
  (reader) => unsigned(reader, 1),
  (reader) => unsigned(reader, 2),
  (reader) => unsigned(reader, 4),
  ({ bytes }) => integerOf(bytes.view.readBigUInt64BE(bytes.skip(8))),
  (reader) => signed(reader, 1),
  (reader) => signed(reader, 2),
  (reader) => signed(reader, 4),
  ({ bytes }) => integerOf(bytes.view.readBigInt64BE(bytes.skip(8))),
  (reader) => extension(reader, 1),
  (reader) => extension(reader, 2),
  (reader) => extension(reader, 4),
  (reader) => extension(reader, 8),
  (reader) => extension(reader, 16),
  (reader) => text(reader, unsigned(reader, 1)),
  (reader) => text(reader, unsigned(reader, 2)),
  (reader) => text(reader, unsigned(reader, 4)),
  (reader, depth) => list(reader, unsigned(reader, 2), depth),
  (reader, depth) => list(reader, unsigned(reader, 4), depth),
  (reader, depth) => map(reader, unsigned(reader, 2), depth),
  (reader, depth) => map(reader, unsigned(reader, 4), depth),
];
