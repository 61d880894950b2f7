import { JobError } from "../../../domain/errors.ts";

/** The records of a Palm database, by number; empty if absent. */
export interface Records {
  readonly count: number;
  at(index: number): Buffer;
}

export const corrupt = (what: string): JobError => new JobError("source_corrupt", `The book is damaged: ${what}.`);

const ENTRY_BYTES = 8;
const LIST_OFFSET = 78;

/** @throws JobError `source_corrupt` when the record list does not match the file */
export const recordsOf = (bytes: Buffer): Records => {
  if (bytes.length < LIST_OFFSET + ENTRY_BYTES || bytes.toString("latin1", 60, 68) !== "BOOKMOBI") {
    throw corrupt("not a Mobipocket file");
  }
  const count = bytes.readUInt16BE(76);
  if (LIST_OFFSET + count * ENTRY_BYTES > bytes.length) {
    throw corrupt("the record list is truncated");
  }
  const offsets = Array.from({ length: count }, (_, index) => bytes.readUInt32BE(LIST_OFFSET + index * ENTRY_BYTES));
  if (offsets.some((offset, index) => offset > bytes.length || offset < (offsets[index - 1] ?? 0))) {
    throw corrupt("the file is truncated");
  }
  return {
    count,
    at: (index) => {
      const start = offsets[index];
      return start === undefined ? Buffer.alloc(0) : bytes.subarray(start, offsets[index + 1] ?? bytes.length);
    },
  };
};

/** @returns the number at an offset; 0 past the end, because older headers are shorter than newer ones */
export const uint32 = (record: Buffer, offset: number): number =>
  offset + 4 <= record.length ? record.readUInt32BE(offset) : 0;

export const uint16 = (record: Buffer, offset: number): number =>
  offset + 2 <= record.length ? record.readUInt16BE(offset) : 0;

/** A variable-length number with seven bits per byte; the byte with the eighth bit set ends it. */
export const variable = (record: Buffer, offset: number): { readonly value: number; readonly length: number } => {
  let value = 0;
  for (let length = 1; length <= 4; length += 1) {
    const byte = record[offset + length - 1] ?? 0x80;
    value = (value << 7) | (byte & 0x7f);
    if (byte & 0x80) {
      return { value, length };
    }
  }
  return { value, length: 4 };
};
