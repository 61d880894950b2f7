import { statSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { JobError } from "../domain/errors.ts";
import { extensionOf } from "../domain/formats.ts";
import type { StepTiming, Warning } from "../domain/jobs.ts";
import { OUTPUT_BYTES_MAX } from "../domain/limits.ts";
import type { OptionName, Options } from "../domain/options.ts";
import type { RouteStep } from "../domain/routes.ts";
import { engines } from "./index.ts";

/** A conversion of one to three steps on local files. */
export interface ConversionTask {
  readonly input: string;
  /** A folder of the task's own, for what lies between the steps and for the result. */
  readonly folder: string;
  readonly steps: readonly RouteStep[];
  readonly options: Options;
}

/** What came of it: the path of the result in the task's folder, how long each step took, and what to tell the client. */
export interface ConversionResult {
  readonly output: string;
  readonly timings: readonly StepTiming[];
  readonly warnings: readonly Warning[];
}

/**
 * Runs the steps of a route one after the other, each with the options that it honours.
 *
 * @param progress called between the steps with percent, below 100
 * @throws JobError as the engines do; `engine_failed` when an engine leaves no result, `output_too_large` when it
 * leaves too much
 */
export const convert = async (task: ConversionTask, progress: (percent: number) => void): Promise<ConversionResult> => {
  let input = task.input;
  const timings: StepTiming[] = [];
  const warnings: Warning[] = [];
  for (const [index, step] of task.steps.entries()) {
    const output = join(task.folder, `${index + 1}.${extensionOf(step.to)}`);
    const started = performance.now();
    const engine = await engines[step.engine]();
    const options = chosen(task.options, step.options);
    const result = await engine.convert({ input, output, from: step.from, to: step.to, options });
    checkOutput(output, engine.name);
    warnings.push(...result.warnings);
    timings.push({
      engine: step.engine,
      from: step.from,
      to: step.to,
      durationMs: Math.round(performance.now() - started),
    });
    if (input !== task.input) {
      await rm(input);
    }
    input = output;
    if (index + 1 < task.steps.length) {
      progress(Math.round((100 * (index + 1)) / task.steps.length));
    }
  }
  return { output: input, timings, warnings };
};

/** @returns the options that this step honours */
const chosen = (options: Options, names: readonly OptionName[]): Options =>
  Object.fromEntries(Object.entries(options).filter(([name]) => names.some((honoured) => honoured === name)));

/** An engine's word that it succeeded proves nothing: there must be a file, and not an endless one. */
const checkOutput = (path: string, engine: string): void => {
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  if (size === 0) {
    throw new JobError("engine_failed", `The engine ${engine} left no result.`);
  }
  if (size > OUTPUT_BYTES_MAX) {
    throw new JobError("output_too_large", `The result has ${size} bytes; at most ${OUTPUT_BYTES_MAX} are allowed.`);
  }
};
