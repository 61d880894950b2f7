import { type Codec, corrupt } from "../codec.ts";
import { doubleOf, integerOf } from "../numbers.ts";
import type { Tree } from "../tree.ts";
import { type ByteReader, byteReader } from "./bytes.ts";
import { taggedValue } from "./cbor-tags.ts";
import { writeCbor } from "./cbor-writer.ts";
import { type Read, type Reader, readBytes, readList, readMap, readValues } from "./read-values.ts";

/** CBOR (RFC 8949). Several values in sequence (RFC 8742) become a list. */
export const cborCodec: Codec = {
  read: (source) => readValues(source, "CBOR", value),
  write: writeCbor,
};

const value: Read = (reader, depth) => {
  const first = head(reader);
  return MAJORS[first.major]?.(reader, first, depth) ?? null;
};

/** The head of a value: its kind, and its length or number. */
interface Head {
  readonly major: number;
  readonly low: number;
  /** Undefined for an indefinite length, which a break ends. */
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
      throw corrupt(`The CBOR file has an invalid initial byte (0x${mark.toString(16)}).`);
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

/** @returns whether another member follows; otherwise skips the break */
const goesOn = ({ bytes }: Reader, { argument }: Head, done: number): boolean => {
  if (argument !== undefined) {
    return done < argument;
  }
  const ends = bytes.view[bytes.at] === BREAK;
  bytes.at += ends ? 1 : 0;
  return !ends;
};

const chunks = (reader: Reader, first: Head): Buffer => {
  if (first.argument !== undefined) {
    return readBytes(reader, Number(first.argument));
  }
  const parts: Buffer[] = [];
  while (goesOn(reader, first, 0)) {
    const chunk = head(reader);
    if (chunk.major !== first.major || chunk.argument === undefined) {
      throw corrupt("The CBOR file has a string in chunks that are not strings.");
    }
    reader.source.budget.spend(1, 0);
    parts.push(chunks(reader, chunk));
  }
  return Buffer.concat(parts);
};

const text = (reader: Reader, first: Head): string => {
  const part = chunks(reader, first);
  return byteReader(part, "CBOR").text(part.length);
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
    throw corrupt("The CBOR file has a break outside of an indefinite-length value.");
  }
  const known = SIMPLE[Number(argument)];
  if (known === undefined) {
    source.notes.add("tags_dropped");
  }
  return known === undefined ? Number(argument) : known;
};

/** A half-precision float (RFC 8949, appendix D). */
const half = ({ view }: ByteReader, at: number): number => {
  const bits = view.readUInt16BE(at);
  const [exponent, mantissa] = [(bits >> 10) & 31, bits & 1_023];
  const size = exponent === 0 ? mantissa * 2 ** -24 : (mantissa + 1_024) * 2 ** (exponent - 25);
  const number = exponent < 31 ? size : mantissa === 0 ? Number.POSITIVE_INFINITY : Number.NaN;
  return bits & 0x8000 ? -number : number;
};

/** By major type (RFC 8949, 3.1). */
const MAJORS: readonly ((reader: Reader, first: Head, depth: number) => Tree)[] = [
  (_, { argument = 0n }) => integerOf(argument),
  (_, { argument = 0n }) => integerOf(-1n - argument),
  chunks,
  text,
  (reader, first, depth) => readList(reader, depth, (done) => goesOn(reader, first, done)),
  (reader, first, depth) => readMap(reader, depth, (done) => goesOn(reader, first, done)),
  (reader, { argument = 0n }, depth) => taggedValue(argument, reader.value(depth + 1), reader.source.notes),
  simple,
];
