import { promisify } from "node:util";
import { deflate, inflateSync } from "node:zlib";
import { FONT_BYTES_MAX } from "../../../domain/conversions/conversion-limits.ts";
import { JobError } from "../../../domain/errors.ts";
import { checked, checkedFlavor, padded, placed, type Sfnt, slice } from "./sfnt.ts";

const HEADER_BYTES = 44;
const ENTRY_BYTES = 20;
const META_LENGTH_AT = 28;

/**
 * Unwraps WOFF 1.0 (W3C Recommendation, 2012). A table that exceeds its declared size is damaged; unpacking stops
 * there.
 */
export const fromWoff = (bytes: Buffer): { font: Sfnt; hasMetadata: boolean } => {
  const flavor = checkedFlavor(bytes.readUInt32BE(4));
  const count = bytes.readUInt16BE(12);
  let total = 0;
  const entries = Array.from({ length: count }, (_, index) => {
    const at = HEADER_BYTES + index * ENTRY_BYTES;
    const [offset = 0, packed = 0, length = 0, checksum = 0] = [4, 8, 12, 16].map((field) =>
      bytes.readUInt32BE(at + field),
    );
    return { tag: bytes.toString("latin1", at, at + 4), offset, packed, length, checksum };
  });
  const tables = entries
    .toSorted((one, other) => one.offset - other.offset)
    .map(({ tag, offset, packed, length, checksum }) => {
      total += length;
      if (total > FONT_BYTES_MAX) {
        throw new JobError("output_too_large", `The font unpacks to more than ${FONT_BYTES_MAX} bytes, the maximum.`);
      }
      return { tag, checksum, data: unpacked(slice(bytes, offset, packed, tag), length, tag) };
    });
  return { font: checked({ flavor, tables }), hasMetadata: bytes.readUInt32BE(META_LENGTH_AT) > 0 };
};

const unpacked = (packed: Buffer, length: number, tag: string): Buffer => {
  const data = packed.length < length ? inflateSync(packed, { maxOutputLength: length }) : packed;
  if (data.length !== length) {
    throw new JobError(
      "source_corrupt",
      `The length of the font's table ${JSON.stringify(tag)} does not match the declared length.`,
    );
  }
  return data;
};

const pack = promisify<Buffer, { level: number }, Buffer>(deflate);

/** Wraps as WOFF 1.0: compresses each table separately, where that makes it smaller. */
export const toWoff = async (font: Sfnt): Promise<Buffer> => {
  const packed = new Map<string, Buffer>();
  for (const { tag, data } of font.tables) {
    const small = await pack(data, { level: 9 });
    packed.set(tag, small.length < data.length ? small : data);
  }
  const tables = font.tables.map(({ tag, data, checksum }) => ({ tag, checksum, data: packed.get(tag) ?? data }));
  const { entries, bytes } = placed({ ...font, tables }, HEADER_BYTES + tables.length * ENTRY_BYTES);
  const lengths = new Map(font.tables.map(({ tag, data }) => [tag, data.length]));
  const out = Buffer.alloc(bytes);
  out.write("wOFF", 0, "latin1");
  out.writeUInt32BE(font.flavor, 4);
  out.writeUInt32BE(bytes, 8);
  out.writeUInt16BE(tables.length, 12);
  out.writeUInt32BE(sfntBytes(font), 16);
  out.writeUInt16BE(1, 20);
  for (const [index, { tag, offset, data, checksum }] of entries.entries()) {
    const at = HEADER_BYTES + index * ENTRY_BYTES;
    out.write(tag, at, "latin1");
    out.writeUInt32BE(offset, at + 4);
    out.writeUInt32BE(data.length, at + 8);
    out.writeUInt32BE(lengths.get(tag) ?? 0, at + 12);
    out.writeUInt32BE(checksum, at + 16);
    data.copy(out, offset);
  }
  return out;
};

const sfntBytes = ({ tables }: Sfnt): number => tables.reduce((sum, { data }) => sum + 16 + padded(data.length), 12);
