import { mkdirSync, renameSync, rmdirSync, statfsSync, statSync } from "node:fs";
import { rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { OUTPUT_BYTES_MAX, PARTS_MAX, WARNINGS_MAX } from "../../domain/conversions/conversion-limits.ts";
import type { OptionName, Options } from "../../domain/conversions/options.ts";
import type { RouteStep } from "../../domain/conversions/plan.ts";
import { JobError, type JobErrorCode } from "../../domain/errors.ts";
import { extensionOf } from "../../domain/formats/formats.ts";
import type { StepTiming } from "../../domain/step-timing.ts";
import type { Warning } from "../../domain/warning.ts";
import { engines } from "../index.ts";
import { FileRefused, type FurtherFile, type Helper, type Part } from "./engine.ts";
import { withSourceNamed } from "./source-named.ts";

/** A conversion of one to three steps on local files. */
export interface ConversionTask {
  readonly input: string;
  /** The client's name of the input, for an archive that contains it or its content. */
  readonly name?: string;
  /** Files that the first step appends to the input. @default none */
  readonly further?: readonly FurtherFile[];
  /** The task's working directory, for intermediate files and the result. */
  readonly folder: string;
  readonly steps: readonly RouteStep[];
  readonly options: Options;
  readonly helper?: Helper;
  /** Whether the folder contains the socket of a proxy, {@link NETWORK_SOCKET}. @default no network */
  readonly network?: boolean;
}

/** The file name of the proxy's socket. */
export const NETWORK_SOCKET = "network";

/** The result of a task. */
export interface ConversionResult {
  /** Path of the result in the task's folder. */
  readonly output: string;
  /** Whether the result is a zip of several files of the target format: pages, sheets, frames. */
  readonly bundled: boolean;
  readonly timings: readonly StepTiming[];
  /** Warnings for the client. */
  readonly warnings: readonly Warning[];
}

/**
 * Runs the steps of a route in order, each with the options that it supports. When a step produces several files, the
 * next steps process each of them.
 *
 * @param progress called with increasing percentages below 100
 * @throws HelperNeeded; FileRefused if another engine may read the file; JobError as the engines do; `engine_failed` when an engine produces no result, `output_too_large` when the
 * result exceeds a limit
 */
export const convert = async (task: ConversionTask, progress: (percent: number) => void): Promise<ConversionResult> => {
  const report = rising(progress);
  const timings: StepTiming[] = [];
  const warnings = new Map<string, Warning>();
  let files: readonly Part[] = [{ path: task.input, name: "" }];
  for (const [index, step] of task.steps.entries()) {
    const started = performance.now();
    const made: Part[] = [];
    for (const [position, file] of files.entries()) {
      const share = (part: number) => report((index + (position + part) / files.length) / task.steps.length);
      const base = join(task.folder, `${index + 1}-${position + 1}`);
      const result = await withFullDiskCheck(task.folder, () => runStep(task, { step, file, base, share })).catch(
        (error: unknown) => {
          throw index === 0 ? refusalOf(error) : withSourceNamed(error, { step, source: task.steps[0]?.from });
        },
      );
      made.push(...result.parts);
      for (const warning of result.warnings) {
        warnings.set(`${warning.code} ${warning.detail}`, warning);
      }
      if (file.path !== task.input) {
        await rm(file.path);
      }
      if (position + 1 < files.length || index + 1 < task.steps.length) {
        share(1);
      }
    }
    checkTotal(made, step.engine);
    files = made;
    const durationMs = Math.round(performance.now() - started);
    timings.push({ engine: step.engine, from: step.from, to: step.to, durationMs });
  }
  const result = await gather(task, files);
  return { ...result, timings, warnings: [...warnings.values()].slice(0, WARNINGS_MAX) };
};

const REFUSALS: readonly JobErrorCode[] = ["source_corrupt", "unsupported_feature"];

/** @returns the error of the first step as a refusal, if another engine may read the file */
const refusalOf = (error: unknown): unknown =>
  error instanceof JobError && REFUSALS.includes(error.code) && !error.isFinal
    ? new FileRefused(error.code, error.message, { cause: error.cause })
    : error;

/** A disk with less free space counts as full: tools need more than that to unpack even a small document. */
const FULL_BYTES_MAX = 1_000_000;

/**
 * When the disk is full, tools report a corrupt file, or truncate their result without an error. The file is not at
 * fault, so the step fails with `engine_failed`, which is retried. Space may be free again when the tool has ended, so the
 * disk is also checked before.
 */
const withFullDiskCheck = async <T>(folder: string, work: () => Promise<T>): Promise<T> => {
  const wasFull = isFull(folder);
  const diskFull = (cause?: unknown) =>
    new JobError("engine_failed", "The disk was full during the conversion.", { cause });
  let result: T;
  try {
    result = await work();
  } catch (error) {
    const isFileError = error instanceof JobError && FILE_ERRORS.includes(error.code);
    throw isFileError && (wasFull || isFull(folder)) ? diskFull(error) : error;
  }
  if (isFull(folder)) {
    throw diskFull();
  }
  return result;
};

const isFull = (folder: string): boolean => {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize < FULL_BYTES_MAX;
};

const FILE_ERRORS: readonly JobErrorCode[] = ["source_corrupt", "source_mismatch"];

interface StepRun {
  readonly step: RouteStep;
  readonly file: Part;
  /** Where the step may write: a file with this name and the target's extension, and a folder with this name. */
  readonly base: string;
  readonly share: (part: number) => void;
}

/** @returns the step's results for one file, named after it */
const runStep = async (task: ConversionTask, { step, file, base, share }: StepRun) => {
  const output = `${base}.${extensionOf(step.to)}`;
  const engine = await engines[step.engine]();
  mkdirSync(base);
  const { warnings, parts = [{ path: output, name: "" }] } = await engine.convert({
    input: file.path,
    further: file.path === task.input ? (task.further ?? []) : [],
    ...(step.packs && { packAs: task.name ?? "file" }),
    ...(file.path === task.input && task.name !== undefined && { name: task.name }),
    output,
    folder: base,
    from: step.from,
    to: step.to,
    options: chosen(task.options, step.options),
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
const chosen = (options: Options, names: readonly OptionName[]): Options =>
  Object.fromEntries(Object.entries(options).filter(([name]) => names.some((supported) => supported === name)));

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
