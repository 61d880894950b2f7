import { PARTS_MAX } from "../../../domain/conversions/conversion-limits.ts";
import { JobError } from "../../../domain/errors.ts";
import { readSfnt, type Sfnt } from "./sfnt.ts";

const COUNT_AT = 8;
const OFFSETS_AT = 12;

/** @returns the fonts of a collection; each has its own copy of shared tables ("TTC Header" in OpenType 1.9) */
export const readCollection = (bytes: Buffer): Sfnt[] => {
  const count = bytes.readUInt32BE(COUNT_AT);
  if (count > PARTS_MAX) {
    throw new JobError("output_too_large", `The collection has ${count} fonts; the maximum is ${PARTS_MAX}.`);
  }
  return Array.from({ length: count }, (_, index) => readSfnt(bytes, bytes.readUInt32BE(OFFSETS_AT + 4 * index)));
};
