import {
  type DataType,
  DateUnit,
  type Decimal,
  type Field,
  type Int,
  Precision,
  type Time,
  type Timestamp,
  TimeUnit,
  Type,
} from "apache-arrow";
import { JobError } from "../../../domain/errors.ts";
import { quoted } from "../duckdb/session.ts";

/** The SQL types of Arrow columns. */

/** Maximum nesting: DuckDB recurses per level. */
const DEPTH_MAX = 100;

/** Maximum digits of a decimal number in SQL and in Parquet. */
const DECIMAL_DIGITS_MAX = 38;

/**
 * @returns the SQL type of a column
 * @throws JobError `unsupported_feature` when there is none
 */
export const sqlTypeOf = (field: Field): string => typeOf(field.type, field.name, 0);

const typeOf = (type: DataType, column: string, depth: number): string => {
  if (depth > DEPTH_MAX) {
    throw new JobError("unsupported_feature", `The Arrow file is nested more than ${DEPTH_MAX} levels deep.`);
  }
  const simple = SIMPLE[type.typeId]?.(type as never);
  if (simple !== undefined) {
    return simple;
  }
  const inner = (child: Field | undefined) =>
    child === undefined ? "VARCHAR" : typeOf(child.type as DataType, column, depth + 1);
  const children: readonly Field[] = (type as { children?: Field[] | null }).children ?? [];
  switch (type.typeId) {
    case Type.Dictionary:
      return typeOf((type as unknown as { dictionary: DataType }).dictionary, column, depth + 1);
    case Type.List:
    case Type.LargeList:
    case Type.FixedSizeList:
      return `${inner(children[0])}[]`;
    case Type.Struct:
      return children.length === 0 || !areDistinct(children.map(({ name }) => name))
        ? unsupported(type, column)
        : `STRUCT(${children.map((child) => `${quoted(child.name)} ${inner(child)}`).join(", ")})`;
    case Type.Map: {
      const [key, value] = ((children[0]?.type as { children?: Field[] } | undefined)?.children ?? []) as Field[];
      return `STRUCT("key" ${inner(key)}, "value" ${inner(value)})[]`;
    }
    default:
      return unsupported(type, column);
  }
};

/** SQL requires fields with names that differ regardless of case. */
const areDistinct = (names: readonly string[]): boolean =>
  !names.includes("") && new Set(names.map((name) => name.toLowerCase())).size === names.length;

const unsupported = (type: DataType, column: string): never => {
  throw new JobError(
    "unsupported_feature",
    `The column "${column.slice(0, 100)}" of the Arrow file has a type that is not supported: ${String(type).slice(0, 200)}.`,
  );
};

const text = (): string => "VARCHAR";
const bytes = (): string => "BLOB";

/** By the ID of a type. Undefined if the type has no SQL type. */
const SIMPLE: Partial<Record<Type, (type: never) => string | undefined>> = {
  [Type.Null]: text,
  [Type.Bool]: () => "BOOLEAN",
  [Type.Int]: ({ isSigned, bitWidth }: Int) => `${isSigned ? "" : "U"}${INTEGERS[bitWidth]}`,
  [Type.Float]: ({ precision }: { precision: Precision }) => (precision === Precision.DOUBLE ? "DOUBLE" : "FLOAT"),
  [Type.Utf8]: text,
  [Type.LargeUtf8]: text,
  [Type.Utf8View]: text,
  [Type.Binary]: bytes,
  [Type.LargeBinary]: bytes,
  [Type.BinaryView]: bytes,
  [Type.FixedSizeBinary]: bytes,
  [Type.Decimal]: ({ precision, scale }: Decimal) =>
    precision > DECIMAL_DIGITS_MAX || scale < 0 || scale > precision ? undefined : `DECIMAL(${precision}, ${scale})`,
  [Type.Date]: () => "DATE",
  [Type.Time]: () => "TIME",
  [Type.Timestamp]: ({ unit, timezone }: Timestamp) =>
    timezone ? "TIMESTAMPTZ" : unit === TimeUnit.NANOSECOND ? "TIMESTAMP_NS" : "TIMESTAMP",
  [Type.Duration]: () => "INTERVAL",
};

const INTEGERS: Readonly<Record<number, string>> = { 8: "TINYINT", 16: "SMALLINT", 32: "INTEGER", 64: "BIGINT" };

/** Decimal digits of a second, by the unit of a time. */
export const digitsOf = ({ unit }: Pick<Time, "unit">): number => 3 * unit;

export const isMilliseconds = ({ unit }: { readonly unit: DateUnit }): boolean => unit === DateUnit.MILLISECOND;
