import { FONT_BYTES_MAX } from "../../../domain/conversions/conversion-limits.ts";
import { JobError } from "../../../domain/errors.ts";
import { readSfnt, type Sfnt } from "./sfnt.ts";

const TOTAL_BYTES_AT = 16;
const META_LENGTH_AT = 32;
const COLLECTION = "ttcf";

/**
 * Unwraps WOFF2 (W3C Recommendation, 2022) with Google's decoder as WebAssembly, which rejects input that unpacks to a
 * hundred times its size. The declared size is only a hint, but the decoder allocates memory for it.
 */
export const fromWoff2 = async (bytes: Buffer): Promise<{ font: Sfnt | Buffer; hasMetadata: boolean }> => {
  const total = bytes.readUInt32BE(TOTAL_BYTES_AT);
  if (total > FONT_BYTES_MAX) {
    throw new JobError(
      "output_too_large",
      `The font declares an unpacked size of ${total} bytes; the maximum is ${FONT_BYTES_MAX}.`,
    );
  }
  const { convert } = await import("fontverter");
  const plain = await orCorrupt(convert(bytes, "sfnt", "woff2"));
  const font = plain.toString("latin1", 0, 4) === COLLECTION ? plain : readSfnt(plain);
  return { font, hasMetadata: bytes.readUInt32BE(META_LENGTH_AT) > 0 };
};

/** Wraps as WOFF2: transforms the outlines and compresses everything with Brotli at its highest level. */
export const toWoff2 = async (font: Buffer): Promise<Buffer> => {
  const { convert } = await import("fontverter");
  return orCorrupt(convert(font, "woff2", "sfnt"));
};

/** The decoder only reports that it failed; a WebAssembly trap passes through. */
const orCorrupt = (promise: Promise<Buffer>): Promise<Buffer> =>
  promise.catch((error: unknown): never => {
    const failed = error instanceof Error && /^Convert\w+ failed$/.test(error.message);
    throw failed ? new JobError("source_corrupt", "The font is damaged.", { cause: error }) : error;
  });
