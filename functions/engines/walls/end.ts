import { constants } from "node:os";
import { JobError } from "../../domain/errors.ts";

/** What a shell adds to the number of a signal that ended a program, for its own code. */
const SIGNALLED = 128;

const signalOf = (code: number | null, signal: NodeJS.Signals | null): string | undefined =>
  signal ?? Object.entries(constants.signals).find(([, number]) => code === SIGNALLED + number)?.[0];

/**
 * What the end of a converter means to its job. Limits that the kernel keeps end it by signals of their own.
 *
 * @param cause its last words, for the log
 */
export const endOf = (code: number | null, ended: NodeJS.Signals | null, cause: string): JobError => {
  const signal = signalOf(code, ended);
  if (signal === "SIGXFSZ") {
    return new JobError("output_too_large", "The conversion wrote a file that is too large.", { cause });
  }
  const how = signal === undefined ? `ended with code ${code}` : `was ended by ${signal}`;
  return new JobError(signal === "SIGXCPU" ? "timed_out" : "engine_crashed", `The converter ${how}.`, { cause });
};
