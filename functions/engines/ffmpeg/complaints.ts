import { JobError } from "../../domain/errors.ts";
import { type FormatId, formatOf } from "../../domain/formats.ts";

/** What ffmpeg and ffprobe say about input that they cannot read; the first that is found counts. */
const COMPLAINTS = [
  {
    said: /DRM protected|encrypted|No valid decryption key/i,
    code: "unsupported_feature",
    what: "is protected by DRM",
  },
  {
    said: /decoder not found|Decoder \([^)]*\) not found|Unknown decoder|no decoder found|Decoding requested, but no decoder|not (?:yet )?implemented|Unsupported codec|not supported|patches? welcome/i,
    code: "unsupported_feature",
    what: "uses something that is not supported",
  },
  {
    said: /not on whitelist|not in whitelist/i,
    code: "source_mismatch",
    what: "is something else than it claims to be",
  },
  {
    said: /Picture size|pixels.*invalid|exceeds.*max_pixels|Cannot allocate memory/i,
    code: "too_many_pixels",
    what: "has frames that are too large",
  },
  {
    said: /Invalid data|moov atom not found|End of file|does not contain any stream|could not find codec parameters|Cannot determine format of input|incomplete frame|Sample rate 0|g_timebase\.num out of range|width is not set|Invalid argument|error reading|Error while decoding|Error opening input|Failed to open|Operation not permitted/i,
    code: "source_corrupt",
    what: "could not be read",
  },
] as const;

/** Words about what we asked for. */
const OURS =
  /Failed to set value|Unrecognized option|Option not found|Error (?:re)?initializing (?:complex )?filter|No such filter|Unknown encoder|Error splitting the argument list/;

/** Words that seem to be about what we asked for, and come of frames without a size and sound without a rate. */
const NOTHING = /Unable to parse option value "0x0"|time_base to value 1\/0/;

/** @returns the error that the program's words mean; undefined where they are not about the input */
export const complaint = (stderr: string, format: FormatId): JobError | undefined => {
  if (OURS.test(stderr) && !NOTHING.test(stderr)) {
    return undefined;
  }
  const row = COMPLAINTS.find(({ said }) => said.test(stderr));
  return row && new JobError(row.code, `The ${formatOf(format).name} ${row.what}${reasonOf(stderr, row.said)}.`);
};

/** The line that was found, without the address of the part of ffmpeg that says it and without paths. */
const reasonOf = (stderr: string, said: RegExp): string => {
  const line = stderr.split("\n").find((found) => said.test(found)) ?? "";
  const words = line
    .replaceAll(/\[[^\]]*\]\s*/g, "")
    .replaceAll(/file:\S*:?\s*/g, "")
    .replaceAll(/[^\x20-\x7e]+/g, " ")
    .replace(/\.\s*$/, "")
    .trim();
  return words === "" ? "" : `: ${words.slice(0, 200)}`;
};

/** Decoders' words about data that they skip or patch up. */
const DAMAGE =
  /Invalid data|corrupt|error while decoding|concealing|decode_slice|Header missing|Truncat|invalid (?:frame|packet|NAL)|partial file/i;

/** @returns how many times the program complained of damage that it went on over */
export const damages = (stderr: string): number => stderr.split("\n").filter((line) => DAMAGE.test(line)).length;
