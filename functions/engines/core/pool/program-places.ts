/** Which converters keep their warm programs open. The others end them soon after a job. */

/** Milliseconds of idle time that are enough for the next document of a batch. */
const BRIEF_IDLE_MS = 10_000;

const VARIABLE = "ANYFORM_PROGRAM_IDLE_MS";

/** One per converter process. */
export interface ProgramPlace {
  /** The environment variables of the converter. */
  readonly environment: Readonly<Record<string, string>>;
  /** Call it once, when the converter has ended. */
  release(): void;
}

/**
 * @param count how many converters keep their programs
 * @returns a function that assigns a place to a new converter
 */
export const programPlaces = (count: number): (() => ProgramPlace) => {
  let left = count;
  return () => {
    const isKept = left > 0;
    left -= isKept ? 1 : 0;
    return {
      environment: isKept ? {} : { [VARIABLE]: String(BRIEF_IDLE_MS) },
      release: () => {
        left += isKept ? 1 : 0;
      },
    };
  };
};

/** @returns milliseconds of idle time after which a program is ended in this converter, at most its usual time */
export const programIdleMs = (
  usualMs: number,
  // biome-ignore lint/style/noProcessEnv: the pool sets the variable for the converter process
  environment: Readonly<Record<string, string | undefined>> = process.env,
): number => Math.min(usualMs, Number(environment[VARIABLE] ?? usualMs));
