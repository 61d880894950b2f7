import { secondsOf } from "../../../domain/conversions/media-times.ts";
import { JobError } from "../../../domain/errors.ts";
import type { Wanted } from "./task.ts";

/** The requested part of the source: its start and duration. */
export interface Part {
  readonly reading: readonly string[];
  /** Seconds of the part; undefined if the source does not declare its duration. */
  readonly seconds: number | undefined;
  readonly isTrimmed: boolean;
}

/**
 * @param seconds duration of the source
 * @throws JobError `unsupported_feature` when the part is empty
 */
export const partOf = ({ options }: Wanted, seconds: number | undefined): Part => {
  const [start, end] = [secondsOf(options.trim_start) ?? 0, secondsOf(options.trim_end)];
  if (end !== undefined && end <= start) {
    throw new JobError("unsupported_feature", `trim_end (${end} s) must be after trim_start (${start} s).`);
  }
  if (seconds !== undefined && start >= seconds) {
    throw new JobError(
      "unsupported_feature",
      `trim_start (${start} s) is past the end of the recording (${seconds} s).`,
    );
  }
  const isTrimmed = start > 0 || (end !== undefined && end < (seconds ?? Number.POSITIVE_INFINITY));
  const stop = Math.min(end ?? Number.POSITIVE_INFINITY, seconds ?? Number.POSITIVE_INFINITY);
  return {
    reading: [
      ...(start > 0 ? ["-ss", String(start)] : []),
      ...(isTrimmed && end !== undefined ? ["-t", String(end - start)] : []),
    ],
    seconds: Number.isFinite(stop) ? stop - start : undefined,
    isTrimmed,
  };
};
