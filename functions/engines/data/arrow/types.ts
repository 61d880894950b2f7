import {
  type DuckDBDecimalType,
  type DuckDBListType,
  type DuckDBStructType,
  type DuckDBType,
  DuckDBTypeId,
} from "@duckdb/node-api";
import {
  Binary,
  Bool,
  type DataType,
  DateDay,
  Decimal,
  Field,
  Float32,
  Float64,
  Int8,
  Int16,
  Int32,
  Int64,
  List,
  Struct,
  TimeMicrosecond,
  TimestampMicrosecond,
  TimestampNanosecond,
  Uint8,
  Uint16,
  Uint32,
  Uint64,
  Utf8,
} from "apache-arrow";

/** @returns the Arrow type of an SQL type; types without one are written as text */
export const arrowTypeOf = (type: DuckDBType): DataType => {
  switch (type.typeId) {
    case DuckDBTypeId.DECIMAL: {
      const { width, scale } = type as DuckDBDecimalType;
      return new Decimal(scale, width, DECIMAL_BITS);
    }
    case DuckDBTypeId.LIST:
      return new List(new Field("item", arrowTypeOf((type as DuckDBListType).valueType), true));
    case DuckDBTypeId.STRUCT: {
      const { entryNames, entryTypes } = type as DuckDBStructType;
      const fields = entryNames.map((name, index) => [name, entryTypes[index]] as const);
      return new Struct(fields.flatMap(([name, own]) => (own ? [new Field(name, arrowTypeOf(own), true)] : [])));
    }
    default:
      return SIMPLE[type.typeId]?.() ?? new Utf8();
  }
};

export const DECIMAL_BITS = 128;

const SIMPLE: Partial<Record<DuckDBTypeId, () => DataType>> = {
  [DuckDBTypeId.BOOLEAN]: () => new Bool(),
  [DuckDBTypeId.TINYINT]: () => new Int8(),
  [DuckDBTypeId.SMALLINT]: () => new Int16(),
  [DuckDBTypeId.INTEGER]: () => new Int32(),
  [DuckDBTypeId.BIGINT]: () => new Int64(),
  [DuckDBTypeId.UTINYINT]: () => new Uint8(),
  [DuckDBTypeId.USMALLINT]: () => new Uint16(),
  [DuckDBTypeId.UINTEGER]: () => new Uint32(),
  [DuckDBTypeId.UBIGINT]: () => new Uint64(),
  [DuckDBTypeId.FLOAT]: () => new Float32(),
  [DuckDBTypeId.DOUBLE]: () => new Float64(),
  [DuckDBTypeId.BLOB]: () => new Binary(),
  [DuckDBTypeId.DATE]: () => new DateDay(),
  [DuckDBTypeId.TIME]: () => new TimeMicrosecond(),
  [DuckDBTypeId.TIMESTAMP]: () => new TimestampMicrosecond(),
  [DuckDBTypeId.TIMESTAMP_NS]: () => new TimestampNanosecond(),
  [DuckDBTypeId.TIMESTAMP_TZ]: () => new TimestampMicrosecond("UTC"),
};
