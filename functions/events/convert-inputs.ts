import { conversionLimits } from "../domain/conversions/lanes.ts";
import { JobError } from "../domain/errors.ts";
import type { Job } from "../domain/jobs/job.ts";
import type { Context } from "../domain/ports.ts";
import type { ConversionResult, ConversionTask, MergedFile, NamedOptionFile } from "../engines/core/task.ts";
import { asError, jobKeys, logger } from "../logger.ts";
import type { RunLimits } from "./attempt.ts";
import { withWebAccess } from "./web-access.ts";

/** What the converter gets for a job: its files, its options, and a folder. */

/** Runs the steps of a conversion in an isolated converter process. */
export type RunConversion = (
  task: ConversionTask,
  limits: {
    readonly timeoutMs: number;
    readonly signal: AbortSignal;
    readonly onProgress: (percent: number) => void;
  },
) => Promise<ConversionResult>;

/** Converts the files of a job. The result is in the folder. */
export type ConvertJob = (job: Job, run: RunLimits & { readonly folder: string }) => Promise<ConversionResult>;

/** Fetches the job's files into the folder and converts them there. */
export const convertHere =
  (context: Context, run: RunConversion): ConvertJob =>
  async (job, { folder, steps, ...limits }) => {
    const fetchOne = async (key: string): Promise<string> => {
      const path = await context.files.fetch(key, folder);
      if (path === undefined) {
        throw new JobError("engine_failed", "The uploaded file no longer exists.");
      }
      return path;
    };
    const inputs = await taskOf(job, fetchOne);
    return withWebAccess(context, job, { ...inputs, folder, steps }, (task) =>
      run(task, {
        ...conversionLimits(job.lane),
        ...limits,
        onProgress: throttled(context, (percent) => {
          // Progress is best effort: a lost update must not fail the conversion.
          context.jobs
            .progress(job.id, job.attempt, percent)
            .catch((error: unknown) => logger.warn("progress was lost", { ...jobKeys(job), error: asError(error) }));
        }),
      }),
    );
  };

/**
 * @param placeOf where the converter finds the file with this key
 * @returns the job's task, without its steps and folder
 */
export const taskOf = async (
  job: Job,
  placeOf: (key: string) => Promise<string>,
): Promise<Omit<ConversionTask, "folder" | "steps">> => {
  const input = await placeOf(job.inputKey);
  const further: MergedFile[] = [];
  for (const { inputKey, format: from = job.sourceFormat, inputFilename: name, steps } of job.further ?? []) {
    const path = await placeOf(inputKey);
    further.push({ path, from, ...(name !== undefined && { name }), ...(steps && { steps }) });
  }
  const name = job.inputFilename ?? job.sourceFilename;
  const optionFiles: NamedOptionFile[] = [];
  for (const { option, inputKey, format: from, filename } of job.optionFiles ?? []) {
    optionFiles.push({ option, path: await placeOf(inputKey), from, name: filename });
  }
  const { options } = job;
  return { input, further, optionFiles, options, ...(name !== undefined && { name }), ...helperFor(job) };
};

/** The lane with the helper is the one that the job has moved to, or its first. */
const helperFor = ({ lane, helperLane }: Job): Pick<ConversionTask, "helper"> =>
  helperLane === undefined ? {} : { helper: helperLane === lane ? "here" : "elsewhere" };

/** Minimum milliseconds between two progress updates, because each is a write. */
const PROGRESS_MS_MIN = 1_000;

/** @returns the throttled function */
const throttled = ({ clock }: Context, report: (percent: number) => void): ((percent: number) => void) => {
  let next = 0;
  return (percent) => {
    if (clock() >= next) {
      next = clock() + PROGRESS_MS_MIN;
      report(percent);
    }
  };
};
