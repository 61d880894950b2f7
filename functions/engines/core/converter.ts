import type { EngineId } from "../../domain/conversions/engines.ts";
import { JobError } from "../../domain/errors.ts";
import type { Warning } from "../../domain/warning.ts";
import { engines } from "../index.ts";
import { convert } from "./convert.ts";
import { type BytesRequest, convertBytes } from "./convert-bytes.ts";
import { cut, failureMessage } from "./failure-message.ts";
import { returnMemoryWhenIdle } from "./idle-memory.ts";
import { readInput } from "./input-file.ts";
import type { ConverterMessage } from "./messages.ts";
import { sendResult } from "./result-socket.ts";
import type { ConversionTask } from "./task.ts";
import { endWithParent } from "./watch-parent.ts";

/**
 * Entry point of a converter process. It takes one task at a time from its parent process and replies with progress,
 * then with a result or an error. It exits when the parent exits, for any reason.
 */

const send = (message: ConverterMessage): void => {
  process.send?.(message);
};

/** Starts what an engine needs for its next conversion. */
interface Preparation {
  readonly prepare: EngineId;
}

type Task = ConversionTask | BytesRequest | Preparation;

const run = async (task: Task): Promise<void> => {
  const work = workOf(task);
  try {
    await work();
  } catch (error) {
    if (isTrap(error)) {
      // The module can neither be trusted nor reloaded: treat this as a crash of the process.
      throw error;
    }
    send(failureMessage(jobErrorOf(error)));
  }
};

/** @throws Error if the input cannot be read, which ends the process */
const workOf = (task: Task): (() => Promise<void>) => {
  if ("inputBytes" in task) {
    const input = readInput(task.inputBytes);
    return () => runBytes(task, input);
  }
  return "prepare" in task ? () => prepare(task) : () => runFiles(task);
};

const runFiles = async (task: ConversionTask): Promise<void> => {
  const result = await convert(task, (progress) => send({ progress }));
  send({ result: { ...result, warnings: result.warnings.map(shortened) } });
};

const runBytes = async (task: BytesRequest, input: Buffer): Promise<void> => {
  const result = await convertBytes(task, input);
  if (result === undefined) {
    send({ filesNeeded: true });
    return;
  }
  const { output, timings, warnings } = result;
  send({ made: { outputBytes: output.length, timings, warnings: warnings.map(shortened) } });
  sendResult(output);
};

const prepare = async ({ prepare: engine }: Preparation): Promise<void> => {
  await (await engines[engine]()).prepare?.();
  send({ prepared: true });
};

/** Whether WebAssembly stopped in the middle: because it trapped, or because it exhausted the JavaScript stack. */
const isTrap = (error: unknown): boolean =>
  error instanceof Error &&
  (error.name === "RuntimeError" || (error instanceof RangeError && /\bwasm:/.test(error.stack ?? "")));

/** Limits of JavaScript itself, by V8's messages. Only the file can have caused them, so a retry would fail again. */
const ENDS = [
  [/^Maximum call stack size exceeded/, "unsupported_feature", "The file is nested too deeply."],
  [/^Invalid string length/, "output_too_large", "The result would be a single text of more than 512 MB."],
] as const;

/** @returns the job error for a limit of JavaScript or of the file size; any other error unchanged */
const jobErrorOf = (error: unknown): unknown => {
  if (error instanceof Error && "code" in error && error.code === "EFBIG") {
    return new JobError("output_too_large", "The conversion wrote a file that exceeds the size limit.", {
      cause: error,
    });
  }
  const end = error instanceof RangeError ? ENDS.find(([words]) => words.test(error.message)) : undefined;
  return end === undefined ? error : new JobError(end[1], end[2], { cause: error });
};

const shortened = ({ code, detail }: Warning): Warning => ({ code, detail: cut(detail) });

// Only the parent can send messages to this process, and it only sends tasks.
process.on("message", (task) => void run(task as Task));
process.on("disconnect", () => process.exit());
endWithParent();
returnMemoryWhenIdle();
