import {
  DuckDBBlobValue,
  DuckDBDateValue,
  DuckDBDecimalValue,
  DuckDBListValue,
  DuckDBStructValue,
  DuckDBTimestampNanosecondsValue,
  DuckDBTimestampTZValue,
  DuckDBTimestampValue,
  DuckDBTimeValue,
  type DuckDBValue,
} from "@duckdb/node-api";
import { type Data, type DataType, type Field, makeData, type Struct, Type } from "apache-arrow";
import { DECIMAL_BITS } from "./types.ts";

type Values = readonly DuckDBValue[];

/** @returns the values as a column of an Arrow type, of `arrowTypeOf` */
export const columnOf = (type: DataType, values: Values): Data => {
  const nullBitmap = bitsOf(values.map((value) => value !== null));
  const nullCount = values.reduce<number>((count, value) => count + (value === null ? 1 : 0), 0);
  const common = { type, length: values.length, nullCount, nullBitmap };
  return makeData({ ...common, ...contentOf(type, values) } as never) as Data;
};

const contentOf = (type: DataType, values: Values): object => {
  switch (type.typeId) {
    case Type.Bool:
      return { data: bitsOf(values.map((value) => value === true)) };
    case Type.Utf8:
      return texts(values.map((value) => (value === null ? EMPTY : Buffer.from(String(value)))));
    case Type.Binary:
      return texts(values.map((value) => (value instanceof DuckDBBlobValue ? Buffer.from(value.bytes) : EMPTY)));
    case Type.Decimal:
      return { data: decimals(values) };
    case Type.List:
      return list(type, values);
    case Type.Struct:
      return { children: (type as Struct).children.map((field) => columnOf(field.type, fieldsOf(field, values))) };
    default:
      return { data: numbers(type, values) };
  }
};

const EMPTY = Buffer.alloc(0);

/** @returns a bit for each value, least significant first */
const bitsOf = (values: readonly boolean[]): Uint8Array => {
  // Arrow pads buffers to 8 bytes.
  const bits = new Uint8Array(8 * Math.ceil(values.length / 64));
  for (const [index, value] of values.entries()) {
    if (value) {
      bits[index >> 3] = (bits[index >> 3] ?? 0) | (1 << (index & 7));
    }
  }
  return bits;
};

const texts = (pieces: readonly Buffer[]): object => ({
  valueOffsets: offsetsOf(pieces.map(({ length }) => length)),
  data: Buffer.concat(pieces),
});

const offsetsOf = (lengths: readonly number[]): Int32Array => {
  const offsets = new Int32Array(lengths.length + 1);
  for (const [index, length] of lengths.entries()) {
    offsets[index + 1] = (offsets[index] ?? 0) + length;
  }
  return offsets;
};

const list = (type: DataType, values: Values): object => {
  const items = values.map((value) => (value instanceof DuckDBListValue ? value.items : []));
  const [field] = (type as unknown as { children: Field[] }).children;
  return {
    valueOffsets: offsetsOf(items.map(({ length }) => length)),
    ...(field && { child: columnOf(field.type, items.flat()) }),
  };
};

const fieldsOf = ({ name }: Field, values: Values): DuckDBValue[] =>
  values.map((value) => (value instanceof DuckDBStructValue ? (value.entries[name] ?? null) : null));

const WORDS = DECIMAL_BITS / 32;

const decimals = (values: Values): Uint32Array => {
  const words = new Uint32Array(WORDS * values.length);
  for (const [index, value] of values.entries()) {
    let rest = BigInt.asUintN(DECIMAL_BITS, value instanceof DuckDBDecimalValue ? value.value : 0n);
    for (let word = 0; word < WORDS; word += 1, rest >>= 32n) {
      words[WORDS * index + word] = Number(rest & 0xffff_ffffn);
    }
  }
  return words;
};

const numbers = (type: DataType, values: Values): ArrayLike<number | bigint> => {
  const array = new (type.ArrayType as new (length: number) => { [index: number]: number | bigint; length: number })(
    values.length,
  );
  const isBig = array instanceof BigInt64Array || array instanceof BigUint64Array;
  for (const [index, value] of values.entries()) {
    const number = numberOf(value);
    array[index] = isBig ? BigInt(number) : Number(number);
  }
  return array;
};

const numberOf = (value: DuckDBValue): number | bigint => {
  if (typeof value === "number" || typeof value === "bigint") {
    return value;
  }
  if (value instanceof DuckDBDateValue) {
    return value.days;
  }
  if (value instanceof DuckDBTimestampNanosecondsValue) {
    return value.nanos;
  }
  const isMicros =
    value instanceof DuckDBTimestampValue ||
    value instanceof DuckDBTimestampTZValue ||
    value instanceof DuckDBTimeValue;
  return isMicros ? value.micros : 0;
};
