import { JobError } from "../../domain/errors.ts";

/** The records of a Palm database, by their number; empty where there is none. */
export interface Records {
  readonly count: number;
  at(index: number): Buffer;
}

export const corrupt = (what: string): JobError => new JobError("source_corrupt", `The book is damaged: ${what}.`);

const ENTRY_BYTES = 8;
const LIST_OFFSET = 78;

/** @throws JobError `source_corrupt` when the list of records does not fit the file */
export const recordsOf = (bytes: Buffer): Records => {
  if (bytes.length < LIST_OFFSET + ENTRY_BYTES || bytes.toString("latin1", 60, 68) !== "BOOKMOBI") {
    throw corrupt("it is no Mobipocket file");
  }
  const count = bytes.readUInt16BE(76);
  if (LIST_OFFSET + count * ENTRY_BYTES > bytes.length) {
    throw corrupt("its list of records breaks off");
  }
  const offsets = Array.from({ length: count }, (_, index) => bytes.readUInt32BE(LIST_OFFSET + index * ENTRY_BYTES));
  if (offsets.some((offset, index) => offset > bytes.length || offset < (offsets[index - 1] ?? 0))) {
    throw corrupt("it breaks off before its end");
  }
  return {
    count,
    at: (index) => {
      const start = offsets[index];
      return start === undefined ? Buffer.alloc(0) : bytes.subarray(start, offsets[index + 1] ?? bytes.length);
    },
  };
};

/** @returns the number at an offset; 0 beyond the end, which older headers have nearer than newer ones */
export const uint32 = (record: Buffer, offset: number): number =>
  offset + 4 <= record.length ? record.readUInt32BE(offset) : 0;

export const uint16 = (record: Buffer, offset: number): number =>
  offset + 2 <= record.length ? record.readUInt16BE(offset) : 0;

/** A number of seven bits a byte; the byte with the eighth bit ends it. */
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
