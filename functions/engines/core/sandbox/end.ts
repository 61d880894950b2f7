import { constants } from "node:os";
import { JobError, type JobErrorCode } from "../../../domain/errors.ts";

/** A shell exits with this value plus the signal number when a signal ended the program. */
const SIGNALED = 128;

/** Errors by signal; all other signals are crashes. */
const CODES: Readonly<Record<string, JobErrorCode>> = {
  SIGXCPU: "timed_out",
  SIGKILL: "engine_failed",
  SIGTERM: "engine_failed",
};

const signalOf = (code: number | null, signal: NodeJS.Signals | null): string | undefined =>
  signal ?? Object.entries(constants.signals).find(([, number]) => code === SIGNALED + number)?.[0];

/**
 * Maps the exit of a converter to the error of its job. The kernel enforces its limits with specific signals. SIGKILL and
 * SIGTERM are from outside (a shutdown, a machine out of memory), so they are not a crash, for which the file is blamed.
 *
 * @param cause the end of its stderr, for the log
 */
export const endOf = (code: number | null, ended: NodeJS.Signals | null, cause: string): JobError => {
  const signal = signalOf(code, ended);
  if (signal === "SIGXFSZ") {
    return new JobError("output_too_large", "The conversion wrote a file that exceeds the size limit.", { cause });
  }
  const how = signal === undefined ? `exited with code ${code}` : `was terminated by ${signal}`;
  const failure = CODES[signal ?? ""] ?? "engine_crashed";
  return new JobError(failure, `The converter ${how}.`, { cause });
};
