import { type ChildProcess, spawn } from "node:child_process";
import { Socket } from "node:net";
import { tmpdir } from "node:os";
import {
  CONVERTER_IDLE_BYTES_MAX,
  CONVERTER_JOBS_MAX,
  CONVERTER_MEMORY_BYTES_MAX,
} from "../domain/conversion-limits.ts";
import { JobError } from "../domain/errors.ts";
import type { ConversionResult, ConversionTask } from "./convert.ts";
import { groupBytes, residentBytes } from "./io/memory.ts";
import { converterMessage } from "./messages.ts";
import { pool } from "./pool.ts";
import { type DiskLimits, diskLimits, watchDisk } from "./walls/disk.ts";
import { type Enclosure, limitsAlone } from "./walls/enclosure.ts";
import { endOf } from "./walls/end.ts";
import { scrubbedEnvironment } from "./walls/environment.ts";
import { CONVERTER_AGE_MS_MAX, PROCESSES_MAX } from "./walls/limits.ts";
import { type Admitted, isResult, placeFor } from "./walls/place.ts";
import { below, gone, treeOf } from "./walls/tree.ts";

/** The only place that starts processes. */

export interface RunLimits {
  /** Milliseconds after which the conversion is killed. */
  readonly timeoutMs: number;
  /** Bytes of memory of the conversion with its programs. @default that of the pool */
  readonly memoryBytesMax?: number;
  /** Bytes and files on the disk. @default what an archive, its result and an input may have, and nine tenths of the disk */
  readonly disk?: DiskLimits;
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
  /** Milliseconds after which a process is replaced. @default CONVERTER_AGE_MS_MAX */
  readonly ageMsMax?: number;
  /** The walls around each process. @default limits alone */
  readonly enclosure?: Enclosure;
  /** Where converters that see no other files have theirs: on the disk of the tasks' folders. @default that of the system */
  readonly scratchFolder?: string;
}

const WAITING_MAX = 1_000;

