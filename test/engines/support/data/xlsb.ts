import { readZip } from "../../../../functions/engines/archives/zip/reader.ts";

/**
 * @returns the cells of the first sheet of an XLSB; dates as day counts. hucre, which reads the other spreadsheets in
 * the tests, leaves out cells without a column number, which follow the previous cell. @see [MS-XLSB] 2.1.4 (records),
 * 2.4 (their types)
 */
export const xlsbRows = (path: string): Promise<unknown[][]> =>
  readZip(path, async (zip) => {
    const strings = recordsOf((await zip.read("xl/sharedStrings.bin")) ?? Buffer.alloc(0))
      .filter(({ type }) => type === STRING_ITEM)
      .map(({ data }) => wideString(data, 1));
    const sheet = (await zip.read("xl/worksheets/sheet1.bin")) ?? Buffer.alloc(0);
    return rowsOf(recordsOf(sheet), strings);
  });

const STRING_ITEM = 19;
const ROW = 0;
/** From type 12 on, cells have no column number. */
const SHORT = 11;
const STYLE_BYTES = 4;
const COLUMN_BYTES = 4;

interface BinaryRecord {
  readonly type: number;
  readonly data: Buffer;
}

const recordsOf = (bytes: Buffer): BinaryRecord[] => {
  const records: BinaryRecord[] = [];
  let at = 0;
  const varint = (bytesMax: number): number => {
    let value = 0;
    for (let index = 0; index < bytesMax; index += 1) {
      const byte = bytes[at] ?? 0;
      at += 1;
      value += (byte & 0x7f) * 2 ** (7 * index);
      if (byte < 0x80) {
        break;
      }
    }
    return value;
  };
  while (at < bytes.length) {
    const first = bytes[at] ?? 0;
    const type = first < 0x80 ? first : (first & 0x7f) + ((bytes[at + 1] ?? 0) << 7);
    at += first < 0x80 ? 1 : 2;
    const length = varint(4);
    records.push({ type, data: bytes.subarray(at, at + length) });
    at += length;
  }
  return records;
};

const rowsOf = (records: readonly BinaryRecord[], strings: readonly string[]): unknown[][] => {
  const rows: unknown[][] = [];
  let column = -1;
  for (const { type, data } of records) {
    if (type === ROW) {
      rows[data.readUInt32LE(0)] = [];
      column = -1;
    } else if (type >= 1 && type <= SHORT + 7) {
      const short = type > SHORT;
      column = short ? column + 1 : data.readUInt32LE(0);
      const value = VALUES[short ? type - SHORT : type];
      rows.at(-1)?.splice(column, 1, value?.(data.subarray(STYLE_BYTES + (short ? 0 : COLUMN_BYTES)), strings) ?? null);
    }
  }
  return rows;
};

const VALUES: Readonly<Record<number, (data: Buffer, strings: readonly string[]) => unknown>> = {
  2: (data) => compactNumber(data.readInt32LE(0)),
  4: (data) => data.readUInt8(0) === 1,
  5: (data) => data.readDoubleLE(0),
  6: (data) => wideString(data, 0),
  7: (data, strings) => strings[data.readUInt32LE(0)],
};

/** [MS-XLSB] 2.5.122: 30 bits of a double or an integer, and whether it is divided by 100. */
const compactNumber = (bits: number): number => {
  const double = Buffer.alloc(8);
  double.writeInt32LE(bits & ~3, 4);
  const value = (bits & 2) === 0 ? double.readDoubleLE(0) : bits >> 2;
  return (bits & 1) === 0 ? value : value / 100;
};

const wideString = (data: Buffer, at: number): string =>
  data.toString("utf16le", at + 4, at + 4 + 2 * data.readUInt32LE(at));
