import type { ByteReader } from "./bytes.ts";
import { corrupt, type Source } from "./codec.ts";
import { instantOf } from "./moments.ts";
import { doubleOf, integerOf } from "./numbers.ts";
import type { Tree } from "./tree.ts";

/** A schema of Avro, its names followed. */
export interface Schema {
  readonly kind: string;
  /** What the value means beyond its kind: `date`, `decimal`, … */
  readonly logical?: string;
  /** Members of a list or a map. */
  item?: Schema;
  fields?: readonly { readonly name: string; readonly schema: Schema }[];
  branches?: readonly Schema[];
  readonly symbols?: readonly string[];
  /** Bytes of a `fixed`. */
  readonly size?: number;
  /** Digits behind the point of a `decimal`. */
  readonly scale?: number;
}

export interface AvroReader {
  readonly bytes: ByteReader;
  readonly source: Source;
}

/** @returns the schema that its JSON describes */
export const schemaOf = (json: string): Schema => {
  try {
    return schema(JSON.parse(json), { names: new Map(), namespace: "", depth: 0 });
  } catch (error) {
    if (error instanceof SyntaxError) {
      throw corrupt("The Avro has no schema that can be read.", { cause: error });
    }
    throw error;
  }
};

interface Scope {
  readonly names: Map<string, Schema>;
  readonly namespace: string;
  readonly depth: number;
}

const PRIMITIVES = ["null", "boolean", "int", "long", "float", "double", "bytes", "string"];
const SCHEMA_DEPTH_MAX = 200;

const schema = (described: unknown, outer: Scope): Schema => {
  const scope = { ...outer, depth: outer.depth + 1 };
  if (scope.depth > SCHEMA_DEPTH_MAX) {
    throw corrupt("The Avro has a schema that is nested too deep.");
  }
  if (typeof described === "string") {
    const named = scope.names.get(described) ?? scope.names.get(`${scope.namespace}.${described}`);
    if (named === undefined && !PRIMITIVES.includes(described)) {
      throw corrupt(`The Avro has a schema with an unknown type: ${described.slice(0, 100)}`);
    }
    return named ?? { kind: described };
  }
  if (Array.isArray(described)) {
    return { kind: "union", branches: described.map((branch) => schema(branch, scope)) };
  }
  if (!isRecord(described)) {
    throw corrupt("The Avro has a schema that is no schema.");
  }
  const { type } = described;
  return typeof type === "string" && !scope.names.has(type) && KINDS.has(type)
    ? complex(described, type, scope)
    : { ...schema(type, scope), ...logicalOf(described) };
};

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null;

const logicalOf = ({ logicalType, scale }: Readonly<Record<string, unknown>>) => ({
  ...(typeof logicalType === "string" ? { logical: logicalType } : {}),
  ...(typeof scale === "number" ? { scale } : {}),
});

const KINDS = new Set(["record", "error", "enum", "fixed", "array", "map"]);

const complex = (described: Readonly<Record<string, unknown>>, kind: string, scope: Scope): Schema => {
  if (kind === "array" || kind === "map") {
    return { kind, item: schema(described[kind === "array" ? "items" : "values"], scope) };
  }
  const { name, namespace, symbols, size, fields } = described;
  const full = String(name).includes(".") ? String(name) : `${namespace ?? scope.namespace}.${name}`;
  const made: Schema = {
    kind: kind === "error" ? "record" : kind,
    ...logicalOf(described),
    ...(Array.isArray(symbols) ? { symbols: symbols.map(String) } : {}),
    ...(typeof size === "number" ? { size } : {}),
  };
  // Known before its fields are read, which may name it.
  scope.names.set(full, made);
  scope.names.set(full.replace(/^\./, ""), made);
  const inner = { ...scope, namespace: full.replace(/\.?[^.]*$/, "") };
  if (made.kind === "record") {
    made.fields = (Array.isArray(fields) ? fields : []).map((field: unknown) => {
      if (!isRecord(field)) {
        throw corrupt("The Avro has a schema with a field that is none.");
      }
      return { name: String(field.name), schema: schema(field.type, inner) };
    });
  }
  return made;
};

/** @returns the next value of the bytes */
export const avroValue = (reader: AvroReader, described: Schema, depth: number): Tree => {
  const { budget } = reader.source;
  budget.depth(depth);
  budget.spend(1, 0);
  const value = (READ[described.kind] ?? READ.null)?.(reader, described, depth) ?? null;
  const mean = described.logical === undefined ? undefined : LOGICAL[described.logical];
  return mean?.(value, described) ?? value;
};

/** Integers are of variable length, the sign in the lowest bit. */
const long = ({ bytes }: AvroReader): bigint => {
  let value = 0n;
  for (let shift = 0n; shift < 70n; shift += 7n) {
    const byte = bytes.view[bytes.skip(1)] ?? 0;
    value |= BigInt(byte & 0x7f) << shift;
    if (byte < 0x80) {
      return BigInt.asIntN(64, (value >> 1n) ^ -(value & 1n));
    }
  }
  throw corrupt("The Avro has an integer that does not end.");
};

