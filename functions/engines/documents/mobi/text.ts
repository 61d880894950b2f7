import { TEXT_BYTES_MAX } from "../../../domain/conversions/conversion-limits.ts";
import { JobError } from "../../../domain/errors.ts";
import type { Header } from "./header.ts";
import { huffman } from "./huffman.ts";
import { corrupt, type Records, variable } from "./records.ts";

const PLAIN = 1;
const PALM = 2;
const HUFFMAN = 17_480;

/** @returns the text of a book: markup in its original encoding */
export const textOfBook = (records: Records, header: Header): Buffer => {
  const unpack = unpackerOf(records, header);
  const parts: Buffer[] = [];
  let bytes = 0;
  for (let index = 1; index <= header.textRecords; index += 1) {
    if (header.start + index >= records.count) {
      throw corrupt("the text is missing");
    }
    const part = unpack(withoutTrailing(records.at(header.start + index), header.trailing));
    bytes += part.length;
    if (bytes > TEXT_BYTES_MAX) {
      throw new JobError(
        "output_too_large",
        `The book's text is larger than ${TEXT_BYTES_MAX} bytes, which is the limit.`,
      );
    }
    parts.push(part);
  }
  return Buffer.concat(parts);
};

const unpackerOf = (
  records: Records,
  { compression, huffman: { first, count } }: Header,
): ((record: Buffer) => Buffer) => {
  if (compression === HUFFMAN) {
    return huffman(Array.from({ length: Math.min(count, records.count) }, (_, index) => records.at(first + index)));
  }
  if (compression !== PLAIN && compression !== PALM) {
    throw new JobError(
      "unsupported_feature",
      `The compression of the book's text is not supported (type ${compression}).`,
    );
  }
  return compression === PLAIN ? (record) => record : palmText;
};

/**
 * The text of a record is followed by trailing fields that end with their size; the lowest flag is for a split
 * character.
 */
const withoutTrailing = (record: Buffer, flags: number): Buffer => {
  let end = record.length;
  for (let bits = flags >> 1; bits > 0; bits >>= 1) {
    end -= bits & 1 ? sizeAtEnd(record, end) : 0;
  }
  end -= flags & 1 ? ((record[end - 1] ?? 0) & 3) + 1 : 0;
  return record.subarray(0, Math.max(0, end));
};

/** The number is stored backward: its first byte is the one with the eighth bit set. */
const sizeAtEnd = (record: Buffer, end: number): number => {
  for (let start = end - 1; start >= Math.max(0, end - 4); start -= 1) {
    if ((record[start] ?? 0) & 0x80) {
      const bytes = Buffer.from(record.subarray(start, end).map((byte) => byte & 0x7f));
      bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) | 0x80;
      return variable(bytes, 0).value;
    }
  }
  return 0;
};

/** PalmDOC's LZ77 ("PalmDOC compression" in the MobileRead wiki): two bytes expand to at most ten. */
const palmText = (record: Buffer): Buffer => {
  const output = Buffer.alloc(record.length * 5 + 10);
  let size = 0;
  for (let at = 0; at < record.length; at += 1) {
    const byte = record[at] ?? 0;
    if (byte >= 1 && byte <= 8) {
      size += record.copy(output, size, at + 1, at + 1 + byte);
      at += byte;
    } else if (byte < 0x80) {
      output[size++] = byte;
    } else if (byte >= 0xc0) {
      output[size++] = 0x20;
      output[size++] = byte ^ 0x80;
    } else {
      at += 1;
      const pair = (byte << 8) | (record[at] ?? 0);
      const distance = (pair & 0x3fff) >> 3;
      if (distance === 0 || distance > size) {
        throw corrupt("the text cannot be decompressed");
      }
      for (let left = (pair & 7) + 3; left > 0; left -= 1) {
        output[size] = output[size - distance] ?? 0;
        size += 1;
      }
    }
  }
  return output.subarray(0, size);
};
