import { JobError } from "../../../domain/errors.ts";
import { converterMessage } from "../checked-message.ts";
import { FileRefused, HelperNeeded } from "../engine.ts";
import { groupBytes } from "../memory.ts";
import type { ConverterMessage, ConverterReply } from "../messages.ts";
import { type DiskLimits, watchDisk } from "../sandbox/disk.ts";
import type { Enclosure } from "../sandbox/enclosure.ts";
import { PROCESSES_MAX } from "../sandbox/limits.ts";
import { treeOf } from "../sandbox/tree.ts";
import type { ProcessExit } from "./process-exit.ts";

/** Limits of one conversion. */
export interface RunLimits {
  /** Milliseconds after which the conversion is killed. */
  readonly timeoutMs: number;
  /** Bytes of memory of the conversion and its programs. @default the pool's limit */
  readonly memoryBytesMax?: number;
  /** Bytes and files on disk. @default the limits of an archive, its result and an input, and 90% of the disk */
  readonly disk?: DiskLimits;
  /** Cancels the conversion; it then fails with the signal's reason. */
  readonly signal?: AbortSignal;
  /** Called with percent, below 100. */
  readonly onProgress?: (percent: number) => void;
}

/** The messaging interface of the process. */
interface Channel {
  readonly pid?: number | undefined;
  send(message: object, sent: () => void): boolean;
  on(event: "message", listener: (message: unknown) => void): unknown;
  off(event: "message", listener: (message: unknown) => void): unknown;
}

/** A conversation with a converter process about one task. */
export interface Conversation<Result> extends RunLimits {
  readonly disk: DiskLimits;
  readonly memoryBytesMax: number;
  readonly enclosure: Enclosure;
  /** The folders that the converter writes to. */
  readonly written: readonly string[];
  /** Kills the process and everything it started. */
  readonly kill: () => void;
  readonly exit: ProcessExit;
  /** @returns the result that the reply announces; undefined if it is not a valid reply to the task */
  readonly accept: (reply: ConverterReply) => Result | Promise<Result> | undefined;
}

/**
 * Sends the task to the process and waits for its response. When a limit is exceeded, the process is killed.
 *
 * @throws HelperNeeded; FileRefused; JobError of the converter, of the limit, or of the exit of the process; the signal's reason
 */
export const converse = async <Result>(
  child: Channel,
  task: object,
  conversation: Conversation<Result>,
): Promise<Result> => {
  let reason: unknown;
  const end = (why: unknown): void => {
    reason ??= why;
    conversation.kill();
  };
  const unwatch = watchLimits(child, conversation, end);
  const response = replyFrom(child, conversation, end);
  const { promise: ended, reject } = Promise.withResolvers<never>();
  let unlisten = (): void => {};
  try {
    conversation.signal?.throwIfAborted();
    // If the channel is already closed, the process has exited; its exit status is more informative than the send
    // error.
    child.send(task, () => {});
    unlisten = conversation.exit.listen((crash) => reject(reason ?? crash));
    return await Promise.race([response.received, ended]);
  } finally {
    unwatch();
    unlisten();
    response.ignore();
  }
};

/** Milliseconds between two checks of the process's resource usage. */
const MEMORY_CHECK_MS = 250;

/**
 * Calls `end` with the reason when a limit is exceeded or the signal aborts. @returns a function that stops the checks
 */
const watchLimits = (child: Channel, limits: Conversation<unknown>, end: (reason: unknown) => void): (() => void) => {
  const { timeoutMs, signal, written, disk } = limits;
  const onTimeout = () =>
    end(new JobError("timed_out", `The conversion exceeded its time limit of ${timeoutMs / 1_000} s.`));
  const timer = setTimeout(onTimeout, timeoutMs);
  const check = setInterval(() => {
    const error = excess(child, limits);
    if (error !== undefined) {
      end(error);
    }
  }, MEMORY_CHECK_MS);
  const unwatchDisk = watchDisk(written, disk, end);
  const onAbort = () => end(signal?.reason);
  signal?.addEventListener("abort", onAbort);
  return () => {
    clearTimeout(timer);
    clearInterval(check);
    unwatchDisk();
    signal?.removeEventListener("abort", onAbort);
  };
};

/** @returns the error when the conversion must stop, else undefined */
const excess = ({ pid }: Channel, { enclosure, memoryBytesMax }: Conversation<unknown>): JobError | undefined => {
  const own = enclosure.protections.includes("processes");
  const { bytes, processes } = own ? treeOf(pid) : { bytes: groupBytes(pid), processes: 0 };
  if (bytes > memoryBytesMax) {
    return new JobError("out_of_memory", `The conversion exceeded its memory limit of ${memoryBytesMax} bytes.`);
  }
  return processes > PROCESSES_MAX
    ? new JobError("engine_crashed", `The conversion started more than ${PROCESSES_MAX} processes.`)
    : undefined;
};

/**
 * @param onInvalid called with the reason when the process sends an invalid message
 * @returns a promise of the process's response, and a function that stops listening
 */
const replyFrom = <Result>(
  child: Channel,
  { accept, onProgress }: Conversation<Result>,
  onInvalid: (reason: JobError) => void,
) => {
  const { promise: received, resolve, reject } = Promise.withResolvers<Result>();
  const listen = (message: unknown): void => {
    const reply = converterMessage(message);
    if (reply !== undefined && "progress" in reply) {
      onProgress?.(reply.progress);
      return;
    }
    const failure = reply && failureIn(reply);
    if (failure !== undefined) {
      reject(failure);
      return;
    }
    const result = reply && accept(reply as ConverterReply);
    if (result === undefined) {
      onInvalid(new JobError("engine_crashed", "The converter sent an invalid response."));
      return;
    }
    resolve(result);
  };
  child.on("message", listen);
  return { received, ignore: () => child.off("message", listen) };
};

/** @returns the error that the message reports, if any */
export const failureIn = (message: ConverterMessage): Error | undefined => {
  if ("helperNeeded" in message) {
    return new HelperNeeded();
  }
  if (!("error" in message)) {
    return undefined;
  }
  const { code, detail, cause, isRefusal = false } = message.error;
  return isRefusal ? new FileRefused(code, detail, { cause }) : new JobError(code, detail, { cause });
};
