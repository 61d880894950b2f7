import { corrupt, type Source } from "../codec.ts";
import { instantOf } from "../moments.ts";
import { doubleOf, integerOf } from "../numbers.ts";
import { keyOf, newMap, type Tree } from "../tree.ts";

/** Binary property lists, as described in CoreFoundation's CFBinaryPList.c. */

export const isBinaryPlist = (bytes: Buffer): boolean => bytes.toString("latin1", 0, 6) === "bplist";

const TRAILER_BYTES = 32;
/** Seconds from 1970 to 2001, the epoch of its dates. */
const EPOCH_SECONDS = 978_307_200;

interface Reader {
  readonly bytes: Buffer;
  readonly source: Source;
  readonly offsetBytes: number;
  readonly referenceBytes: number;
  readonly objects: number;
  readonly table: number;
}

/** @returns the value of the bytes */
export const readBinaryPlist = (bytes: Buffer, source: Source): Tree => {
  if (bytes.length < 8 + TRAILER_BYTES) {
    throw corrupt("The binary property list is truncated.");
  }
  const trailer = bytes.length - TRAILER_BYTES;
  const reader: Reader = {
    bytes,
    source,
    offsetBytes: bytes.readUInt8(trailer + 6),
    referenceBytes: bytes.readUInt8(trailer + 7),
    objects: Number(bytes.readBigUInt64BE(trailer + 8)),
    table: Number(bytes.readBigUInt64BE(trailer + 24)),
  };
  return object(reader, Number(bytes.readBigUInt64BE(trailer + 16)), 0);
};

/** @returns an unsigned integer of this many bytes */
const unsigned = ({ bytes }: Reader, at: number, length: number): number => {
  if (at < 0 || at + length > bytes.length || length < 1 || length > 8) {
    throw corrupt("The binary property list has an offset beyond its end.");
  }
  return length <= 6 ? bytes.readUIntBE(at, length) : Number(bytes.readBigUInt64BE(at + length - 8));
};

const object = (reader: Reader, index: number, depth: number): Tree => {
  const { source, table, offsetBytes, objects } = reader;
  source.budget.depth(depth);
  source.budget.spend(1, 0);
  if (index >= objects) {
    throw corrupt("The binary property list refers to a missing value.");
  }
  const at = unsigned(reader, table + index * offsetBytes, offsetBytes);
  const mark = unsigned(reader, at, 1);
  const kind = KINDS[mark >> 4];
  if (kind === undefined) {
    throw corrupt(`The binary property list has a value of an unknown type (${mark}).`);
  }
  return kind(reader, { at: at + 1, low: mark & 15, depth });
};

interface Placed {
  readonly at: number;
  /** The lower half of the first byte: a length, or a type-specific value. */
  readonly low: number;
  readonly depth: number;
}

/** @returns the number of items and their offset; 15 means that a separate integer has the number */
const counted = (
  reader: Reader,
  { at, low }: Placed,
  itemBytes: number,
): { readonly count: number; readonly start: number } => {
  const length = low === 15 ? 2 ** (unsigned(reader, at, 1) & 15) : 0;
  const count = low === 15 ? unsigned(reader, at + 1, length) : low;
  const start = at + (low === 15 ? 1 + length : 0);
  if (start + count * itemBytes > reader.bytes.length) {
    throw corrupt("The binary property list is truncated in a value.");
  }
  return { count, start };
};

const text = (reader: Reader, placed: Placed, itemBytes: 1 | 2): string => {
  const { count, start } = counted(reader, placed, itemBytes);
  reader.source.budget.spend(0, count);
  const part = Buffer.from(reader.bytes.subarray(start, start + count * itemBytes));
  return itemBytes === 1 ? part.toString("latin1") : part.swap16().toString("utf16le");
};

const list = (reader: Reader, placed: Placed): Tree => {
  const { count, start } = counted(reader, placed, reader.referenceBytes);
  return Array.from({ length: count }, (_, index) => reference(reader, start + index * reader.referenceBytes, placed));
};

const reference = (reader: Reader, at: number, { depth }: Placed): Tree =>
  object(reader, unsigned(reader, at, reader.referenceBytes), depth + 1);

const KINDS: readonly (((reader: Reader, placed: Placed) => Tree) | undefined)[] = [
  (_, { low }) => (low === 8 ? false : low === 9 ? true : null),
  (reader, { at, low }) => integer(reader, at, 2 ** low),
  (reader, { at, low }) => real(reader, at, 2 ** low),
  (reader, { at }) => {
    const seconds = real(reader, at, 8, (value) => value);
    return instantOf(Math.round((Number(seconds) + EPOCH_SECONDS) * 1_000)) ?? null;
  },
  (reader, placed) => {
    const { count, start } = counted(reader, placed, 1);
    reader.source.budget.spend(0, count);
    return reader.bytes.subarray(start, start + count);
  },
  (reader, placed) => text(reader, placed, 1),
  (reader, placed) => text(reader, placed, 2),
  undefined,
  // A reference of a keyed archive, as Apple's tools write it in XML.
  (reader, { at, low }) => new Map([["CF$UID", unsigned(reader, at, low + 1)]]),
  undefined,
  list,
  list,
  list,
  (reader, placed) => {
    const { count, start } = counted(reader, placed, 2 * reader.referenceBytes);
    const { map, add } = newMap(reader.source.notes);
    for (let index = 0; index < count; index += 1) {
      const key = reference(reader, start + index * reader.referenceBytes, placed);
      add(keyOf(key, reader.source.notes), reference(reader, start + (count + index) * reader.referenceBytes, placed));
    }
    return map;
  },
];

/** Eight-byte integers are signed, shorter ones unsigned; of sixteen bytes only the lower half is used. */
const integer = (reader: Reader, at: number, length: number): Tree => {
  if (length < 8) {
    return unsigned(reader, at, length);
  }
  unsigned(reader, at + length - 8, 8);
  return integerOf(length === 8 ? reader.bytes.readBigInt64BE(at) : reader.bytes.readBigUInt64BE(at + length - 8));
};

const real = (reader: Reader, at: number, length: number, wrap: (value: number) => Tree = doubleOf): Tree => {
  if (length !== 4 && length !== 8) {
    throw corrupt(`The binary property list has a real number with an invalid size (${length} bytes).`);
  }
  unsigned(reader, at, length);
  return wrap(length === 4 ? reader.bytes.readFloatBE(at) : reader.bytes.readDoubleBE(at));
};
