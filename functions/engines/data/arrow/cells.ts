import { type Data, type DataType, type Decimal, type Time, Type, Vector } from "apache-arrow";
import { JobError } from "../../../domain/errors.ts";
import { digitsOf, isMilliseconds } from "./columns.ts";

/** Writes the cell of a column at an index as JSON. */
export type Cells = (index: number) => string;

/**
 * @param data a column of a record batch
 * @returns a function that writes its cells as JSON, exactly: integers with all digits, decimals and times as texts
 */
export const cellsOf = (data: Data): Cells => {
  const write = valuesOf(data);
  return (index) => (data.getValid(index) ? write(index) : "null");
};

const valuesOf = (data: Data): Cells => {
  const type: DataType = data.type;
  const values = data.values as ArrayLike<number | bigint>;
  switch (type.typeId) {
    case Type.Null:
      return () => "null";
    case Type.Int:
      return (index) => String(values[index]);
    case Type.Decimal:
      return decimals(data.values as Uint32Array, type as Decimal);
    case Type.Date:
      return dates(values, isMilliseconds(type as never) ? 1n : DAY_MS);
    case Type.Time:
      return (index) => JSON.stringify(clockOf(BigInt(values[index] ?? 0), digitsOf(type as Time)));
    case Type.Timestamp:
      return (index) => JSON.stringify(momentOf(BigInt(values[index] ?? 0), digitsOf(type as never)));
    case Type.Duration:
      return (index) => JSON.stringify(durationOf(BigInt(values[index] ?? 0), digitsOf(type as never)));
    case Type.Dictionary:
      return looked(data, values);
    case Type.List:
    case Type.LargeList:
    case Type.FixedSizeList:
      return lists(data);
    case Type.Map:
      return lists(data);
    case Type.Struct:
      return structs(data);
    default:
      return scalars(data);
  }
};

/** Texts, bytes, floats and booleans. */
const scalars = (data: Data): Cells => {
  const vector = new Vector([data]);
  return (index) => {
    const value: unknown = vector.get(index);
    if (value instanceof Uint8Array) {
      return JSON.stringify(escaped(value));
    }
    // JSON has no NaN and no infinities.
    return typeof value === "number" && !Number.isFinite(value) ? `"${value}"` : JSON.stringify(value);
  };
};

/** @returns bytes as DuckDB reads them from a text */
const escaped = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => `\\x${byte.toString(16).padStart(2, "0")}`).join("");

const looked = (data: Data, indices: ArrayLike<number | bigint>): Cells => {
  const parts = (data.dictionary as Vector).data.map((part) => ({ length: part.length, cells: cellsOf(part) }));
  return (index) => {
    let at = Number(indices[index] ?? 0);
    for (const { length, cells } of parts) {
      if (at < length) {
        return cells(at);
      }
      at -= length;
    }
    throw new JobError("source_corrupt", "The Arrow file refers to a value that is not in its dictionary.");
  };
};

const lists = (data: Data): Cells => {
  const [child] = data.children;
  if (child === undefined) {
    throw new JobError("source_corrupt", "A list of the Arrow file has no items.");
  }
  const cells = cellsOf(child);
  const size = Number((data.type as { listSize?: number }).listSize ?? 0);
  const offsets = data.valueOffsets as ArrayLike<number | bigint> | undefined;
  const boundary = (index: number): number => (size > 0 ? index * size : Number(offsets?.[index] ?? 0));
  return (index) => {
    const items: string[] = [];
    for (let at = boundary(index); at < Math.min(boundary(index + 1), child.length); at += 1) {
      items.push(cells(at));
    }
    return `[${items.join(",")}]`;
  };
};

/** The entries of a map are structs, whose fields can have any names. */
const structs = (data: Data): Cells => {
  const names: readonly string[] = (data.type.children as { name: string }[]).map(({ name }) => name);
  const columns = data.children.map((child, index) => ({ name: JSON.stringify(names[index]), cells: cellsOf(child) }));
  return (index) => `{${columns.map(({ name, cells }) => `${name}:${cells(index)}`).join(",")}}`;
};

const WORD_BITS = 32n;

/** Two's complement in little-endian words of 32 bits. */
const decimals = (words: Uint32Array, { bitWidth, scale }: Decimal): Cells => {
  const size = bitWidth / Number(WORD_BITS);
  return (index) => {
    let value = 0n;
    for (let word = size - 1; word >= 0; word -= 1) {
      value = (value << WORD_BITS) | BigInt(words[index * size + word] ?? 0);
    }
    return `"${pointed(BigInt.asIntN(bitWidth, value), scale)}"`;
  };
};

const pointed = (value: bigint, scale: number): string => {
  const digits = String(value < 0n ? -value : value).padStart(scale + 1, "0");
  const sign = value < 0n ? "-" : "";
  return scale === 0 ? sign + digits : `${sign}${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
};

const DAY_MS = 86_400_000n;
const DAY_SECONDS = 86_400n;

const dates = (values: ArrayLike<number | bigint>, unitMs: bigint): Cells => {
  return (index) => JSON.stringify(momentOf(BigInt(values[index] ?? 0) * unitMs, 3).slice(0, -" 00:00:00.000".length));
};

/** @param digits decimal digits of the seconds */
const split = (value: bigint, digits: number): { seconds: bigint; fraction: bigint } => {
  const unit = 10n ** BigInt(digits);
  const fraction = ((value % unit) + unit) % unit;
  return { seconds: (value - fraction) / unit, fraction };
};

/** Latest and earliest moments of JavaScript's dates, in seconds. */
const SECONDS_MAX = 8_640_000_000_000n;

const momentOf = (value: bigint, digits: number): string => {
  const { seconds, fraction } = split(value, digits);
  if (seconds > SECONDS_MAX || seconds < -SECONDS_MAX) {
    throw new JobError("unsupported_feature", "The Arrow file has a date beyond the year 275760.");
  }
  const [, year = "", rest = ""] = /^([+-]?\d+)(.*)\.\d+Z$/.exec(new Date(Number(seconds) * 1_000).toISOString()) ?? [];
  // Years before the first and after 9999 have a sign and six digits.
  const era = year.startsWith("-") ? " (BC)" : "";
  const named = era === "" ? String(Number(year)).padStart(4, "0") : String(1 - Number(year)).padStart(4, "0");
  return `${named}${rest.replace("T", " ")}${fractionOf(fraction, digits)}${era}`;
};

const clockOf = (value: bigint, digits: number): string => {
  const { seconds, fraction } = split(value, digits);
  const ofDay = Number(seconds % DAY_SECONDS);
  const parts = [Math.floor(ofDay / 3_600), Math.floor(ofDay / 60) % 60, ofDay % 60];
  return `${parts.map((part) => String(part).padStart(2, "0")).join(":")}${fractionOf(fraction, digits)}`;
};

const fractionOf = (fraction: bigint, digits: number): string =>
  digits === 0 ? "" : `.${String(fraction).padStart(digits, "0")}`;

const durationOf = (value: bigint, digits: number): string =>
  `${(value * 1_000_000n) / 10n ** BigInt(digits)} microseconds`;
