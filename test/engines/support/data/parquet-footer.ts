/**
 * @returns the number of rows in a Parquet file, from the field `num_rows` of its footer, a struct in Thrift's compact
 * protocol @see https://github.com/apache/parquet-format, `parquet.thrift`, FileMetaData
 */
export const parquetRowCount = (file: Buffer): number => {
  if (file.toString("latin1", 0, 4) !== "PAR1" || file.toString("latin1", file.length - 4) !== "PAR1") {
    throw new Error("Not a Parquet file.");
  }
  const length = file.readUInt32LE(file.length - 8);
  const reader = compactReader(file.subarray(file.length - 8 - length, file.length - 8));
  const NUM_ROWS = 3;
  return Number(reader.field(NUM_ROWS));
};

const [TRUE, FALSE, BYTE, I16, I32, I64, DOUBLE, BINARY, LIST, SET, MAP, STRUCT] = Array.from(
  { length: 12 },
  (_, index) => index + 1,
);

/** Reads the fields of a struct up to the requested one. */
const compactReader = (bytes: Buffer) => {
  let at = 0;
  const varint = (): bigint => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = bytes[at] ?? 0;
      at += 1;
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) {
        return value;
      }
    }
  };
  const zigzag = (): bigint => {
    const value = varint();
    return (value >> 1n) ^ -(value & 1n);
  };
  const skip = (type: number): void => {
    if (type === BYTE) {
      at += 1;
    } else if (type === I16 || type === I32 || type === I64) {
      varint();
    } else if (type === DOUBLE) {
      at += 8;
    } else if (type === BINARY) {
      const length = Number(varint());
      at += length;
    } else if (type === LIST || type === SET) {
      const head = bytes[at] ?? 0;
      at += 1;
      const count = head >> 4 === 15 ? Number(varint()) : head >> 4;
      for (let index = 0; index < count; index += 1) {
        skip(head & 15);
      }
    } else if (type === STRUCT) {
      fields(() => false);
    } else if (type === MAP) {
      throw new Error("Unexpected map in the footer.");
    }
  };
  /** Reads fields until `found` accepts one, and stops before its value. */
  const fields = (found: (id: number) => boolean): boolean => {
    let id = 0;
    for (;;) {
      const head = bytes[at] ?? 0;
      at += 1;
      if (head === 0) {
        return false;
      }
      id = head >> 4 === 0 ? Number(zigzag()) : id + (head >> 4);
      if (found(id)) {
        return true;
      }
      const type = head & 15;
      if (type !== TRUE && type !== FALSE) {
        skip(type);
      }
    }
  };
  return {
    field: (id: number): bigint => {
      if (!fields((next) => next === id)) {
        throw new Error(`The footer has no field ${id}.`);
      }
      return zigzag();
    },
  };
};
