import { MagickError } from "@imagemagick/magick-wasm";
import { MAGICK_PIXELS_MAX } from "../../domain/conversion-limits.ts";
import { JobError } from "../../domain/errors.ts";
import { type FormatId, formatOf } from "../../domain/formats.ts";

/** ImageMagick's words, and the code that they mean. The first that fits counts. */
const MEANINGS = [
  [/ExceedsLimit|ResourcesExhausted|MemoryAllocationFailed|Security limit/, "too_many_pixels"],
  [/Unsupported|NotSupported/, "unsupported_feature"],
] as const;

/**
 * LibRaw throws out of its WebAssembly what it cannot develop, and nothing in between catches it: a pointer to a C++
 * exception, which is no Error.
 */
const isForeign = (error: unknown): boolean => typeof error === "object" && error !== null && "excPtr" in error;

/** @returns the table's error for what ImageMagick found wrong in a file; what else was thrown, as it is */
export const translated = (error: unknown, from: FormatId): unknown => {
  if (isForeign(error)) {
    const reason = "it is damaged, or of a camera that is not known here";
    return new JobError("unsupported_feature", `The ${formatOf(from).name} could not be developed: ${reason}.`);
  }
  return error instanceof MagickError ? meant(error, from) : error;
};

const meant = ({ message }: MagickError, from: FormatId): JobError => {
  const code = MEANINGS.find(([words]) => words.test(message))?.[1] ?? "source_corrupt";
  const name = formatOf(from).name;
  if (code === "too_many_pixels") {
    return new JobError(code, `The ${name} has more than ${MAGICK_PIXELS_MAX} pixels, which is the most allowed.`);
  }
  // The name of a temporary file follows in quotes, and libheif's own number before it in brackets.
  const reason = message
    .split(/\s*(?:\(\d+\.\d+\)|`)/, 1)[0]
    ?.replaceAll(/[^\x20-\x7e]+/g, " ")
    .replace(/\.$/, "")
    .trim();
  return new JobError(code, `The ${name} could not be read: ${reason || "unknown error"}.`);
};
