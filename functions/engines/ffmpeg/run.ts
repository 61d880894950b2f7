import { OUTPUT_BYTES_MAX } from "../../domain/conversion-limits.ts";
import { JobError } from "../../domain/errors.ts";
import { lanes } from "../../domain/lanes.ts";
import { type ProgramResult, type ProgramRun, runProgram } from "../io/program.ts";

/** One run of ffmpeg. */
export interface Run {
  readonly arguments: readonly string[];
  /** The folder that it works in: the step's own. */
  readonly folder: string;
  /** Seconds of the result at which it is ended: the source is longer than it may be, or has no end. */
  readonly secondsMax: number;
  /** Called at least once a second with the seconds of the result that are there. */
  readonly onSeconds?: (seconds: number) => void;
}

export interface RunResult {
  readonly code: number;
  readonly stderr: string;
  /** Seconds of the result, as ffmpeg counts them. */
  readonly seconds: number;
}

/** Bytes of one piece of memory: a frame of 8K in sixteen bits and four channels has 270 MB. */
const ALLOCATION_BYTES_MAX = 600_000_000;

const ALWAYS = [
  ...["-hide_banner", "-nostdin", "-loglevel", "error", "-max_alloc", String(ALLOCATION_BYTES_MAX)],
  ...["-progress", "pipe:1", "-stats_period", "0.5"],
];

/** What every output is held to; ffmpeg stops there without a word. */
export const OUTPUT_LIMIT = ["-fs", String(OUTPUT_BYTES_MAX)];

/** The pool ends what takes longer than its lane allows; this is for whoever runs it without. */
const TIMEOUT_MS = lanes.media.conversionSecondsMax * 1_000;

/** @throws JobError `too_long`, and as {@link runProgram} does */
export const runFfmpeg = async ({ folder, secondsMax, onSeconds, ...run }: Run): Promise<RunResult> => {
  let seconds = 0;
  const { code, stderr } = await unbroken({
    program: "ffmpeg",
    arguments: [...ALWAYS, ...run.arguments],
    folder,
    timeoutMs: TIMEOUT_MS,
    isPatient: true,
    onOutput: (chunk) => {
      const said = /.*out_time_us=(\d+)/s.exec(chunk.toString("latin1"))?.[1];
      seconds = said === undefined ? seconds : Number(said) / 1_000_000;
      onSeconds?.(seconds);
      if (seconds > secondsMax) {
        throw tooLong(seconds, secondsMax);
      }
    },
  });
  return { code, stderr, seconds };
};

/** A decoder that breaks off in the middle does so again: only the file can have brought it there. */
const unbroken = async (run: ProgramRun): Promise<ProgramResult> => {
  try {
    return await runProgram(run);
  } catch (error) {
    if (error instanceof JobError && BREAKS.test(error.message)) {
      throw new JobError("source_corrupt", "The recording is damaged: its decoder broke off.", { cause: error });
    }
    throw error;
  }
};

/** Signals of a process that did what it may not; what ends it from outside are others. */
const BREAKS = /was ended by SIG(?:ABRT|BUS|FPE|ILL|SEGV)\.$/;

export const tooLong = (seconds: number, secondsMax: number): JobError =>
  new JobError(
    "too_long",
    `The recording has ${Math.round(seconds)} s; at most ${secondsMax} are allowed. ` +
      "Ask for a part of it with trim_start and trim_end.",
  );
