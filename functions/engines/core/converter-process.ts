import { type ChildProcess, spawn } from "node:child_process";
import { closeSync } from "node:fs";
import { Socket } from "node:net";
import { tmpdir } from "node:os";
import { JobError } from "../../domain/errors.ts";
import { type InputFile, openInputFile } from "./input-file.ts";
import type { ProgramPlace } from "./pool/program-places.ts";
import type { Enclosure } from "./sandbox/enclosure.ts";
import { endOf } from "./sandbox/end.ts";
import { scrubbedEnvironment } from "./sandbox/environment.ts";
import { below, gone } from "./sandbox/tree.ts";
import { parentVariables } from "./watch-parent.ts";

/** A converter process, from its start to its exit. */
export interface ConverterProcess {
  readonly child: ChildProcess;
  /** The bytes of results: see `result-socket.ts`. */
  readonly results: Socket;
  /** The bytes of inputs; closed when the process has exited. */
  readonly input: InputFile;
  /** Resolves after it and everything it started has exited, with the error for that. */
  readonly exited: Promise<JobError>;
  isAlive(): boolean;
  /** A held process keeps this process alive. */
  hold(held: boolean): void;
  /** Kills it and everything it started, without waiting for the end. */
  kill(): void;
}

export interface ProcessSettings {
  readonly enclosure: Enclosure;
  readonly place: ProgramPlace;
  /** Path of the program. */
  readonly entry: string;
  /** Its temporary files, outside the sandbox. Empty: the system's folder. */
  readonly folder: string;
  /** Folders that it does not see. @default none */
  readonly hidden?: readonly string[];
}

/** The index of the pipe for results among the streams of the process. */
const RESULTS_PIPE = 4;

/** Starts a process that is not held. It occupies the place until it exits. */
export const startProcess = (settings: ProcessSettings): ConverterProcess => {
  const { enclosure, place } = settings;
  const input = openInputFile();
  const child = startWithin(settings, input);
  const stderr = tailOf(child);
  /** The first process inside; all others end with it. */
  let first: number | undefined;
  let alive = true;
  const exited = new Promise<JobError>((resolve) => {
    child.once("exit", (code, signal) => {
      alive = false;
      // When the outer process ends first, the inner ones are killed shortly after.
      void gone(first).then(() => resolve(endOf(code, signal, stderr())));
    });
    child.once("error", (cause) => {
      alive = false;
      resolve(new JobError("engine_failed", "The converter could not be started.", { cause }));
    });
  });
  void exited.then(place.release).then(input.close);
  if (enclosure.protections.includes("processes")) {
    child.once("message", () => {
      first = below(child.pid, 1);
    });
  }
  hold(child, false);
  return {
    child,
    results: child.stdio[RESULTS_PIPE] as Socket,
    input,
    exited,
    isAlive: () => alive,
    hold: (held) => hold(child, held),
    kill: () => killAll(child, enclosure),
  };
};

/** Options of Node for converters: see `idle-memory.ts`. Compiled functions must survive the collections of an idle process. */
export const CONVERTER_NODE_OPTIONS: readonly string[] = ["--expose-gc", "--no-flush-bytecode"];

const startWithin = (
  { enclosure, folder, entry, hidden = [], place }: ProcessSettings,
  { readOnly }: InputFile,
): ChildProcess => {
  const temporary = enclosure.protections.includes("files") ? "/tmp" : folder || tmpdir();
  const parent = parentVariables(enclosure.protections.includes("processes"));
  const environment = { ...scrubbedEnvironment(temporary), ...place.environment, ...parent };
  const [program, ...args] = enclosure.command([process.execPath, ...CONVERTER_NODE_OPTIONS, entry], {
    folder,
    entry,
    environment,
    hidden,
  });
  // A separate process group, so that what an engine starts dies with it.
  const child = spawn(program, args, {
    detached: true,
    cwd: tmpdir(),
    env: environment,
    stdio: ["ignore", "ignore", "pipe", "ipc", "pipe", readOnly],
  });
  closeSync(readOnly);
  return child;
};

/**
 * In a separate PID namespace, all processes end with the first one inside, including those that left the process
 * group; and the outer process ends after them, so its exit signals theirs. Without a namespace, the process group is
 * killed.
 */
const killAll = (child: ChildProcess, { protections }: Enclosure): void => {
  const first = protections.includes("processes") ? below(child.pid, 1) : undefined;
  const target = first ?? (child.pid === undefined ? undefined : -child.pid);
  try {
    if (target !== undefined) {
      process.kill(target, "SIGKILL");
    }
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) {
      throw error;
    }
  }
};

const STDERR_BYTES_MAX = 8_192;

/** @returns a function that returns the end of the process's stderr */
const tailOf = (child: ChildProcess): (() => string) => {
  let tail = Buffer.alloc(0);
  child.stderr?.on("data", (chunk: Buffer) => {
    tail = Buffer.concat([tail, chunk]).subarray(-STDERR_BYTES_MAX);
  });
  return () => tail.toString("utf8");
};

/** A converting process keeps this process alive; an idle one does not. */
const hold = (child: ChildProcess, held: boolean): void => {
  const call = held ? "ref" : "unref";
  child[call]();
  child.channel?.[call]();
  for (const stream of [child.stderr, child.stdio[RESULTS_PIPE]]) {
    if (stream instanceof Socket) {
      stream[call]();
    }
  }
};