/** No process is started before there is something to convert. */
export const converterPool = (settings: ConverterPoolSettings): ConverterPool => {
  const { size, jobsMax = CONVERTER_JOBS_MAX, idleBytesMax = CONVERTER_IDLE_BYTES_MAX } = settings;
  const { ageMsMax = CONVERTER_AGE_MS_MAX } = settings;
  const converters = pool({
    size,
    waitingMax: settings.waitingMax ?? WAITING_MAX,
    start: () => startConverter(settings),
    isFit: ({ done, ageMs, memoryBytes, isAlive }) =>
      isAlive() && done() < jobsMax && ageMs() < ageMsMax && memoryBytes() <= idleBytesMax,
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
  ageMs(): number;
  memoryBytes(): number;
  isAlive(): boolean;
  /** Kills it with all that it started. Resolves when it is gone. */
  kill(): Promise<void>;
}

const startConverter = (settings: ConverterPoolSettings): Converter => {
  const { enclosure = limitsAlone, memoryBytesMax = CONVERTER_MEMORY_BYTES_MAX } = settings;
  const place = placeFor(enclosure.walls, settings.scratchFolder ?? tmpdir());
  const child = startWithin(enclosure, place.folder, settings.entry);
  const stderr = tailOf(child);
  const started = performance.now();
  /** The first process inside, with which all others end. */
  let first: number | undefined;
  let done = 0;
  let alive = true;
  const exited = new Promise<JobError>((resolve) => {
    child.once("exit", (code, signal) => {
      alive = false;
      // Where the one outside ends first, those inside are killed a moment later.
      void gone(first).then(() => resolve(endOf(code, signal, stderr())));
    });
    child.once("error", (cause) => {
      alive = false;
      resolve(new JobError("engine_crashed", "The converter could not be started.", { cause }));
    });
  });
  const kill = async (): Promise<void> => {
    hold(child, true);
    killAll(child, enclosure);
    await exited;
    await place.remove();
  };
  if (enclosure.walls.includes("processes")) {
    child.once("message", () => {
      first = below(child.pid, 1);
    });
  }
  hold(child, false);
  return {
    run: async (task, limits) => {
      const admitted = place.admit(task);
      hold(child, true);
      try {
        const written = [admitted.task.folder, ...place.written];
        const result = await converse(child, admitted.task, { memoryBytesMax, ...limits, exited, enclosure, written });
        return { ...result, output: admitted.outside(result.output) };
      } finally {
        done += 1;
        hold(child, false);
        await takeBack(admitted, kill);
      }
    },
    done: () => done,
    ageMs: () => performance.now() - started,
    memoryBytes: () => residentBytes(below(child.pid, enclosure.depth)),
    isAlive: () => alive,
    kill,
  };
};

const startWithin = (enclosure: Enclosure, folder: string, entry: string): ChildProcess => {
  const temporary = enclosure.walls.includes("files") ? "/tmp" : folder || tmpdir();
  const environment = scrubbedEnvironment(temporary);
  const [program, ...args] = enclosure.command([process.execPath, entry], { folder, entry, environment });
  // A process group of its own, so that what an engine starts dies with it.
  return spawn(program, args, {
    detached: true,
    cwd: tmpdir(),
    env: environment,
    stdio: ["ignore", "ignore", "pipe", "ipc"],
  });
};

const MEMORY_LOOK_MS = 250;

interface Conversation extends RunLimits {
  readonly exited: Promise<JobError>;
  readonly memoryBytesMax: number;
  readonly enclosure: Enclosure;
  /** The folders that the converter writes to. */
  readonly written: readonly string[];
}

/** Gives the task to the process and waits for its end; a limit that is reached kills the process. */
const converse = async (child: ChildProcess, task: ConversionTask, limits: Conversation): Promise<ConversionResult> => {
  const { timeoutMs, signal, onProgress, exited, enclosure, written, disk = diskLimits(task.folder) } = limits;
  let reason: unknown;
  const end = (why: unknown): void => {
    reason ??= why;
    killAll(child, enclosure);
  };
  const onAbort = () => end(signal?.reason);
  const timer = setTimeout(
    () => end(new JobError("timed_out", `The conversion took over ${timeoutMs / 1_000} s.`)),
    timeoutMs,
  );
  const look = setInterval(() => {
    const error = excess(child, limits);
    if (error !== undefined) {
      end(error);
    }
  }, MEMORY_LOOK_MS);
  const unwatch = watchDisk(written, disk, end);
  signal?.addEventListener("abort", onAbort);
  let listener: ((message: unknown) => void) | undefined;
  try {
    const answered = new Promise<ConversionResult>((resolve, reject) => {
      listener = (message) => {
        const said = converterMessage(message);
        if (said === undefined || ("result" in said && !isResult(said.result.output, task.folder))) {
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
    unwatch();
    signal?.removeEventListener("abort", onAbort);
    if (listener !== undefined) {
      child.off("message", listener);
    }
  }
};

/** @returns why the conversion may not go on; undefined when it may */
const excess = ({ pid }: ChildProcess, { enclosure, memoryBytesMax }: Conversation): JobError | undefined => {
  const own = enclosure.walls.includes("processes");
  const { bytes, processes } = own ? treeOf(pid) : { bytes: groupBytes(pid), processes: 0 };
  if (bytes > memoryBytesMax) {
    return new JobError("out_of_memory", `The conversion needed over ${memoryBytesMax} bytes of memory.`);
  }
  return processes > PROCESSES_MAX
    ? new JobError("engine_crashed", `The conversion started over ${PROCESSES_MAX} processes.`)
    : undefined;
};

/** @param kill ends a converter that did away with the folder: it does what it wants, and not what its program says */
const takeBack = async (admitted: Pick<Admitted<unknown>, "giveBack">, kill: () => Promise<void>): Promise<void> => {
  try {
    admitted.giveBack();
  } catch (error) {
    await kill();
    throw error;
  }
};

/**
 * In a namespace of its own all end with the first process inside, also what has left the group; and the one outside ends
 * after them, so that its end tells of theirs.
 */
const killAll = (child: ChildProcess, { walls }: Enclosure): void => {
  const first = walls.includes("processes") ? below(child.pid, 1) : undefined;
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
