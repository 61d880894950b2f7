import { JobError } from "../../../domain/errors.ts";

const HEADER_BYTES_MIN = 82;
const PACKED = 0x4;
const MASKED = 0x1000_0000;
const MASK = 0x50;

/**
 * Unwraps Embedded OpenType (W3C Submission, 2008): the font is at the end of the file, either plain or XOR-masked.
 *
 * @throws JobError `source_corrupt`; `unsupported_feature` when it is compressed with MicroType Express
 */
export const fromEot = (bytes: Buffer): Buffer => {
  const [end, length, flags] = [bytes.readUInt32LE(0), bytes.readUInt32LE(4), bytes.readUInt32LE(12)];
  if ((flags & PACKED) !== 0) {
    throw new JobError("unsupported_feature", "The font is compressed with MicroType Express, which is not supported.");
  }
  if (end > bytes.length || end - length < HEADER_BYTES_MIN) {
    throw new JobError("source_corrupt", "The font is truncated.");
  }
  const font = bytes.subarray(end - length, end);
  return (flags & MASKED) === 0 ? font : Buffer.from(font.map((byte) => byte ^ MASK));
};

/** @throws JobError `source_corrupt` when the font lacks tables whose values the container repeats */
export const toEot = async (font: Buffer): Promise<Uint8Array> => {
  const { default: wrap } = await import("ttf2eot");
  try {
    return wrap(font);
  } catch (cause) {
    throw new JobError("source_corrupt", "The font lacks a name, head or OS/2 table.", { cause });
  }
};
