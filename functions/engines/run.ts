import { type ChildProcess, fork } from "node:child_process";
import { Socket } from "node:net";
import { tmpdir } from "node:os";
import { resolve as absolute, dirname } from "node:path";
import { JobError } from "../domain/errors.ts";
import { CONVERTER_IDLE_BYTES_MAX, CONVERTER_JOBS_MAX, CONVERTER_MEMORY_BYTES_MAX } from "../domain/limits.ts";
import type { ConversionResult, ConversionTask } from "./convert.ts";
import { groupBytes, residentBytes } from "./io/memory.ts";
import { converterMessage } from "./messages.ts";
import { pool } from "./pool.ts";

/** The only place that starts processes. */

export interface RunLimits {
  /** Milliseconds after which the conversion is killed. */
  readonly timeoutMs: number;
  /** Bytes of memory of the conversion with its programs. @default that of the pool */
  readonly memoryBytesMax?: number;
  /** Ends the conversion early; it then fails with the signal's reason. */
  readonly signal?: AbortSignal;
  /** Called with percent, below 100. */
  readonly onProgress?: (percent: number) => void;
}

/** A number of converter processes, which stay when a conversion is done, so that the next one finds its engine loaded. */
export interface ConverterPool {
  readonly size: number;
  /**
   * Converts in a process that does nothing else meanwhile. When it settles, nothing writes to the task's folder.
   * @throws JobError as the engines do, and `timed_out`, `out_of_memory`, `engine_crashed`. The cause is for the log.
   */
  run(task: ConversionTask, limits: RunLimits): Promise<ConversionResult>;
  /** Kills all processes; what they convert fails, and so does what is asked for later. */
  stop(): Promise<void>;
}

export interface ConverterPoolSettings {
  readonly size: number;
  /** Path of the program: `converter.ts`, or its bundle. */
  readonly entry: string;
  /** @default CONVERTER_MEMORY_BYTES_MAX */
  readonly memoryBytesMax?: number;
  /** @default CONVERTER_IDLE_BYTES_MAX */
  readonly idleBytesMax?: number;
  /** Conversions after which a process is replaced. @default CONVERTER_JOBS_MAX */
  readonly jobsMax?: number;
  /** Conversions that may wait for a process; one more fails. @default 1,000 */
  readonly waitingMax?: number;
}

const WAITING_MAX = 1_000;

/** No process is started before there is something to convert. */
export const converterPool = (settings: ConverterPoolSettings): ConverterPool => {
  const { size, jobsMax = CONVERTER_JOBS_MAX, idleBytesMax = CONVERTER_IDLE_BYTES_MAX } = settings;
  const converters = pool({
    size,
    waitingMax: settings.waitingMax ?? WAITING_MAX,
    start: () => startConverter(settings),
    isFit: ({ done, memoryBytes, isAlive }) => isAlive() && done() < jobsMax && memoryBytes() <= idleBytesMax,
    end: (converter) => converter.kill(),
  });
  return {
    size,
    run: (task, limits) => converters.use((converter) => converter.run(task, limits)),
    stop: converters.stop,
  };
};

/** One process. */
interface Converter {
  run(task: ConversionTask, limits: RunLimits): Promise<ConversionResult>;
  /** Conversions that it has ended. */
  done(): number;
  memoryBytes(): number;
  isAlive(): boolean;
  /** Kills it with all that it started. Resolves when it is gone. */
  kill(): Promise<void>;
}

const startConverter = ({ entry, memoryBytesMax = CONVERTER_MEMORY_BYTES_MAX }: ConverterPoolSettings): Converter => {
  const child = fork(entry, [], {
    // A process group of its own, so that what an engine starts dies with it.
    detached: true,
    cwd: tmpdir(),
    env: scrubbedEnvironment(),
    execArgv: [],
    stdio: ["ignore", "ignore", "pipe", "ipc"],
  });
  const stderr = tailOf(child);
  let done = 0;
  let alive = true;
  const exited = new Promise<JobError>((resolve) => {
    const crashed = (how: string, cause?: Error) => {
      alive = false;
      resolve(new JobError("engine_crashed", `The converter ${how}.`, { cause: cause ?? stderr() }));
    };
    child.once("exit", (code, signal) =>
      crashed(signal === null ? `ended with code ${code}` : `was ended by ${signal}`),
    );
    child.once("error", (error) => crashed("could not be started", error));
  });
  const kill = async (): Promise<void> => {
    hold(child, true);
    killGroup(child);
    await exited;
  };
  hold(child, false);
  return {
    run: async (task, limits) => {
      hold(child, true);
      try {
        return await converse(child, task, { memoryBytesMax, ...limits, exited });
      } finally {
        done += 1;
        hold(child, false);
      }
    },
    done: () => done,
    memoryBytes: () => residentBytes(child.pid),
    isAlive: () => alive,
    kill,
  };
};

