import { JobError } from "../../domain/errors.ts";
import { type FormatId, formatOf } from "../../domain/formats.ts";

/** libvips' words, and the code that they mean. The first that fits counts. */
const MEANINGS = [
  [/pixel limit|too large for the/, "too_many_pixels"],
  [/out of memory|Could not allocate/i, "out_of_memory"],
  [/[Uu]nsupported (?!image format)|not supported|channel limit/, "unsupported_feature"],
  [/bad dimensions|rendering failed|XML parse error.*(?:exceeded|too big|Excessive)/, "unsupported_feature"],
] as const;

/** No fault of the file: a full disk, an input that is gone, an encoder that failed on good pixels. */
const OURS = /system error|file is missing|^(?:vips2tiff|vips2webp|gifsave|heifsave|webpsave|tiffsave|jpegsave)/m;

/**
 * @returns the table's error for what sharp threw. libvips reports in sentences only, and every decoder has its own;
 * what comes neither from the system nor from an encoder comes from the bytes of the file.
 */
export const translated = (error: unknown, from: FormatId): unknown => {
  if (!(error instanceof Error) || error instanceof JobError || error instanceof TypeError) {
    return error;
  }
  const { message } = error;
  const code = MEANINGS.find(([words]) => words.test(message))?.[1];
  if (code === undefined && OURS.test(message)) {
    return error;
  }
  const reason = reasonOf(message);
  const detail = `The ${formatOf(from).name} could not be read${reason === undefined ? "" : `: ${reason}`}.`;
  return new JobError(code ?? "source_corrupt", detail, { cause: error });
};

const REASON_CHARACTERS_MAX = 200;

/** Which part of libvips speaks; for XML it is the whole way down. */
const SPEAKER = /^(?:glib: XML parse error: Error domain \d+ code \d+ on |\w+: )/;

/** @returns the first line that says something to a client: no path, no place in our own result */
const reasonOf = (message: string): string | undefined =>
  message
    .split("\n")
    .map((line) =>
      line
        .replace(/^Input (?:file|buffer) (?:has corrupt header:\s*)?/, "")
        .replace(SPEAKER, "")
        .trim(),
    )
    .find((line) => line !== "" && !/\/|unable to write|Unknown error|unsupported image format/.test(line))
    ?.replace(/\.$/, "")
    .slice(0, REASON_CHARACTERS_MAX);
