import { FONT_BYTES_MAX } from "../../domain/conversion-limits.ts";
import { JobError } from "../../domain/errors.ts";
import { readSfnt, type Sfnt } from "./sfnt.ts";

const TOTAL_BYTES_AT = 16;
const META_LENGTH_AT = 32;
const COLLECTION = "ttcf";

/**
 * Unwraps WOFF2 (W3C Recommendation, 2022) by Google's own decoder as WebAssembly, which refuses what unpacks to a
 * hundred times its size. The size that the file gives is only a hint, but memory is taken for it.
 */
export const fromWoff2 = async (bytes: Buffer): Promise<{ font: Sfnt | Buffer; described: boolean }> => {
  const total = bytes.readUInt32BE(TOTAL_BYTES_AT);
  if (total > FONT_BYTES_MAX) {
    throw new JobError(
      "output_too_large",
      `The font says that it unpacks to ${total} bytes; at most ${FONT_BYTES_MAX} may be.`,
    );
  }
  const { convert } = await import("fontverter");
  const plain = await orCorrupt(convert(bytes, "sfnt", "woff2"));
  const font = plain.toString("latin1", 0, 4) === COLLECTION ? plain : readSfnt(plain);
  return { font, described: bytes.readUInt32BE(META_LENGTH_AT) > 0 };
};

/** Wraps as WOFF2: outlines in its own form, and all packed by Brotli at its highest. */
export const toWoff2 = async (font: Buffer): Promise<Buffer> => {
  const { convert } = await import("fontverter");
  return orCorrupt(convert(font, "woff2", "sfnt"));
};

/** The decoder only says that it failed; a trap of WebAssembly passes. */
const orCorrupt = (promise: Promise<Buffer>): Promise<Buffer> =>
  promise.catch((error: unknown): never => {
    const failed = error instanceof Error && /^Convert\w+ failed$/.test(error.message);
    throw failed ? new JobError("source_corrupt", "The font is damaged.", { cause: error }) : error;
  });
