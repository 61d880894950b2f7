import { JobError } from "../../../domain/errors.ts";

/** A column of a DBF. */
export interface DbfField {
  readonly name: string;
  /** One letter: C, N, F, D, L, I, B, Y, T, M, … */
  readonly type: string;
  /** Offset in a record. */
  readonly at: number;
  readonly length: number;
}

/** The header of a DBF. */
export interface DbfHeader {
  readonly fields: readonly DbfField[];
  readonly records: number;
  readonly headerBytes: number;
  readonly recordBytes: number;
  /** Language driver ID, which identifies the code page of its texts; 0 when unknown. */
  readonly language: number;
  /** Whether `B` is a double, as in FoxPro, and not a memo. */
  readonly foxpro: boolean;
}

const HEADER_BYTES = 32;
const FIELD_BYTES = 32;
const FIELDS_END = 0x0d;
/** The lower bits of the dBase 7 version, whose field descriptors have 48 bytes. */
const VERSION_7 = 4;

/**
 * @param bytes the start of the file, with the complete header
 * @throws JobError `source_corrupt` when its sizes are inconsistent; `unsupported_feature` for dBase 7
 * @see dBASE Table File Format (dBASE Inc.); Table File Structure (Visual FoxPro)
 */
export const readDbfHeader = (bytes: Buffer): DbfHeader => {
  if (bytes.length < HEADER_BYTES) {
    throw corrupt("has an incomplete header");
  }
  const version = bytes[0] ?? 0;
  if ((version & 7) === VERSION_7) {
    throw new JobError("unsupported_feature", "The DBF is in dBase 7 format, which is not supported.");
  }
  const headerBytes = bytes.readUInt16LE(8);
  const recordBytes = bytes.readUInt16LE(10);
  if (headerBytes > bytes.length || headerBytes < HEADER_BYTES) {
    throw corrupt("is truncated in its header");
  }
  const fields = readFields(bytes.subarray(0, headerBytes));
  const last = fields.at(-1);
  if (last === undefined || last.at + last.length > recordBytes) {
    throw corrupt("has columns that do not match the size of its rows");
  }
  return {
    fields: fields.filter(({ type }) => type !== "0"),
    records: bytes.readUInt32LE(4),
    headerBytes,
    recordBytes,
    language: bytes[29] ?? 0,
    foxpro: version >= 0x30 && version <= 0x32,
  };
};

const readFields = (header: Buffer): DbfField[] => {
  const fields: DbfField[] = [];
  // The first byte of a record is its deletion flag.
  let at = 1;
  for (let place = HEADER_BYTES; place + FIELD_BYTES <= header.length; place += FIELD_BYTES) {
    if (header[place] === FIELDS_END) {
      break;
    }
    const name = header.toString("latin1", place, place + 11).split("\0", 1)[0] ?? "";
    const type = header.toString("latin1", place + 11, place + 12);
    // A text may be longer than 255: the decimals byte then holds the upper byte of its length.
    const decimals = header[place + 17] ?? 0;
    const length = (header[place + 16] ?? 0) + (type === "C" ? decimals * 256 : 0);
    fields.push({ name, type, at, length });
    at += length;
  }
  return fields;
};

const corrupt = (what: string): JobError => new JobError("source_corrupt", `The DBF ${what}.`);