const part = (reader: AvroReader, length: number): Buffer => {
  reader.source.budget.spend(0, Math.max(0, length));
  return reader.bytes.take(length);
};

/** Members come in blocks; one of negative length says its bytes too. */
const blocks = (reader: AvroReader, member: () => void): void => {
  for (let count = long(reader); count !== 0n; count = long(reader)) {
    if (count < 0n) {
      long(reader);
    }
    for (let done = 0n; done < (count < 0n ? -count : count); done += 1n) {
      member();
    }
  }
};

const text = (reader: AvroReader): string => {
  const length = Number(long(reader));
  reader.source.budget.spend(0, Math.max(0, length));
  return reader.bytes.text(length);
};

const READ: Readonly<Record<string, (reader: AvroReader, schema: Schema, depth: number) => Tree>> = {
  null: () => null,
  boolean: ({ bytes }) => bytes.view[bytes.skip(1)] !== 0,
  int: (reader) => integerOf(long(reader)),
  long: (reader) => integerOf(long(reader)),
  float: ({ bytes }) => doubleOf(bytes.view.readFloatLE(bytes.skip(4))),
  double: ({ bytes }) => doubleOf(bytes.view.readDoubleLE(bytes.skip(8))),
  bytes: (reader) => part(reader, Number(long(reader))),
  fixed: (reader, { size = 0 }) => part(reader, size),
  string: text,
  enum: (reader, { symbols = [] }) => known(symbols[Number(long(reader))]),
  union: (reader, { branches = [] }, depth) => avroValue(reader, known(branches[Number(long(reader))]), depth),
  array: (reader, { item = { kind: "null" } }, depth) => {
    const items: Tree[] = [];
    blocks(reader, () => items.push(avroValue(reader, item, depth + 1)));
    return items;
  },
  map: (reader, { item = { kind: "null" } }, depth) => {
    const map = new Map<string, Tree>();
    blocks(reader, () => map.set(text(reader), avroValue(reader, item, depth + 1)));
    return map;
  },
  record: (reader, { fields = [] }, depth) =>
    new Map(fields.map(({ name, schema: field }) => [name, avroValue(reader, field, depth + 1)])),
};

const known = <T>(value: T | undefined): T => {
  if (value === undefined) {
    throw corrupt("The Avro has a value that its schema does not know.");
  }
  return value;
};

const DAY_MS = 86_400_000;

/** @returns a time by a number of parts of a second since 1970, all digits kept */
const time = (value: Tree, perSecond: bigint, suffix: "Z" | ""): Tree | undefined => {
  if (typeof value !== "number" && typeof value !== "bigint") {
    return undefined;
  }
  const parts = BigInt(value);
  const rest = ((parts % perSecond) + perSecond) % perSecond;
  const whole = instantOf(Number((parts - rest) / perSecond) * 1_000);
  const digits = String(rest)
    .padStart(String(perSecond).length - 1, "0")
    .replace(/0+$/, "");
  const text = whole?.text.replace("Z", `${digits === "" ? "" : `.${digits}`}${suffix}`);
  return text === undefined ? undefined : { kind: suffix === "Z" ? "instant" : "local", text };
};

const clock = (value: Tree, perSecond: bigint): Tree | undefined => {
  const local = time(value, perSecond, "");
  const text = typeof local === "object" && local !== null && "text" in local ? local.text : undefined;
  return text === undefined ? undefined : { kind: "time", text: text.slice(text.indexOf("T") + 1) };
};

const decimal = (value: Tree, { scale = 0 }: Schema): Tree | undefined => {
  if (!(value instanceof Uint8Array) || value.length === 0 || value.length > 1_000) {
    return undefined;
  }
  const number = BigInt.asIntN(8 * value.length, BigInt(`0x${Buffer.from(value).toString("hex")}`));
  const digits = String(number)
    .replace("-", "")
    .padStart(scale + 1, "0");
  const whole = `${number < 0n ? "-" : ""}${digits.slice(0, digits.length - scale)}`;
  return scale <= 0 ? integerOf(number) : { kind: "decimal", text: `${whole}.${digits.slice(-scale)}` };
};

/** What values mean beyond their kind (the specification, "Logical Types"). */
const LOGICAL: Readonly<Record<string, (value: Tree, schema: Schema) => Tree | undefined>> = {
  date: (value) => {
    const text = typeof value === "number" ? instantOf(value * DAY_MS)?.text.slice(0, 10) : undefined;
    return text === undefined ? undefined : { kind: "date", text };
  },
  "time-millis": (value) => clock(value, 1_000n),
  "time-micros": (value) => clock(value, 1_000_000n),
  "timestamp-millis": (value) => time(value, 1_000n, "Z"),
  "timestamp-micros": (value) => time(value, 1_000_000n, "Z"),
  "timestamp-nanos": (value) => time(value, 1_000_000_000n, "Z"),
  "local-timestamp-millis": (value) => time(value, 1_000n, ""),
  "local-timestamp-micros": (value) => time(value, 1_000_000n, ""),
  "local-timestamp-nanos": (value) => time(value, 1_000_000_000n, ""),
  decimal,
};
