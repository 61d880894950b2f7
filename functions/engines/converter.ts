import { JobError } from "../domain/errors.ts";
import { type ConversionTask, convert } from "./convert.ts";
import type { ConverterMessage } from "./messages.ts";

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
    send({ result });
  } catch (error) {
    if (error instanceof Error && error.name === "RuntimeError") {
      // A trap of WebAssembly leaves a module that can neither be trusted nor loaded anew: the process has crashed.
      throw error;
    }
    send({ error: described(error) });
  }
};

const CAUSE_CHARACTERS_MAX = 8_192;

/** @returns what the client may know, and beside it what only our log may */
const described = (error: unknown) => {
  const cause = String(error instanceof Error ? error.stack : error).slice(0, CAUSE_CHARACTERS_MAX);
  return error instanceof JobError
    ? { code: error.code, detail: error.message, cause }
    : { code: "engine_failed" as const, detail: "The conversion failed on our side.", cause };
};

// Only the parent can send here, and it sends nothing but tasks.
process.on("message", (task) => void run(task as ConversionTask));
process.on("disconnect", () => process.exit());
