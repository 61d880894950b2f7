import { FONT_BYTES_MAX } from "../../../domain/conversions/conversion-limits.ts";
import { JobError } from "../../../domain/errors.ts";

/** A font as its tables, which is what all containers hold (OpenType 1.9, "Organization of an OpenType Font"). */
export interface Sfnt {
  /** The version at the start of the font, which identifies the kind of outlines. */
  readonly flavor: number;
  /** In the order of their data. */
  readonly tables: readonly FontTable[];
}

export interface FontTable {
  /** Four characters. */
  readonly tag: string;
  /** As recorded in the font. It is not recomputed, so that a signature stays valid. */
  readonly checksum: number;
  readonly data: Buffer;
}

const POSTSCRIPT = 0x4f54544f;
const FLAVORS: readonly number[] = [0x0001_0000, 0x7472_7565, POSTSCRIPT];

/** @returns whether the outlines are PostScript outlines */
export const isPostScript = ({ flavor }: Sfnt): boolean => flavor === POSTSCRIPT;

const HEADER_BYTES = 12;
const ENTRY_BYTES = 16;

/**
 * @param start offset of the font in a collection, whose fonts share tables
 * @throws JobError `source_corrupt`, `unsupported_feature`; RangeError when an offset is beyond the end
 */
export const readSfnt = (bytes: Buffer, start = 0): Sfnt => {
  const flavor = checkedFlavor(bytes.readUInt32BE(start));
  const count = bytes.readUInt16BE(start + 4);
  const entries = Array.from({ length: count }, (_, index) => {
    const at = start + HEADER_BYTES + index * ENTRY_BYTES;
    const [checksum, offset, length] = [4, 8, 12].map((field) => bytes.readUInt32BE(at + field));
    return {
      tag: bytes.toString("latin1", at, at + 4),
      checksum: checksum ?? 0,
      offset: offset ?? 0,
      length: length ?? 0,
    };
  });
  const tables = entries
    .toSorted((one, other) => one.offset - other.offset)
    .map(({ tag, checksum, offset, length }) => ({ tag, checksum, data: slice(bytes, offset, length, tag) }));
  return checked({ flavor, tables });
};

/** @returns the flavor of a font that is supported */
export const checkedFlavor = (flavor: number): number => {
  if (!FLAVORS.includes(flavor)) {
    throw new JobError("unsupported_feature", `Unsupported font type (0x${flavor.toString(16)}).`);
  }
  return flavor;
};

/** @returns bytes of a table, all of which must exist */
export const slice = (bytes: Buffer, offset: number, length: number, tag: string): Buffer => {
  if (offset + length > bytes.length) {
    throw new JobError("source_corrupt", `The font is truncated: table ${JSON.stringify(tag)} is incomplete.`);
  }
  return bytes.subarray(offset, offset + length);
};

/** @returns the font if it is valid: it has a head table, no duplicate tables, and a limited size */
export const checked = (font: Sfnt): Sfnt => {
  const tags = new Set(font.tables.map(({ tag }) => tag));
  const bytes = font.tables.reduce((sum, { data }) => sum + data.length, 0);
  if (bytes > FONT_BYTES_MAX) {
    throw new JobError("output_too_large", `The font unpacks to more than ${FONT_BYTES_MAX} bytes, the maximum.`);
  }
  if (tags.size < font.tables.length || !(tags.has("head") || tags.has("bhed"))) {
    throw new JobError(
      "source_corrupt",
      "The font is damaged: the head table is missing, or there are duplicate tables.",
    );
  }
  return font;
};

/** @returns the table directory sorted by tag, with offsets of tables written in sequence from the start */
export const placed = ({ tables }: Sfnt, start: number) => {
  let offset = start;
  const all = tables.map((table) => {
    const at = offset;
    offset += padded(table.data.length);
    return { ...table, offset: at };
  });
  return { entries: all.toSorted((one, other) => (one.tag < other.tag ? -1 : 1)), bytes: offset };
};

/** @returns the length padded to a multiple of four */
export const padded = (length: number): number => Math.ceil(length / 4) * 4;

/** @returns the bytes of a single font: its tables in the same order, each aligned to four bytes */
export const writeSfnt = (font: Sfnt): Buffer => {
  const count = font.tables.length;
  const { entries, bytes } = placed(font, HEADER_BYTES + count * ENTRY_BYTES);
  const out = Buffer.alloc(bytes);
  const power = 2 ** Math.floor(Math.log2(count));
  out.writeUInt32BE(font.flavor, 0);
  out.writeUInt16BE(count, 4);
  // searchRange, entrySelector and rangeShift, for a binary search over the directory.
  out.writeUInt16BE(power * ENTRY_BYTES, 6);
  out.writeUInt16BE(Math.log2(power), 8);
  out.writeUInt16BE((count - power) * ENTRY_BYTES, 10);
  for (const [index, { tag, checksum, offset, data }] of entries.entries()) {
    const at = HEADER_BYTES + index * ENTRY_BYTES;
    out.write(tag, at, "latin1");
    out.writeUInt32BE(checksum, at + 4);
    out.writeUInt32BE(offset, at + 8);
    out.writeUInt32BE(data.length, at + 12);
    data.copy(out, offset);
  }
  return out;
};

const ADJUSTMENT_AT = 8;
const SUM = 0xb1b0afba;

/**
 * @returns the font with the head table's checksum adjustment, a sum over the file ("head" in OpenType 1.9). It depends
 * on the offsets of tables and is not valid in a collection; everything else is unchanged.
 */
export const addedUp = (font: Sfnt): Sfnt => {
  const withAdjustment = (value: number): Sfnt => ({
    ...font,
    tables: font.tables.map((table) => {
      if (table.tag !== "head" || table.data.length < ADJUSTMENT_AT + 4) {
        return table;
      }
      const data = Buffer.from(table.data);
      data.writeUInt32BE(value, ADJUSTMENT_AT);
      return { ...table, data };
    }),
  });
  const bytes = writeSfnt(withAdjustment(0));
  let sum = 0;
  for (let at = 0; at < bytes.length; at += 4) {
    sum = (sum + bytes.readUInt32BE(at)) >>> 0;
  }
  return withAdjustment((SUM - sum) >>> 0);
};