const MEMORY_LOOK_MS = 250;

/** Gives the task to the process and waits for its end; a limit that is reached kills the process. */
const converse = async (
  child: ChildProcess,
  task: ConversionTask,
  limits: RunLimits & { readonly exited: Promise<JobError>; readonly memoryBytesMax: number },
): Promise<ConversionResult> => {
  const { timeoutMs, signal, onProgress, exited, memoryBytesMax } = limits;
  let reason: unknown;
  const end = (why: unknown): void => {
    reason ??= why;
    killGroup(child);
  };
  const onAbort = () => end(signal?.reason);
  const timer = setTimeout(
    () => end(new JobError("timed_out", `The conversion took over ${timeoutMs / 1_000} s.`)),
    timeoutMs,
  );
  const look = setInterval(() => {
    if (groupBytes(child.pid) > memoryBytesMax) {
      end(new JobError("out_of_memory", `The conversion needed over ${memoryBytesMax} bytes of memory.`));
    }
  }, MEMORY_LOOK_MS);
  signal?.addEventListener("abort", onAbort);
  let listener: ((message: unknown) => void) | undefined;
  try {
    const answered = new Promise<ConversionResult>((resolve, reject) => {
      listener = (message) => {
        const said = converterMessage(message);
        if (said === undefined || ("result" in said && dirname(said.result.output) !== absolute(task.folder))) {
          end(new JobError("engine_crashed", "The converter gave an answer that makes no sense."));
        } else if ("progress" in said) {
          onProgress?.(said.progress);
        } else if ("error" in said) {
          const { code, detail, cause } = said.error;
          reject(new JobError(code, detail, { cause }));
        } else {
          resolve(said.result);
        }
      };
      child.on("message", listener);
      signal?.throwIfAborted();
      // When the channel is closed already, the process has ended, and that says more than the failure to send.
      child.send(task, () => {});
    });
    return await Promise.race([
      answered,
      exited.then((crash) => {
        throw reason ?? crash;
      }),
    ]);
  } finally {
    clearTimeout(timer);
    clearInterval(look);
    signal?.removeEventListener("abort", onAbort);
    if (listener !== undefined) {
      child.off("message", listener);
    }
  }
};

/** Nothing of ours reaches a program that reads strangers' bytes: no credentials, no names of tables or buckets. */
const scrubbedEnvironment = (): NodeJS.ProcessEnv => {
  // biome-ignore lint/style/noProcessEnv: it hands on what others need, and reads nothing
  const { PATH, LANG, NODE_PATH, NODE_COMPILE_CACHE, LD_LIBRARY_PATH, FONTCONFIG_FILE, FONTCONFIG_PATH } = process.env;
  const places = { PATH, NODE_PATH, NODE_COMPILE_CACHE, LD_LIBRARY_PATH, FONTCONFIG_FILE, FONTCONFIG_PATH };
  return { ...places, LANG, HOME: tmpdir(), TMPDIR: tmpdir() };
};

const killGroup = ({ pid }: ChildProcess): void => {
  if (pid === undefined) {
    return;
  }
  try {
    process.kill(-pid, "SIGKILL");
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) {
      throw error;
    }
  }
};

const STDERR_BYTES_MAX = 8_192;

/** @returns a function that gives the end of what the process has written to its standard error */
const tailOf = (child: ChildProcess): (() => string) => {
  let tail = Buffer.alloc(0);
  child.stderr?.on("data", (chunk: Buffer) => {
    tail = Buffer.concat([tail, chunk]).subarray(-STDERR_BYTES_MAX);
  });
  return () => tail.toString("utf8");
};

/** While it converts, the process keeps this one alive; while it waits, it does not. */
const hold = (child: ChildProcess, held: boolean): void => {
  const call = held ? "ref" : "unref";
  child[call]();
  child.channel?.[call]();
  if (child.stderr instanceof Socket) {
    child.stderr[call]();
  }
};
