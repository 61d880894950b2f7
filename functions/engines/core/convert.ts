import { mkdirSync, renameSync, rmdirSync, statSync } from "node:fs";
import { rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { OUTPUT_BYTES_MAX, PARTS_MAX, WARNINGS_MAX } from "../../domain/conversions/conversion-limits.ts";
import type { OptionName, Options } from "../../domain/conversions/options.ts";
import type { RouteStep } from "../../domain/conversions/plan.ts";
import { stepsInOrder } from "../../domain/conversions/steps-in-order.ts";
import { JobError, type JobErrorCode } from "../../domain/errors.ts";
import { extensionOf } from "../../domain/formats/formats.ts";
import type { StepTiming } from "../../domain/step-timing.ts";
import type { Warning } from "../../domain/warning.ts";
import { engines } from "../index.ts";
import { FileRefused, type FurtherFile, type OptionFiles, type Part } from "./engine.ts";
import { withFullDiskCheck } from "./full-disk.ts";
import { isMeaningless, withFormatsNamed, withSourceNamed } from "./source-named.ts";
import { type ConversionResult, type ConversionTask, NETWORK_SOCKET } from "./task.ts";

/**
 * Runs the steps of a route in order, each with the options that it supports. When a step produces several files, the
 * next steps process each of them. Files to merge are first converted, one after the other.
 *
 * @param progress called with increasing percentages below 100
 * @throws HelperNeeded; FileRefused if another engine may read the file; JobError as the engines do; `engine_failed` when an engine produces no result, `output_too_large` when the
 * result exceeds a limit
 */
export const convert = async (task: ConversionTask, progress: (percent: number) => void): Promise<ConversionResult> => {
  const all = stepsInOrder(task.steps, task.further);
  const run: Running = { task, report: rising(progress), steps: all.length, timings: [], warnings: new Map() };
  const input = [{ path: task.input, name: "" }];
  const mergeAt = task.steps.findIndex(({ merges }) => merges === true);
  const files =
    mergeAt === -1
      ? await runSteps(run, task.steps, { files: input, further: task.further ?? [], source: task.input })
      : await runMerge(run, mergeAt, input);
  const result = await gather(task, files);
  return { ...result, timings: run.timings, warnings: [...run.warnings.values()].slice(0, WARNINGS_MAX) };
};

/** A task while it runs. */
interface Running {
  readonly task: ConversionTask;
  readonly report: (share: number) => void;
  /** The number of all steps. */
  readonly steps: number;
  readonly timings: StepTiming[];
  readonly warnings: Map<string, Warning>;
}

/** What steps start with. */
interface Start {
  readonly files: readonly Part[];
  /** The files that the first step appends. */
  readonly further: readonly FurtherFile[];
  /** The client's file, which is kept. */
  readonly source: string;
}

/** Converts the input and each further file, merges the results, and converts the merged file. */
const runMerge = async (run: Running, mergeAt: number, input: readonly Part[]): Promise<readonly Part[]> => {
  const { steps, further = [], input: source } = run.task;
  const [merge, ...after] = steps.slice(mergeAt);
  const own = await runSteps(run, steps.slice(0, mergeAt), { files: input, further: [], source });
  const merged: FurtherFile[] = own.map(({ path }) => ({ path, from: merge?.from ?? "pdf" }));
  for (const [index, { steps: first = [], ...file }] of further.entries()) {
    const start = { files: [{ path: file.path, name: "" }], further: [], source: file.path };
    const made = await runSteps(run, first, start).catch((error: unknown) => {
      throw ofFile(error, index + 2);
    });
    merged.push(...made.map(({ path }) => ({ path, from: first.at(-1)?.to ?? file.from })));
  }
  const [{ path = source, from } = {}, ...others] = merged;
  const reading = merge && [{ ...merge, from: from ?? merge.from }, ...after];
  return runSteps(run, reading ?? [], { files: [{ path, name: "" }], further: others, source });
};

/** @returns the error with the number of the client's file */
const ofFile = (error: unknown, number: number): unknown =>
  error instanceof JobError
    ? new JobError(error.code, `File ${number}: ${error.message}`, { cause: error, isFinal: error.isFinal })
    : error;

const runSteps = async (run: Running, steps: readonly RouteStep[], start: Start): Promise<readonly Part[]> => {
  const { task, report, timings, warnings } = run;
  let { files } = start;
  const ends = (step: RouteStep) => ({
    step,
    source: steps[0]?.from ?? step.from,
    target: task.steps.at(-1)?.to ?? step.to,
  });
  for (const [index, step] of steps.entries()) {
    const started = performance.now();
    const made: Part[] = [];
    const done = timings.length;
    for (const [position, file] of files.entries()) {
      const share = (part: number) => report((done + (position + part) / files.length) / run.steps);
      const base = join(task.folder, `${done + 1}-${position + 1}`);
      const further = index === 0 ? start.further : [];
      const result = await withFullDiskCheck(task.folder, () =>
        runStep(task, { step, file, base, share, further }),
      ).catch((error: unknown) => {
        throw index === 0 ? refusalOf(error) : withSourceNamed(error, { step, source: steps[0]?.from });
      });
      made.push(...result.parts);
      for (const own of result.warnings.filter((each) => !isMeaningless(each, ends(step)))) {
        const warning = withFormatsNamed(own, ends(step));
        warnings.set(`${warning.code} ${warning.detail}`, warning);
      }
      if (file.path !== start.source) {
        await rm(file.path);
      }
      if (position + 1 < files.length || done + 1 < run.steps) {
        share(1);
      }
    }
    checkTotal(made, step.engine);
    files = made;
    const durationMs = Math.round(performance.now() - started);
    timings.push({ engine: step.engine, from: step.from, to: step.to, durationMs });
  }
  return files;
};

const REFUSALS: readonly JobErrorCode[] = ["source_corrupt", "unsupported_feature"];

/** @returns the error of the first step as a refusal, if another engine may read the file */
export const refusalOf = (error: unknown): unknown =>
  error instanceof JobError && REFUSALS.includes(error.code) && !error.isFinal
    ? new FileRefused(error.code, error.message, { cause: error.cause })
    : error;

interface StepRun {
  readonly step: RouteStep;
  readonly file: Part;
  /** Where the step may write: a file with this name and the target's extension, and a folder with this name. */
  readonly base: string;
  readonly share: (part: number) => void;
  readonly further: readonly FurtherFile[];
}

/** @returns the step's results for one file, named after it */
const runStep = async (task: ConversionTask, { step, file, base, share, further }: StepRun) => {
  const output = `${base}.${extensionOf(step.to)}`;
  const engine = await engines[step.engine]();
  mkdirSync(base);
  const { warnings, parts = [{ path: output, name: "" }] } = await engine.convert({
    input: file.path,
    further,
    optionFiles: filesFor(task, step.options),
    ...(step.packs && { packAs: task.name ?? "file" }),
    ...(file.path === task.input && task.name !== undefined && { name: task.name }),
    output,
    folder: base,
    from: step.from,
    to: step.to,
    options: chosenOptions(task.options, step.options),
    ...(task.helper && { helper: task.helper }),
    ...(task.network && { network: join(task.folder, NETWORK_SOCKET) }),
    progress: share,
  });
  removeEmpty(base);
  const named = parts.map(({ path, name }) => ({ path, name: [file.name, name].filter(Boolean).join("-") }));
  return { parts: named, warnings };
};

/**
 * Most steps leave no files except their result. A task's folder that is empty afterward is reused by the next task.
 */
const removeEmpty = (folder: string): void => {
  try {
    rmdirSync(folder);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ENOTEMPTY")) {
      throw error;
    }
  }
};

