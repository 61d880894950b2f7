import { MagickError } from "@imagemagick/magick-wasm";
import { MAGICK_PIXELS_MAX } from "../../../domain/conversions/conversion-limits.ts";
import { JobError } from "../../../domain/errors.ts";
import { type FormatId, formatOf } from "../../../domain/formats/formats.ts";

/** Error codes by ImageMagick's messages. The first match counts. */
const MEANINGS = [
  [/ExceedsLimit|ResourcesExhausted|MemoryAllocationFailed|Security limit/, "too_many_pixels"],
  [/Unsupported|NotSupported|not configured|not supported|no decode delegate/, "unsupported_feature"],
] as const;

/**
 * For files that it cannot develop, LibRaw throws a pointer to a C++ exception through WebAssembly, uncaught; it is not
 * an Error.
 */
const isForeign = (error: unknown): boolean => typeof error === "object" && error !== null && "excPtr" in error;

/** @returns the job error for an error that ImageMagick found in a file; any other error unchanged */
export const translated = (error: unknown, from: FormatId): unknown => {
  if (isForeign(error)) {
    const reason = "it is damaged or from an unsupported camera";
    return new JobError("unsupported_feature", `The ${formatOf(from).name} could not be developed: ${reason}.`);
  }
  return error instanceof MagickError ? jobErrorOf(error, from) : error;
};

const jobErrorOf = ({ message }: MagickError, from: FormatId): JobError => {
  const code = MEANINGS.find(([words]) => words.test(message))?.[1] ?? "source_corrupt";
  const name = formatOf(from).name;
  if (code === "too_many_pixels") {
    return new JobError(code, `The ${name} is too large: the limit is ${MAGICK_PIXELS_MAX} pixels.`);
  }
  // The name of a temporary file in quotes follows, and before it libheif's error number in parentheses.
  const reason = message
    .split(/\s*(?:\(\d+\.\d+\)|`)/, 1)[0]
    ?.replaceAll(/[^\x20-\x7e]+/g, " ")
    .replace(/\.$/, "")
    .trim();
  return new JobError(code, `The ${name} could not be read: ${reason || "unknown error"}.`);
};
