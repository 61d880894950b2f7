import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { accessSync, constants, existsSync } from "node:fs";
import { setPriority } from "node:os";
import { delimiter, join } from "node:path";
import { PassThrough, type Readable, type Writable } from "node:stream";
import { setTimeout as pause } from "node:timers/promises";
import { JobError } from "../../domain/errors.ts";

/** An external program that an engine starts. It belongs to the converter's process group and is killed with it. */
export interface ProgramRun {
  readonly program: string;
  readonly arguments: readonly string[];
  /** Working directory: the step's folder. */
  readonly folder: string;
  /** Given to its standard input. @default nothing */
  readonly input?: Uint8Array;
  /** Variables in addition to the converter's. */
  readonly environment?: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  /** Maximum size of the collected standard output, in bytes; more is an error. @default 1 MB */
  readonly outputBytesMax?: number;
  /**
   * Receives standard output in chunks; it is then not collected. An exception ends the program and becomes the error.
   */
  readonly onOutput?: (chunk: Buffer) => void;
  /**
   * Receives standard output with backpressure; it is then not collected. It is not ended; when it closes, the program
   * is killed.
   */
  readonly outputTo?: Writable;
  /** Whether to run at low priority, for a program that uses all cores for minutes. @default false */
  readonly isPatient?: boolean;
}

/** @returns whether the signal comes from outside: programs never send it to themselves */
export const isFromOutside = (signal: NodeJS.Signals | null): boolean => signal === "SIGKILL" || signal === "SIGTERM";

/** Milliseconds in which a program whose output ended exits. */
export const EXIT_MS_MAX = 2_000;

/** @returns whether a signal from outside ended the program; its exit status is known only after its output has ended */
export const wasKilled = async (child: ChildProcess): Promise<boolean> => {
  if (child.exitCode === null && child.signalCode === null) {
    await Promise.race([once(child, "exit"), pause(EXIT_MS_MAX, undefined, { ref: false })]);
  }
  return isFromOutside(child.signalCode);
};

/** `engine_crashed`: a signal ended the program; `engine_failed`: one from outside, such as of a machine out of memory. */
export class ProgramCrash extends JobError {
  readonly signal: NodeJS.Signals | null;

  constructor(program: string, signal: NodeJS.Signals | null, stderr: string) {
    const code = isFromOutside(signal) ? "engine_failed" : "engine_crashed";
    super(code, `The program ${program} was terminated by ${signal}.`, { cause: stderr });
    this.signal = signal;
  }
}

export interface ProgramResult {
  /** 0 means success for most programs, but not for all: check their output files. */
  readonly code: number;
  readonly stdout: Buffer;
  /** The end of standard error. */
  readonly stderr: string;
}

const OUTPUT_BYTES = 1_000_000;
const STDERR_BYTES_MAX = 8_192;

/**
 * Runs a program until it exits, without a shell.
 *
 * @throws JobError `timed_out`, `engine_crashed` when a signal ended it, `engine_failed` when it could not be started or was
 * killed from outside, `output_too_large`
 */
export const runProgram = (run: ProgramRun): Promise<ProgramResult> =>
  new Promise((resolve, reject) => {
    const { program, timeoutMs } = run;
    const child = spawn(program, run.arguments, {
      cwd: run.folder,
      env: { ...process.env, ...run.environment },
      stdio: ["pipe", "pipe", "pipe"],
    });
    let stderr = Buffer.alloc(0);
    if (run.isPatient) {
      setPatient(child.pid);
    }
    const end = (error: unknown): void => {
      child.kill("SIGKILL");
      reject(error);
    };
    const timer = setTimeout(
      () => end(new JobError("timed_out", `The program ${program} exceeded its time limit of ${timeoutMs / 1_000} s.`)),
      timeoutMs,
    );
    const stdout = takeOutput({ stdout: child.stdout, kill: () => child.kill("SIGKILL") }, run, end);
    child.stderr.on("data", (chunk: Buffer) => {
      stderr = Buffer.concat([stderr, chunk]).subarray(-STDERR_BYTES_MAX);
    });
    // A program may exit before it has read all its input: its exit status is more informative than the broken pipe.
    child.stdin.on("error", () => {});
    child.stdin.end(run.input);
    child.once("error", (cause) => {
      clearTimeout(timer);
      reject(new JobError("engine_failed", `The program ${program} could not be started.`, { cause }));
    });
    child.once("close", (code, signal) => {
      clearTimeout(timer);
      if (signal === "SIGXFSZ") {
        reject(new JobError("output_too_large", `The program ${program} wrote a file that exceeds the size limit.`));
        return;
      }
      if (code === null) {
        reject(new ProgramCrash(program, signal, String(stderr)));
        return;
      }
      resolve({ code, stdout: stdout(), stderr: stderr.toString("utf8") });
    });
  });

