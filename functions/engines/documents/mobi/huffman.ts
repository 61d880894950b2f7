import { TEXT_BYTES_MAX } from "../../../domain/conversions/conversion-limits.ts";
import { JobError } from "../../../domain/errors.ts";
import { corrupt, uint16, uint32 } from "./records.ts";

interface Phrase {
  bytes: Buffer;
  /** Whether the phrase is decompressed text. */
  plain: boolean;
  /** Whether it is being decompressed, to detect a phrase that contains itself. */
  open: boolean;
}

/** Maximum nesting depth of phrases. */
const DEPTH_MAX = 32;

/**
 * Mobipocket's "HUFF/CDIC" compression: Huffman codes for phrases of a dictionary, which may be compressed themselves.
 *
 * @param records the HUFF record, followed by the CDIC records
 * @returns a function that decompresses a text record
 */
export const huffman = ([codes = Buffer.alloc(0), ...dictionaries]: readonly Buffer[]): ((
  record: Buffer,
) => Buffer) => {
  if (codes.toString("latin1", 0, 4) !== "HUFF") {
    throw corrupt("the code table is missing");
  }
  const [short, long] = [uint32(codes, 8), uint32(codes, 12)];
  const phrases = dictionaries.flatMap(phrasesOf);
  let written = 0;
  const unpack = (packed: Buffer, depth: number): Buffer => {
    const parts: Buffer[] = [];
    const bits = packed.length * 8;
    const padded = Buffer.concat([packed, Buffer.alloc(8)]);
    for (let at = 0; at < bits; ) {
      const code = bitsAt(padded, at);
      const { length, index } = decode(codes, { short, long, code });
      at += length;
      if (at > bits) {
        break;
      }
      const part = phrase(index, depth);
      written += part.length + 1;
      if (written > 2 * TEXT_BYTES_MAX) {
        throw new JobError(
          "output_too_large",
          `The book's text is larger than ${TEXT_BYTES_MAX} bytes, which is the limit.`,
        );
      }
      parts.push(part);
    }
    return Buffer.concat(parts);
  };
  const phrase = (index: number, depth: number): Buffer => {
    const found = phrases[index];
    if (found === undefined || found.open || depth > DEPTH_MAX) {
      throw corrupt("the text cannot be decompressed");
    }
    if (!found.plain) {
      found.open = true;
      found.bytes = unpack(found.bytes, depth + 1);
      found.open = false;
      found.plain = true;
    }
    return found.bytes;
  };
  return (record) => unpack(record, 0);
};

/** @returns 32 bits, starting at a bit offset */
const bitsAt = (bytes: Buffer, bit: number): number => {
  const [byte, shift] = [bit >> 3, bit & 7];
  return ((bytes.readUInt32BE(byte) << shift) | ((bytes[byte + 4] ?? 0) >> (8 - shift))) >>> 0;
};

interface Search {
  /** Offsets of the table that decodes short codes by their first byte, and of the table for longer codes by length. */
  readonly short: number;
  readonly long: number;
  /** 32 bits that begin with the code. */
  readonly code: number;
}

const decode = (codes: Buffer, { short, long, code }: Search): { length: number; index: number } => {
  const entry = uint32(codes, short + 4 * (code >>> 24));
  let length = entry & 0x1f;
  let highest = entry >>> 8;
  if ((entry & 0x80) === 0) {
    while (length < 32 && code >>> (32 - length) < uint32(codes, long + 8 * (length - 1))) {
      length += 1;
    }
    highest = uint32(codes, long + 8 * (length - 1) + 4);
  }
  if (length === 0) {
    throw corrupt("the code table is damaged");
  }
  return { length, index: highest - (code >>> (32 - length)) };
};

const phrasesOf = (record: Buffer): Phrase[] => {
  if (record.toString("latin1", 0, 4) !== "CDIC") {
    throw corrupt("the dictionary is missing");
  }
  const [total, bits] = [uint32(record, 8), uint32(record, 12)];
  const count = Math.min(2 ** Math.min(bits, 16), total, (record.length - 16) >> 1);
  return Array.from({ length: Math.max(0, count) }, (_, index) => {
    const at = 16 + uint16(record, 16 + 2 * index);
    const size = uint16(record, at);
    return { bytes: record.subarray(at + 2, at + 2 + (size & 0x7fff)), plain: (size & 0x8000) !== 0, open: false };
  });
};
