import { JobError } from "../domain/errors.ts";
import { type ConversionTask, convert } from "./convert.ts";
import { type ConverterMessage, DETAIL_CHARACTERS_MAX } from "./messages.ts";
import { endWithParent } from "./watch-parent.ts";

/**
 * The program of a converter process: takes one task at a time from the process that started it, and answers with
 * progress and then a result or an error. It ends with its parent, whatever becomes of that one.
 */

const send = (message: ConverterMessage): void => {
  process.send?.(message);
};

const run = async (task: ConversionTask): Promise<void> => {
  try {
    const result = await convert(task, (progress) => send({ progress }));
    const warnings = result.warnings.map(({ code, detail }) => ({ code, detail: cut(detail) }));
    send({ result: { ...result, warnings } });
  } catch (error) {
    if (isTrap(error)) {
      // It leaves a module that can neither be trusted nor loaded anew: the process has crashed.
      throw error;
    }
    send({ error: described(meant(error)) });
  }
};

/** Whether WebAssembly broke off in the middle: by a trap of its own, or because it ran out of JavaScript's stack. */
const isTrap = (error: unknown): boolean =>
  error instanceof Error &&
  (error.name === "RuntimeError" || (error instanceof RangeError && /\bwasm:/.test(error.stack ?? "")));

/** Where JavaScript itself ends, as V8 says it: only a file can have brought it there, and would again. */
const ENDS = [
  [/^Maximum call stack size exceeded/, "unsupported_feature", "The file is nested too deep to be read."],
  [/^Invalid string length/, "output_too_large", "The result would be a text of over 512 MB in one piece."],
] as const;

/** @returns the table's error for where JavaScript ends, or the longest file; what else was thrown, as it is */
const meant = (error: unknown): unknown => {
  if (error instanceof Error && "code" in error && error.code === "EFBIG") {
    return new JobError("output_too_large", "The conversion wrote a file that is too large.", { cause: error });
  }
  const end = error instanceof RangeError ? ENDS.find(([words]) => words.test(error.message)) : undefined;
  return end === undefined ? error : new JobError(end[1], end[2], { cause: error });
};

const cut = (detail: string): string =>
  detail.length > DETAIL_CHARACTERS_MAX ? `${detail.slice(0, DETAIL_CHARACTERS_MAX - 2).toWellFormed()} …` : detail;

const CAUSE_CHARACTERS_MAX = 8_192;

/** @returns what the client may know, and beside it what only our log may */
const described = (error: unknown) => {
  const inner = error instanceof Error && error.cause instanceof Error ? `\n${error.cause.stack}` : "";
  const cause = `${error instanceof Error ? error.stack : error}${inner}`.slice(0, CAUSE_CHARACTERS_MAX);
  return error instanceof JobError
    ? { code: error.code, detail: cut(error.message), cause }
    : { code: "engine_failed" as const, detail: "The conversion failed on our side.", cause };
};

// Only the parent can send here, and it sends nothing but tasks.
process.on("message", (task) => void run(task as ConversionTask));
process.on("disconnect", () => process.exit());
endWithParent();
