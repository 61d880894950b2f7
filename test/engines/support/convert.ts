import type { FormatId } from "../../../functions/domain/formats/formats.ts";
import type { EngineTask } from "../../../functions/engines/core/engine.ts";
import { sharpEngine } from "../../../functions/engines/pictures/sharp.ts";
import type { Scratch } from "./scratch.ts";
import { taskOf } from "./task.ts";

/** The result of a conversion by sharp. */
export interface Converted {
  readonly path: string;
  /** Codes of the warnings. */
  readonly warnings: readonly string[];
}

/** @returns a function that converts with the engine directly, in this process */
export const convertingBySharp =
  (scratch: Scratch) =>
  async (input: string, from: FormatId, to: FormatId, options: EngineTask["options"] = {}): Promise<Converted> => {
    const output = scratch.fresh();
    const { warnings } = await sharpEngine.convert(taskOf({ input, output, from, to, options }, scratch.folder));
    return { path: output, warnings: warnings.map(({ code }) => code) };
  };

/** @returns the code of the JobError that a promise rejects with; fails the test otherwise */
export const codeOf = async (promise: Promise<unknown>): Promise<string> => {
  const error = await promise.then(
    () => new Error("It succeeded."),
    (reason: unknown) => reason,
  );
  if (error instanceof Error && "code" in error && typeof error.code === "string") {
    return error.code;
  }
  throw error;
};
