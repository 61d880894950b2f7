import { JobError } from "../../../domain/errors.ts";
import { type FormatId, formatOf } from "../../../domain/formats/formats.ts";
import { HelperNeeded } from "../../core/engine.ts";

/** Error codes by libvips' messages. The first match counts. */
const MEANINGS = [
  [/pixel limit|too large for the/, "too_many_pixels"],
  [/out of memory|Could not allocate/i, "out_of_memory"],
  [/[Uu]nsupported (?!image format)|not supported|not configured|not built|channel limit/, "unsupported_feature"],
  [/samples out of range|samples_per_pixel not a whole|bad labq format/, "unsupported_feature"],
  [/bad dimensions|rendering failed|XML parse error.*(?:exceeded|too big|Excessive)/, "unsupported_feature"],
] as const;

/**
 * Files that no engine can read completely, and drawings that exceed a limit. So is a damaged TIFF: ImageMagick has the
 * same decoder, and ffmpeg fills what is missing with black. Of TIFF tiles with one color each, both read only one or
 * mix them up, without a message.
 */
const FINAL = /premature end|[Uu]nexpected end|bad dimensions|XML parse error|tiled separate planes/;

/** Errors that the file did not cause: a full disk, a missing input, an encoder that failed on valid pixels. */
const SERVER_ERRORS =
  /system error|file is missing|^(?:vips2tiff|vips2webp|gifsave|heifsave|webpsave|tiffsave|jpegsave)/m;

/** Errors that do not come from libvips. */
const PASSED = [JobError, TypeError, HelperNeeded];

/**
 * @returns the job error for an error of sharp. libvips reports only messages, different for each decoder; errors that
 * come neither from the system nor from an encoder are caused by the file.
 */
export const translated = (error: unknown, from: FormatId): unknown => {
  if (!(error instanceof Error) || PASSED.some((kind) => error instanceof kind)) {
    return error;
  }
  const { message } = error;
  const code = MEANINGS.find(([words]) => words.test(message))?.[1];
  if (code === undefined && SERVER_ERRORS.test(message)) {
    return error;
  }
  const reason = reasonOf(message);
  const detail = `The ${formatOf(from).name} could not be read${reason === undefined ? "" : `: ${reason}`}.`;
  const isFinal = FINAL.test(message) || (code === undefined && from === "tiff");
  return new JobError(code ?? "source_corrupt", detail, { cause: error, isFinal });
};

const REASON_CHARACTERS_MAX = 200;

/** The component of libvips in front of a message; for XML, its complete call path. */
const COMPONENT = /^(?:glib: XML parse error: Error domain \d+ code \d+ on |\w+: )/;

/** @returns the first line that is useful to a client: no paths, no positions in the output */
const reasonOf = (message: string): string | undefined =>
  message
    .split("\n")
    .map((line) =>
      line
        .replace(/^Input (?:file|buffer) (?:has corrupt header:\s*)?/, "")
        .replace(COMPONENT, "")
        .trim(),
    )
    .find((line) => line !== "" && !/\/|unable to write|Unknown error|unsupported image format/.test(line))
    ?.replace(/\.$/, "")
    .slice(0, REASON_CHARACTERS_MAX);
