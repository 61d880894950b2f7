import { OUTPUT_BYTES_MAX } from "../../../domain/conversions/conversion-limits.ts";
import { lanes } from "../../../domain/conversions/lanes.ts";
import { JobError } from "../../../domain/errors.ts";
import { ProgramCrash, type ProgramResult, type ProgramRun, runProgram } from "../../core/program.ts";

/** One run of ffmpeg. */
export interface Run {
  readonly arguments: readonly string[];
  /** Working directory: the folder of the step. */
  readonly folder: string;
  /** Seconds of output after which ffmpeg is stopped: the source is longer than allowed, or endless. */
  readonly secondsMax: number;
  /** Called at least once per second with the seconds of output so far. */
  readonly onSeconds?: (seconds: number) => void;
}

export interface RunResult {
  readonly code: number;
  readonly stderr: string;
  /** Seconds of output, as counted by ffmpeg. */
  readonly seconds: number;
}

/** Maximum bytes of one allocation: an 8K frame with four 16-bit channels takes 270 MB. */
const ALLOCATION_BYTES_MAX = 600_000_000;

const ALWAYS = [
  ...["-hide_banner", "-nostdin", "-loglevel", "error", "-max_alloc", String(ALLOCATION_BYTES_MAX)],
  ...["-progress", "pipe:1", "-stats_period", "0.5"],
];

/** Limit for every output; ffmpeg stops there without a message. */
export const OUTPUT_LIMIT = ["-fs", String(OUTPUT_BYTES_MAX)];

/** The pool stops jobs that exceed the time of their lane; this timeout applies when ffmpeg runs without a pool. */
const TIMEOUT_MS = lanes.media.conversionSecondsMax * 1_000;

/**
 * @throws JobError `too_long`; `engine_failed` when the result could not be written, which ffmpeg reports with exit code
 * 0; and the errors of {@link runProgram}
 */
export const runFfmpeg = async ({ folder, secondsMax, onSeconds, ...run }: Run): Promise<RunResult> => {
  let seconds = 0;
  const { code, stderr } = await unbroken({
    program: "ffmpeg",
    arguments: [...ALWAYS, ...run.arguments],
    folder,
    timeoutMs: TIMEOUT_MS,
    isPatient: true,
    onOutput: (chunk) => {
      const microseconds = /.*out_time_us=(\d+)/s.exec(chunk.toString("latin1"))?.[1];
      seconds = microseconds === undefined ? seconds : Number(microseconds) / 1_000_000;
      onSeconds?.(seconds);
      if (seconds > secondsMax) {
        throw tooLong(seconds, secondsMax);
      }
    },
  });
  if (WRITE_ERRORS.test(stderr)) {
    throw new JobError("engine_failed", "ffmpeg could not write its complete result.", { cause: stderr });
  }
  return { code, stderr, seconds };
};

/** A decoder crash is reproducible, and only the file can cause it. */
const unbroken = async (run: ProgramRun): Promise<ProgramResult> => {
  try {
    return await runProgram(run);
  } catch (error) {
    if (error instanceof ProgramCrash && error.signal !== null && CRASHES.includes(error.signal)) {
      throw new JobError("source_corrupt", "The recording is damaged and crashed its decoder.", { cause: error });
    }
    throw error;
  }
};

/** Signals of a crashed process; a process stopped from outside gets others. */
const CRASHES: readonly NodeJS.Signals[] = ["SIGABRT", "SIGBUS", "SIGFPE", "SIGILL", "SIGSEGV"];

/** Messages about storage that is full or broken. Other errors of a trailer are about the content. */
const WRITE_ERRORS =
  /No space left on device|Disk quota exceeded|(?:writing trailer|closing file) .*Input\/output error/;

export const tooLong = (seconds: number, secondsMax: number): JobError =>
  new JobError(
    "too_long",
    `The recording has ${Math.round(seconds)} s; the maximum is ${secondsMax} s. ` +
      "Use trim_start and trim_end to select a part.",
  );
