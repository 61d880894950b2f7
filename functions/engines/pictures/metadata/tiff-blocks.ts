import { DOCUMENT_PAGES_MAX } from "../../../domain/conversions/conversion-limits.ts";
import type { Block, Read } from "./block.ts";

/** Tags of XMP, IPTC-IIM, and Photoshop's image resources, which contain IPTC-IIM. */
const KINDS: Readonly<Record<number, Block["kind"]>> = { 700: "xmp", 33723: "iptc", 34377: "iptc" };

/** Bytes of a value of each type (TIFF 6.0, section 2). */
const TYPE_BYTES = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8];
const ENTRY_BYTES = 12;

/**
 * Metadata of each page of a TIFF with 32-bit offsets, as the encoder here writes it. It writes no EXIF.
 */
export const tiffBlocks = function* (read: Read): Generator<Block> {
  const little = read(0, 2).toString("latin1") === "II";
  const number = (bytes: Buffer, at: number, length: 2 | 4): number =>
    at + length > bytes.length ? 0 : little ? bytes.readUIntLE(at, length) : bytes.readUIntBE(at, length);
  let directory = number(read(4, 4), 0, 4);
  for (let page = 0; directory !== 0 && page < DOCUMENT_PAGES_MAX; page += 1) {
    const count = number(read(directory, 2), 0, 2);
    const entries = read(directory + 2, count * ENTRY_BYTES + 4);
    for (let at = 0; at + ENTRY_BYTES <= entries.length - 4; at += ENTRY_BYTES) {
      const kind = KINDS[number(entries, at, 2)];
      const bytes = (TYPE_BYTES[number(entries, at + 2, 2)] ?? 0) * number(entries, at + 4, 4);
      if (kind !== undefined && bytes > 4) {
        const start = number(entries, at + 8, 4);
        yield { kind, start, end: start + bytes };
      }
    }
    directory = number(entries, count * ENTRY_BYTES, 4);
  }
};
