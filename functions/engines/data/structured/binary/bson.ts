import { type Codec, corrupt, type Source } from "../codec.ts";
import { instantOf } from "../moments.ts";
import { doubleOf, integerOf } from "../numbers.ts";
import { newMap, type Tree } from "../tree.ts";
import { writeBson } from "./bson-writer.ts";
import { type ByteReader, byteReader } from "./bytes.ts";
import { fromDecimal128 } from "./decimal128.ts";

/**
 * BSON (bsonspec.org 1.1): one document, or several concatenated ones, as mongodump writes them, which become a list.
 */
export const bsonCodec: Codec = {
  read: async (source) => {
    const bytes = byteReader(await source.bytes(), "BSON");
    const documents: Tree[] = [];
    while (!bytes.ended()) {
      documents.push(members({ bytes, source }, false, 0));
    }
    const [first] = documents;
    if (first === undefined) {
      throw corrupt("The file is empty.");
    }
    return documents.length === 1 ? first : documents;
  },
  write: writeBson,
};

interface Reader {
  readonly bytes: ByteReader;
  readonly source: Source;
}

/** Reads a document, or a list, which is a document with indexes as keys. */
const members = (reader: Reader, isList: boolean, depth: number): Tree => {
  const { bytes, source } = reader;
  source.budget.depth(depth);
  source.budget.spend(1, 0);
  const start = bytes.at;
  const length = bytes.view.readInt32LE(bytes.skip(4));
  const items: Tree[] = [];
  const { map, add } = newMap(source.notes);
  for (let type = byte(bytes); type !== 0; type = byte(bytes)) {
    const key = cstring(bytes);
    const read = TYPES[type];
    source.budget.spend(1, key.length);
    if (read === undefined) {
      throw corrupt(`The BSON file has a value of an unknown type (${type}).`);
    }
    const value = read(reader, depth + 1);
    if (isList) {
      items.push(value);
    } else {
      add(key, value);
    }
  }
  if (bytes.at - start !== length) {
    throw corrupt(`The BSON file has a document of ${bytes.at - start} bytes that declares ${length}.`);
  }
  return isList ? items : map;
};

const byte = (bytes: ByteReader): number => bytes.view.readUInt8(bytes.skip(1));

const cstring = (bytes: ByteReader): string => {
  const end = bytes.view.indexOf(0, bytes.at);
  if (end === -1) {
    throw corrupt("The BSON file is truncated in a name.");
  }
  const text = bytes.text(end - bytes.at);
  bytes.at += 1;
  return text;
};

const string = ({ bytes, source }: Reader): string => {
  const length = bytes.view.readInt32LE(bytes.skip(4));
  source.budget.spend(0, length);
  const text = bytes.text(length - 1);
  if (byte(bytes) !== 0) {
    throw corrupt("The BSON file has a text without its final zero byte.");
  }
  return text;
};

const binary = ({ bytes, source }: Reader): Tree => {
  const length = bytes.view.readInt32LE(bytes.skip(4));
  const subtype = byte(bytes);
  source.notes.add("tags_dropped", subtype === 0 ? 0 : 1);
  source.budget.spend(0, length);
  // The oldest subtype repeats the length.
  return subtype === 2 ? bytes.take(length).subarray(4) : bytes.take(length);
};

/** @returns a reader of a type that other formats do not have: the value becomes text */
const asText =
  (read: (reader: Reader, depth: number) => string) =>
  (reader: Reader, depth: number): Tree => {
    reader.source.notes.add("types_as_text");
    return read(reader, depth);
  };

const identity = ({ bytes }: Reader): string => bytes.take(12).toString("hex");

const TYPES: Readonly<Record<number, (reader: Reader, depth: number) => Tree>> = {
  1: ({ bytes }) => doubleOf(bytes.view.readDoubleLE(bytes.skip(8))),
  2: string,
  3: (reader, depth) => members(reader, false, depth),
  4: (reader, depth) => members(reader, true, depth),
  5: binary,
  6: () => null,
  7: asText(identity),
  8: ({ bytes }) => byte(bytes) !== 0,
  9: ({ bytes, source }) => {
    const milliseconds = bytes.view.readBigInt64LE(bytes.skip(8));
    const instant = instantOf(Number(milliseconds));
    source.notes.add("types_as_text", instant === undefined ? 1 : 0);
    return instant ?? integerOf(milliseconds);
  },
  10: () => null,
  11: asText(({ bytes }) => `/${cstring(bytes)}/${cstring(bytes)}`),
  12: asText((reader) => `${string(reader)}:${identity(reader)}`),
  13: asText(string),
  14: asText(string),
  15: asText((reader, depth) => {
    reader.bytes.skip(4);
    const code = string(reader);
    members(reader, false, depth);
    return code;
  }),
  16: ({ bytes }) => bytes.view.readInt32LE(bytes.skip(4)),
  17: ({ bytes }) => integerOf(bytes.view.readBigUInt64LE(bytes.skip(8))),
  18: ({ bytes }) => integerOf(bytes.view.readBigInt64LE(bytes.skip(8))),
  19: ({ bytes }) => fromDecimal128(bytes.take(16)),
  127: asText(() => "MaxKey"),
  255: asText(() => "MinKey"),
};
