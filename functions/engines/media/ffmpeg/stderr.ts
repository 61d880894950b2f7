import { JobError } from "../../../domain/errors.ts";
import { type FormatId, formatOf } from "../../../domain/formats/formats.ts";

/** Error messages of ffmpeg and ffprobe about unreadable input; the first match counts. */
const MESSAGES = [
  {
    pattern: /DRM protected|encrypted|No valid decryption key/i,
    code: "unsupported_feature",
    what: "is protected by DRM",
  },
  {
    pattern:
      /decoder not found|Decoder \([^)]*\) not found|Unknown decoder|no decoder found|Decoding requested, but no decoder|not (?:yet )?implemented|Unsupported codec|not supported|patches? welcome/i,
    code: "unsupported_feature",
    what: "uses an unsupported feature",
  },
  {
    pattern: /not on whitelist|not in whitelist/i,
    code: "source_mismatch",
    what: "does not match its declared type",
  },
  {
    pattern: /Picture size|pixels.*invalid|exceeds.*max_pixels|Cannot allocate memory/i,
    code: "too_many_pixels",
    what: "has frames that are too large",
  },
  {
    pattern:
      /Invalid data|moov atom not found|End of file|does not contain any stream|could not find codec parameters|Cannot determine format of input|incomplete frame|Sample rate 0|g_timebase\.num out of range|width is not set|Invalid argument|error reading|Error while decoding|Error opening input|Failed to open|Operation not permitted/i,
    code: "source_corrupt",
    what: "could not be read",
  },
] as const;

/** Messages about our own arguments. */
const OURS =
  /Failed to set value|Unrecognized option|Option not found|Error (?:re)?initializing (?:complex )?filter|No such filter|Unknown encoder|Error splitting the argument list/;

/**
 * Messages that seem to be about our arguments, but are caused by frames without a size and audio without a sample
 * rate.
 */
const NOTHING = /Unable to parse option value "0x0"|time_base to value 1\/0/;

/** @returns the error for the program's message; undefined if the message is not about the input */
export const inputError = (stderr: string, format: FormatId): JobError | undefined => {
  if (OURS.test(stderr) && !NOTHING.test(stderr)) {
    return undefined;
  }
  const row = MESSAGES.find(({ pattern }) => pattern.test(stderr));
  return (
    row && new JobError(row.code, `The ${formatOf(format).name} file ${row.what}${reasonOf(stderr, row.pattern)}.`)
  );
};

/** The matching line, without the address of the ffmpeg component and without paths. */
const reasonOf = (stderr: string, pattern: RegExp): string => {
  const line = stderr.split("\n").find((found) => pattern.test(found)) ?? "";
  const words = line
    .replaceAll(/\[[^\]]*\]\s*/g, "")
    .replaceAll(/file:\S*:?\s*/g, "")
    .replaceAll(/[^\x20-\x7e]+/g, " ")
    .replace(/\.\s*$/, "")
    .trim();
  return words === "" ? "" : `: ${words.slice(0, 200)}`;
};

/** Decoder messages about data that was skipped or concealed. */
const DAMAGE =
  /Invalid data|corrupt|error while decoding|concealing|decode_slice|Header missing|Truncat|invalid (?:frame|packet|NAL)|partial file/i;

/** @returns the number of messages about damage that did not stop the program */
export const damages = (stderr: string): number => stderr.split("\n").filter((line) => DAMAGE.test(line)).length;