/**
 * Passes standard output to its consumer, or collects it.
 *
 * @param end ends the program with an error
 * @returns a function that returns the collected bytes
 */
const takeOutput = (
  { stdout, kill }: { readonly stdout: Readable; kill(): void },
  { program, onOutput, outputTo, outputBytesMax = OUTPUT_BYTES }: ProgramRun,
  end: (error: unknown) => void,
): (() => Buffer) => {
  const kept: Buffer[] = [];
  let bytes = 0;
  const keep = (chunk: Buffer): void => {
    bytes += chunk.length;
    kept.push(chunk);
    if (bytes > outputBytesMax) {
      end(new JobError("output_too_large", `The output of the program ${program} exceeds ${outputBytesMax} bytes.`));
    }
  };
  if (outputTo !== undefined) {
    stdout.pipe(outputTo, { end: false });
    outputTo.once("close", () => {
      kill();
      // The exit is reported only after the pipe is drained.
      stdout.resume();
    });
    return () => Buffer.alloc(0);
  }
  stdout.on("data", (chunk: Buffer) => {
    try {
      (onOutput ?? keep)(chunk);
    } catch (error) {
      end(error);
    }
  });
  return () => Buffer.concat(kept);
};

/** Buffered bytes of standard output. */
const WAITING_BYTES_MAX = 1_048_576;

/**
 * Runs a program and streams its standard output with backpressure. The program is killed when the reader stops early.
 *
 * @param check validates the program's result after its last byte; an exception becomes the error
 * @throws JobError as {@link runProgram}
 */
export const programBytes = async function* (
  run: Omit<ProgramRun, "onOutput" | "outputBytesMax" | "outputTo">,
  check: (result: ProgramResult) => void,
): AsyncGenerator<Buffer> {
  const output = new PassThrough({ highWaterMark: WAITING_BYTES_MAX });
  runProgram({ ...run, outputTo: output })
    .then(check)
    .then(
      () => output.end(),
      (error) => output.destroy(error),
    );
  yield* output;
};

/**
 * Starts a long-running program that communicates through standard input and output.
 *
 * @param pipes number of further pipes, from descriptor 3 on
 */
export const startProgram = (program: string, parameters: readonly string[], pipes = 0): ChildProcess =>
  spawn(program, parameters, {
    stdio: ["pipe", "pipe", "ignore", ...Array.from({ length: pipes }, () => "pipe" as const)],
  });

/** @returns the paths of all programs with this name, in PATH order */
export const pathsOf = (name: string): string[] =>
  (process.env.PATH ?? "")
    .split(delimiter)
    .filter(Boolean)
    .map((folder) => join(folder, name))
    .filter(isProgram);

/** @returns whether the path is an executable file */
export const isProgram = (path: string): boolean => {
  // Most paths do not exist, and a question takes a tenth of an exception.
  if (!existsSync(path)) {
    return false;
  }
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

/** Halfway to the lowest POSIX priority. */
const PATIENCE = 10;

const setPatient = (pid: number | undefined): void => {
  try {
    if (pid !== undefined) {
      setPriority(pid, PATIENCE);
    }
  } catch {
    // It has already ended, or changing the priority is not allowed.
  }
};
