import { JobError } from "../../domain/errors.ts";

/** A column of a DBF. */
export interface DbfField {
  readonly name: string;
  /** One letter: C, N, F, D, L, I, B, Y, T, M, … */
  readonly type: string;
  /** Where it begins in a record. */
  readonly at: number;
  readonly length: number;
}

/** What the header of a DBF says. */
export interface DbfHeader {
  readonly fields: readonly DbfField[];
  readonly records: number;
  readonly headerBytes: number;
  readonly recordBytes: number;
  /** Language driver id: which code page its texts are in; 0 says nothing. */
  readonly language: number;
  /** Whether `B` is a double, as in FoxPro, and not a memo. */
  readonly foxpro: boolean;
}

const HEADER_BYTES = 32;
const FIELD_BYTES = 32;
const FIELDS_END = 0x0d;
/** The lower bits of the version of dBase 7, whose fields are described in 48 bytes. */
const VERSION_7 = 4;

/**
 * @param bytes the beginning of the file, its header whole
 * @throws JobError `source_corrupt` when the sizes in it do not fit; `unsupported_feature` for dBase 7
 * @see dBASE Table File Format (dBASE Inc.); Table File Structure (Visual FoxPro)
 */
export const readDbfHeader = (bytes: Buffer): DbfHeader => {
  if (bytes.length < HEADER_BYTES) {
    throw corrupt("has no whole header");
  }
  const version = bytes[0] ?? 0;
  if ((version & 7) === VERSION_7) {
    throw new JobError("unsupported_feature", "The DBF is of dBase 7, which cannot be read here.");
  }
  const headerBytes = bytes.readUInt16LE(8);
  const recordBytes = bytes.readUInt16LE(10);
  if (headerBytes > bytes.length || headerBytes < HEADER_BYTES) {
    throw corrupt("breaks off within its header");
  }
  const fields = readFields(bytes.subarray(0, headerBytes));
  const last = fields.at(-1);
  if (last === undefined || last.at + last.length > recordBytes) {
    throw corrupt("has columns that do not fit its rows");
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
  // The first byte of a record tells whether it is deleted.
  let at = 1;
  for (let place = HEADER_BYTES; place + FIELD_BYTES <= header.length; place += FIELD_BYTES) {
    if (header[place] === FIELDS_END) {
      break;
    }
    const name = header.toString("latin1", place, place + 11).split("\0", 1)[0] ?? "";
    const type = header.toString("latin1", place + 11, place + 12);
    // A text may be longer than 255: the byte of the decimals then counts on.
    const decimals = header[place + 17] ?? 0;
    const length = (header[place + 16] ?? 0) + (type === "C" ? decimals * 256 : 0);
    fields.push({ name, type, at, length });
    at += length;
  }
  return fields;
};

const corrupt = (what: string): JobError => new JobError("source_corrupt", `The DBF ${what}.`);
