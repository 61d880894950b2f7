import { mkdirSync, renameSync, rmdirSync, statfsSync, statSync } from "node:fs";
import { rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { OUTPUT_BYTES_MAX, PARTS_MAX, WARNINGS_MAX } from "../domain/conversion-limits.ts";
import { JobError, type JobErrorCode } from "../domain/errors.ts";
import { extensionOf } from "../domain/formats.ts";
import type { StepTiming, Warning } from "../domain/jobs.ts";
import type { OptionName, Options } from "../domain/options.ts";
import type { RouteStep } from "../domain/routes.ts";
import type { FurtherFile, Part } from "./engine.ts";
import { engines } from "./index.ts";

/** A conversion of one to three steps on local files. */
export interface ConversionTask {
  readonly input: string;
  /** What the input is called, for an archive that it is packed in. */
  readonly name?: string;
  /** Files that are merged behind the first by the first step. @default none */
  readonly further?: readonly FurtherFile[];
  /** A folder of the task's own, for what lies between the steps and for the result. */
  readonly folder: string;
  readonly steps: readonly RouteStep[];
  readonly options: Options;
}

/** What came of it. */
export interface ConversionResult {
  /** Path of the result in the task's folder. */
  readonly output: string;
  /** Whether the result is a zip of several files of the target format: pages, sheets, frames. */
  readonly bundled: boolean;
  readonly timings: readonly StepTiming[];
  /** What to tell the client. */
  readonly warnings: readonly Warning[];
}

/**
 * Runs the steps of a route one after the other, each with the options that it honours. Where a step makes several
 * files of one, the next ones take each of them.
 *
 * @param progress called with percent, below 100, each time a larger one
 * @throws JobError as the engines do; `engine_failed` when an engine leaves no result, `output_too_large` when it
 * leaves too much
 */
export const convert = async (task: ConversionTask, progress: (percent: number) => void): Promise<ConversionResult> => {
  const tell = rising(progress);
  const timings: StepTiming[] = [];
  const warnings = new Map<string, Warning>();
  let files: readonly Part[] = [{ path: task.input, name: "" }];
  for (const [index, step] of task.steps.entries()) {
    const started = performance.now();
    const made: Part[] = [];
    for (const [position, file] of files.entries()) {
      const share = (part: number) => tell((index + (position + part) / files.length) / task.steps.length);
      const place = join(task.folder, `${index + 1}-${position + 1}`);
      const result = await withRoom(task.folder, () => runStep(task, { step, file, place, share }));
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

/** A disk with fewer bytes free counts as full: what a tool unpacks of a small document takes more. */
const FULL_BYTES_MAX = 1_000_000;

/**
 * A tool that finds no room for what it unpacks says that it cannot read the file, and the file is not to blame for it. The
 * room may have come back when the tool has ended, so what there was before counts too: `engine_failed` is attempted again.
 */
const withRoom = async <T>(folder: string, work: () => Promise<T>): Promise<T> => {
  const wasFull = isFull(folder);
  try {
    return await work();
  } catch (error) {
    const isBlame = error instanceof JobError && BLAMES.includes(error.code);
    throw isBlame && (wasFull || isFull(folder))
      ? new JobError("engine_failed", "There was no room on the disk for the conversion.", { cause: error })
      : error;
  }
};

const isFull = (folder: string): boolean => {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize < FULL_BYTES_MAX;
};

const BLAMES: readonly JobErrorCode[] = ["source_corrupt", "source_mismatch"];

interface StepRun {
  readonly step: RouteStep;
  readonly file: Part;
  /** Where the step may write: a file with this name and the extension of its target, and a folder with this name. */
  readonly place: string;
  readonly share: (part: number) => void;
}

/** @returns what the step made of one file, named after it */
const runStep = async (task: ConversionTask, { step, file, place, share }: StepRun) => {
  const output = `${place}.${extensionOf(step.to)}`;
  const engine = await engines[step.engine]();
  mkdirSync(place);
  const { warnings, parts = [{ path: output, name: "" }] } = await engine.convert({
    input: file.path,
    further: file.path === task.input ? (task.further ?? []) : [],
    ...(step.packs && { packAs: task.name ?? "file" }),
    output,
    folder: place,
    from: step.from,
    to: step.to,
    options: chosen(task.options, step.options),
    progress: share,
  });
  removeEmpty(place);
  const named = parts.map(({ path, name }) => ({ path, name: [file.name, name].filter(Boolean).join("-") }));
  return { parts: named, warnings };
};

/** Most steps leave nothing beside their result. A task's folder that is empty in the end is used again by the next one. */
const removeEmpty = (folder: string): void => {
  try {
    rmdirSync(folder);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ENOTEMPTY")) {
      throw error;
    }
  }
};

/** @returns the options that this step honours */
const chosen = (options: Options, names: readonly OptionName[]): Options =>
  Object.fromEntries(Object.entries(options).filter(([name]) => names.some((honoured) => honoured === name)));

/** An engine's word that it succeeded proves nothing: there must be files, and neither empty nor endless ones. */
const checkTotal = (parts: readonly Part[], engine: string): void => {
  const sizes = parts.map(({ path }) => statSync(path, { throwIfNoEntry: false })?.size ?? 0);
  if (sizes.length === 0 || sizes.includes(0)) {
    throw new JobError("engine_failed", `The engine ${engine} left no result.`);
  }
  if (parts.length > PARTS_MAX) {
    throw new JobError("output_too_large", `The result has ${parts.length} files; at most ${PARTS_MAX} are allowed.`);
  }
  const bytes = sizes.reduce((sum, size) => sum + size, 0);
  if (bytes > OUTPUT_BYTES_MAX) {
    throw new JobError("output_too_large", `The result has ${bytes} bytes; at most ${OUTPUT_BYTES_MAX} are allowed.`);
  }
};

/** @returns the one result, or a zip of all */
const gather = async ({ folder, steps }: ConversionTask, files: readonly Part[]) => {
  const [first] = files;
  const extension = extensionOf(steps.at(-1)?.to ?? "zip");
  if (first === undefined) {
    throw new TypeError("A route has at least one step.");
  }
  const output = join(folder, files.length === 1 ? `result.${extension}` : "result.zip");
  if (files.length > 1) {
    const names = distinct(files.map(({ name }) => name || "file"));
    const { writeZip } = await import("./io/zip-writer.ts");
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

/** @returns the names, with a number behind those that stand there already (in any case, as some file systems see it) */
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

/** @returns a function that passes shares of 1 on as percent, only when there is one more of them */
const rising = (progress: (percent: number) => void): ((share: number) => void) => {
  let said = 0;
  return (share) => {
    const percent = Math.min(99, Math.floor(100 * share));
    if (percent > said) {
      said = percent;
      progress(percent);
    }
  };
};