/** @returns the options that this step supports */
export const chosenOptions = (options: Options, names: readonly OptionName[]): Options =>
  Object.fromEntries(Object.entries(options).filter(([name]) => names.some((supported) => supported === name)));

const filesFor = ({ optionFiles = [] }: ConversionTask, names: readonly OptionName[]): OptionFiles =>
  Object.fromEntries(
    optionFiles.flatMap(({ option, ...file }) => (names.includes(option) ? [[option, file] as const] : [])),
  );

/** An engine's success report is not proof: there must be files, not empty ones, and within the limits. */
const checkTotal = (parts: readonly Part[], engine: string): void => {
  const sizes = parts.map(({ path }) => statSync(path, { throwIfNoEntry: false })?.size ?? 0);
  if (sizes.length === 0 || sizes.includes(0)) {
    throw new JobError("engine_failed", `The engine ${engine} produced no result.`);
  }
  if (parts.length > PARTS_MAX) {
    throw new JobError("output_too_large", `The result has ${parts.length} files; the limit is ${PARTS_MAX}.`);
  }
  const bytes = sizes.reduce((sum, size) => sum + size, 0);
  if (bytes > OUTPUT_BYTES_MAX) {
    throw new JobError(
      "output_too_large",
      `The result is too large: ${bytes} bytes; the limit is ${OUTPUT_BYTES_MAX} bytes.`,
    );
  }
};

/** @returns the single result, or a zip of all results */
const gather = async ({ folder, steps }: ConversionTask, files: readonly Part[]) => {
  const [first] = files;
  const extension = extensionOf(steps.at(-1)?.to ?? "zip");
  if (first === undefined) {
    throw new TypeError("A route has at least one step.");
  }
  const output = join(folder, files.length === 1 ? `result.${extension}` : "result.zip");
  if (files.length > 1) {
    const names = distinct(files.map(({ name }) => name || "file"));
    const { writeZip } = await import("../archives/zip/writer.ts");
    await writeZip(
      output,
      files.map(({ path }, index) => ({ path: `${names[index]}.${extension}`, file: path })),
    );
    return { output, bundled: true };
  }
  if (dirname(first.path) === folder) {
    return { output: first.path, bundled: false };
  }
  renameSync(first.path, output);
  return { output, bundled: false };
};

/** @returns the names, with a number appended to duplicates (ignoring case, as some file systems do) */
const distinct = (names: readonly string[]): string[] => {
  const taken = new Set<string>();
  return names.map((name) => {
    let free = name;
    for (let count = 2; taken.has(free.toLowerCase()); count += 1) {
      free = `${name}-${count}`;
    }
    taken.add(free.toLowerCase());
    return free;
  });
};

/** @returns a function that converts shares of 1 to percent and reports each percentage once */
const rising = (progress: (percent: number) => void): ((share: number) => void) => {
  let reported = 0;
  return (share) => {
    const percent = Math.min(99, Math.floor(100 * share));
    if (percent > reported) {
      reported = percent;
      progress(percent);
    }
  };
};
