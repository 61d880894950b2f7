import { type ChildProcess, spawn } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { setPriority } from "node:os";
import { delimiter, join } from "node:path";
import { JobError } from "../../domain/errors.ts";

/** A program of the system that an engine starts: it belongs to the converter's process group, and dies with it. */
export interface ProgramRun {
  readonly program: string;
  readonly arguments: readonly string[];
  /** The folder that it works in: the step's own. */
  readonly folder: string;
  /** Given to its standard input. @default nothing */
  readonly input?: Uint8Array;
  /** Variables beside those of the converter. */
  readonly environment?: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  /** Bytes of standard output that are kept. More is an error. @default 1 MB */
  readonly outputBytesMax?: number;
  /** Takes standard output as it comes, in place of its being kept. What it throws ends the program, and is the error. */
  readonly onOutput?: (chunk: Buffer) => void;
  /** Whether everything else goes first: it takes all cores for minutes. @default false */
  readonly isPatient?: boolean;
}

export interface ProgramResult {
  /** 0 means success to most programs, but not to all: look at what they left. */
  readonly code: number;
  readonly stdout: Buffer;
  /** The end of what it wrote there. */
  readonly stderr: string;
}

const OUTPUT_BYTES = 1_000_000;
const STDERR_BYTES_MAX = 8_192;

/**
 * Runs a program to its end, without a shell.
 *
 * @throws JobError `timed_out`, `engine_crashed` when a signal ended it or it could not be started, `output_too_large`
 */
export const runProgram = (run: ProgramRun): Promise<ProgramResult> =>
  new Promise((resolve, reject) => {
    const { program, timeoutMs, outputBytesMax = OUTPUT_BYTES } = run;
    const child = spawn(program, run.arguments, {
      cwd: run.folder,
      env: { ...process.env, ...run.environment },
      stdio: ["pipe", "pipe", "pipe"],
    });
    const stdout: Buffer[] = [];
    let bytes = 0;
    let stderr = Buffer.alloc(0);
    if (run.isPatient) {
      setPatient(child.pid);
    }
    const end = (error: unknown): void => {
      child.kill("SIGKILL");
      reject(error);
    };
    const timer = setTimeout(
      () => end(new JobError("timed_out", `The program ${program} took over ${timeoutMs / 1_000} s.`)),
      timeoutMs,
    );
    child.stdout.on("data", (chunk: Buffer) => {
      if (run.onOutput !== undefined) {
        try {
          run.onOutput(chunk);
        } catch (error) {
          end(error);
        }
        return;
      }
      bytes += chunk.length;
      stdout.push(chunk);
      if (bytes > outputBytesMax) {
        end(new JobError("output_too_large", `The program ${program} gave over ${outputBytesMax} bytes.`));
      }
    });
    child.stderr.on("data", (chunk: Buffer) => {
      stderr = Buffer.concat([stderr, chunk]).subarray(-STDERR_BYTES_MAX);
    });
    // A program may end without having read all: its exit tells more than the broken pipe.
    child.stdin.on("error", () => {});
    child.stdin.end(run.input);
    child.once("error", (cause) => {
      clearTimeout(timer);
      reject(new JobError("engine_crashed", `The program ${program} could not be started.`, { cause }));
    });
    child.once("close", (code, signal) => {
      clearTimeout(timer);
      if (signal === "SIGXFSZ") {
        reject(new JobError("output_too_large", `The program ${program} wrote a file that is too large.`));
        return;
      }
      if (code === null) {
        reject(
          new JobError("engine_crashed", `The program ${program} was ended by ${signal}.`, { cause: String(stderr) }),
        );
        return;
      }
      resolve({ code, stdout: Buffer.concat(stdout), stderr: stderr.toString("utf8") });
    });
  });

/**
 * Starts a program that stays, and is spoken with through its standard input and output.
 *
 * @param pipes further pipes that it has, from descriptor 3 on
 */
export const startProgram = (program: string, parameters: readonly string[], pipes = 0): ChildProcess =>
  spawn(program, parameters, {
    stdio: ["pipe", "pipe", "ignore", ...Array.from({ length: pipes }, () => "pipe" as const)],
  });

/** @returns the paths of all programs of this name that are found, in their order */
export const pathsOf = (name: string): string[] =>
  (process.env.PATH ?? "")
    .split(delimiter)
    .filter(Boolean)
    .map((folder) => join(folder, name))
    .filter(isProgram);

/** @returns whether there is a file that may be started */
export const isProgram = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

/** Half way to the lowest priority of POSIX. */
const PATIENCE = 10;

const setPatient = (pid: number | undefined): void => {
  try {
    if (pid !== undefined) {
      setPriority(pid, PATIENCE);
    }
  } catch {
    // It has ended already, or the system does not let us.
  }
};
