import { JobError } from "../../domain/errors.ts";
import type { Wanted } from "./task.ts";

/** The part of the source that is wanted: where it begins, and how long it is. */
export interface Part {
  readonly reading: readonly string[];
  /** Seconds of the part; undefined where the source does not say. */
  readonly seconds: number | undefined;
  readonly isTrimmed: boolean;
}

/**
 * @param seconds that there are
 * @throws JobError `unsupported_feature` when nothing is left
 */
export const partOf = ({ options }: Wanted, seconds: number | undefined): Part => {
  const [start, end] = [secondsOf(options.trim_start) ?? 0, secondsOf(options.trim_end)];
  if (end !== undefined && end <= start) {
    throw new JobError("unsupported_feature", `trim_end (${end} s) is not behind trim_start (${start} s).`);
  }
  if (seconds !== undefined && start >= seconds) {
    throw new JobError("unsupported_feature", `The recording ends at ${seconds} s, before trim_start (${start} s).`);
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

/** @returns the seconds of a number, or of a clock's `1:02:03.5` */
export const secondsOf = (time: number | string | undefined): number | undefined =>
  typeof time === "string" ? time.split(":").reduce((sum, part) => 60 * sum + Number(part), 0) : time;
