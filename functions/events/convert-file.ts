import { context as deployedContext } from "#context";
import { JobError, jobErrors } from "../domain/errors.ts";
import { mediaTypeOf } from "../domain/formats.ts";
import { newDownloadToken } from "../domain/ids.ts";
import {
  attemptsUsedUp,
  failedOutcome,
  filesExpireAt,
  type Job,
  type JobResult,
  leaseUntil,
  resultKey,
} from "../domain/jobs.ts";
import { conversionLimits } from "../domain/lanes.ts";
import { JOB_ATTEMPTS_MAX, QUEUED_RESEND_MS } from "../domain/limits.ts";
import type { Context, JobMessage } from "../domain/ports.ts";
import type { ConversionResult, ConversionTask } from "../engines/convert.ts";
import { type ConverterPool, converterPool } from "../engines/run.ts";
import { asError, logger } from "../logger.ts";
import { type MessageOutcome, queueHandler } from "./queue.ts";
import { scratchFolders } from "./scratch.ts";

/** Runs the steps of a conversion somewhere safe: in a converter process. */
export type RunConversion = (
  task: ConversionTask,
  limits: { readonly timeoutMs: number; readonly onProgress: (percent: number) => void },
) => Promise<ConversionResult>;

/**
 * Converts the file of one job: claim, fetch, convert, store, finish. It may be called any number of times for the
 * same job, at once or after a crash: the job's conditional transitions let one attempt at a time hold it, and one end it.
 */
export const convertFile = (context: Context, run: RunConversion) => {
  const scratch = scratchFolders(context.scratchFolder);
  return async ({ jobId }: JobMessage): Promise<MessageOutcome> => {
    const now = context.clock();
    const waiting = await context.jobs.getJob(jobId);
    const job = waiting && (await context.jobs.claim(jobId, now, leaseUntil(waiting.lane, now)));
    if (job === undefined) {
      return "done";
    }
    const folder = scratch.take();
    try {
      if (job.attempt > JOB_ATTEMPTS_MAX) {
        throw attemptsUsedUp();
      }
      const input = await fetchInput(context, job, folder);
      const converted = await convertInput(context, job, run, { input, folder });
      const result = await store(context, job, converted);
      await finish(context, job, converted, result);
      return "done";
    } catch (error) {
      return await settle(context, job, error);
    } finally {
      scratch.giveBack(folder);
    }
  };
};

let pool: ConverterPool | undefined;

/** One converter process per function instance, which serves one message at a time. */
const runInProcess: RunConversion = (task, limits) => {
  pool ??= converterPool({ size: 1, entry: deployedContext().converterEntry });
  return pool.run(task, limits);
};

let convertOne: ReturnType<typeof convertFile> | undefined;

export const handler = queueHandler((message) => {
  convertOne ??= convertFile(deployedContext(), runInProcess);
  return convertOne(message);
});

const fetchInput = async (context: Context, job: Job, folder: string): Promise<string> => {
  const path = await context.files.fetch(job.inputKey, folder);
  if (path === undefined) {
    throw new JobError("engine_failed", "The uploaded file is gone.");
  }
  return path;
};

const convertInput = (
  context: Context,
  job: Job,
  run: RunConversion,
  { input, folder }: { input: string; folder: string },
): Promise<ConversionResult> =>
  run(
    { input, folder, steps: job.steps, options: job.options },
    {
      ...conversionLimits(job.lane),
      onProgress: seldom(context, (percent) => {
        // Progress is a courtesy: a lost update must not fail the conversion that it tells of.
        context.jobs
          .progress(job.id, job.attempt, percent)
          .catch((error: unknown) => logger.warn("progress was lost", { job_id: job.id, error: asError(error) }));
      }),
    },
  );

/** Milliseconds between two updates of a job's progress: each is a write. */
const PROGRESS_MS_MIN = 1_000;

/** @returns the function, but not called again too soon */
const seldom = ({ clock }: Context, tell: (percent: number) => void): ((percent: number) => void) => {
  let next = 0;
  return (percent) => {
    if (clock() >= next) {
      next = clock() + PROGRESS_MS_MIN;
      tell(percent);
    }
  };
};

const store = async (context: Context, job: Job, { output, bundled }: ConversionResult): Promise<JobResult> => {
  const key = resultKey(job.id, job.attempt);
  const mediaType = mediaTypeOf(bundled ? "zip" : job.targetFormat);
  const { bytes, sha256 } = await context.files.storeFile(key, output, mediaType);
  const expiresAt = filesExpireAt(context.clock());
  return { key, bytes, mediaType, sha256, token: newDownloadToken(context.random), expiresAt };
};

const finish = async (
  context: Context,
  job: Job,
  { timings, warnings }: ConversionResult,
  result: JobResult,
): Promise<void> => {
  const outcome = { status: "completed", result, timings, warnings } as const;
  if (!(await context.jobs.finish(job.id, job.attempt, outcome, context.clock()))) {
    // Another attempt has taken the job over in the meantime, so nobody will ever ask for this file.
    await context.files.remove([result.key]);
  }
};

/** Bad input fails the job at once; trouble of ours is tried again, until the attempts are used up. */
const settle = async (context: Context, job: Job, error: unknown): Promise<MessageOutcome> => {
  const jobError = error instanceof JobError ? error : unexpected(error);
  if (jobErrors[jobError.code].fault === "service") {
    logger.error("attempt failed", {
      job_id: job.id,
      attempt: job.attempt,
      code: jobError.code,
      error: asError(error),
    });
  }
  if (jobErrors[jobError.code].attemptedAgain && job.attempt < JOB_ATTEMPTS_MAX) {
    await context.jobs.release(job.id, job.attempt, context.clock() + QUEUED_RESEND_MS);
    return "retry";
  }
  await context.jobs.finish(job.id, job.attempt, failedOutcome(jobError), context.clock());
  return "done";
};

const unexpected = (error: unknown): JobError =>
  new JobError("engine_failed", "The conversion failed on our side.", { cause: error });
