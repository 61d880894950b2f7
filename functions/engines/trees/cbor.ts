import { type ByteReader, byteReader } from "./bytes.ts";
import { taggedValue } from "./cbor-tags.ts";
import { writeCbor } from "./cbor-writer.ts";
import { type Codec, corrupt, type Source } from "./codec.ts";
import { doubleOf, integerOf } from "./numbers.ts";
import { keyOf, newMap, type Tree } from "./tree.ts";

/** CBOR (RFC 8949). Several values one after the other (RFC 8742) become a list. */
export const cborCodec: Codec = {
  read: async (source) => {
    const bytes = byteReader(await source.bytes(), "CBOR");
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
  write: writeCbor,
};

interface Reader {
  readonly bytes: ByteReader;
  readonly source: Source;
}

/** The first byte of a value: what it is, and its length or its number. */
interface Head {
  readonly major: number;
  readonly low: number;
  /** Undefined: of no stated length, until a break. */
  readonly argument: bigint | undefined;
}

const BREAK = 0xff;
const INDEFINITE = 31;

const head = ({ bytes }: Reader): Head => {
  const mark = bytes.view[bytes.skip(1)] ?? 0;
  const [major, low] = [mark >> 5, mark & 31];
  if (low < 24) {
    return { major, low, argument: BigInt(low) };
  }
  if (low > 27) {
    if (low !== INDEFINITE || [0, 1, 6].includes(major)) {
      throw corrupt(`The CBOR has a byte that means nothing (0x${mark.toString(16)}).`);
    }
    return { major, low, argument: undefined };
  }
  const size = 2 ** (low - 24);
  const at = bytes.skip(size);
  return {
    major,
    low,
    argument: size === 8 ? bytes.view.readBigUInt64BE(at) : BigInt(bytes.view.readUIntBE(at, size)),
  };
};

const value = (reader: Reader, depth: number): Tree => {
  const { budget } = reader.source;
  budget.depth(depth);
  budget.spend(1, 0);
  const first = head(reader);
  return MAJORS[first.major]?.(reader, first, depth) ?? null;
};

/** @returns whether there is one more member, and goes over the break where there is none */
const goesOn = ({ bytes }: Reader, { argument }: Head, done: number): boolean => {
  if (argument !== undefined) {
    return done < argument;
  }
  const ends = bytes.view[bytes.at] === BREAK;
  bytes.at += ends ? 1 : 0;
  return !ends;
};

const chunks = (reader: Reader, first: Head): Buffer => {
  const { bytes, source } = reader;
  if (first.argument !== undefined) {
    const length = Number(first.argument);
    source.budget.spend(0, length);
    return bytes.take(length);
  }
  const parts: Buffer[] = [];
  while (goesOn(reader, first, 0)) {
    const chunk = head(reader);
    if (chunk.major !== first.major || chunk.argument === undefined) {
      throw corrupt("The CBOR has a string in pieces that are not strings.");
    }
    source.budget.spend(1, 0);
    parts.push(chunks(reader, chunk));
  }
  return Buffer.concat(parts);
};

const text = (reader: Reader, first: Head): string => {
  const part = chunks(reader, first);
  return byteReader(part, "CBOR").text(part.length);
};

const list = (reader: Reader, first: Head, depth: number): Tree => {
  const items: Tree[] = [];
  while (goesOn(reader, first, items.length)) {
    items.push(value(reader, depth + 1));
  }
  return items;
};

const map = (reader: Reader, first: Head, depth: number): Tree => {
  const { notes } = reader.source;
  const made = newMap(notes);
  for (let done = 0; goesOn(reader, first, done); done += 1) {
    const key = value(reader, depth + 1);
    made.add(keyOf(key, notes), value(reader, depth + 1));
  }
  return made.map;
};

const SIMPLE: Readonly<Record<number, Tree>> = { 20: false, 21: true, 22: null, 23: null };

/** Floats and simple values. */
const simple = ({ bytes, source }: Reader, { low, argument }: Head): Tree => {
  if (low >= 25 && low <= 27) {
    const size = 2 ** (low - 24);
    const at = bytes.at - size;
    return doubleOf(
      size === 8 ? bytes.view.readDoubleBE(at) : size === 4 ? bytes.view.readFloatBE(at) : half(bytes, at),
    );
  }
  if (argument === undefined) {
    throw corrupt("The CBOR has a break where nothing is open.");
  }
  const known = SIMPLE[Number(argument)];
  if (known === undefined) {
    source.notes.add("tags_dropped");
  }
  return known === undefined ? Number(argument) : known;
};

/** A number of two bytes (RFC 8949, appendix D). */
const half = ({ view }: ByteReader, at: number): number => {
  const bits = view.readUInt16BE(at);
  const [exponent, mantissa] = [(bits >> 10) & 31, bits & 1_023];
  const size = exponent === 0 ? mantissa * 2 ** -24 : (mantissa + 1_024) * 2 ** (exponent - 25);
  const number = exponent < 31 ? size : mantissa === 0 ? Number.POSITIVE_INFINITY : Number.NaN;
  return bits & 0x8000 ? -number : number;
};

const MAJORS: readonly ((reader: Reader, first: Head, depth: number) => Tree)[] = [
  (_, { argument = 0n }) => integerOf(argument),
  (_, { argument = 0n }) => integerOf(-1n - argument),
  chunks,
  text,
  list,
  map,
  (reader, { argument = 0n }, depth) => taggedValue(argument, value(reader, depth + 1), reader.source.notes),
  simple,
];
