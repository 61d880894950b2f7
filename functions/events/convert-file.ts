import { context as deployedContext } from "#context";
import { jobErrors } from "../domain/errors/job-errors.ts";
import { JobError } from "../domain/errors.ts";
import { mediaTypeOf } from "../domain/formats/formats.ts";
import { newDownloadToken } from "../domain/ids.ts";
import {
  attemptsInLane,
  attemptsUsedUp,
  failedOutcome,
  isUnfinished,
  type Job,
  type JobMove,
  type JobOutcome,
  type JobResult,
  leaseTakenAt,
  resultExpiresAt,
  resultKey,
} from "../domain/jobs/job.ts";
import { JOB_ATTEMPTS_MAX, QUEUED_RESEND_MS } from "../domain/limits.ts";
import { claimMeasured, endMeasured } from "../domain/measurements.ts";
import type { Context, JobMessage } from "../domain/ports.ts";
import { HelperNeeded } from "../engines/core/engine.ts";
import { type ConverterPool, converterPool } from "../engines/core/run.ts";
import type { ConversionResult } from "../engines/core/task.ts";
import { warningsOf } from "../engines/core/with-fallbacks.ts";
import { asError, jobKeys, logger } from "../logger.ts";
import { type Attempt, changeOf, convertInAttempt, LaneNeeded, type RunLimits } from "./attempt.ts";
import { type ConvertJob, convertHere, type RunConversion } from "./convert-inputs.ts";
import { type MessageOutcome, queueHandler } from "./queue.ts";
import { type ScratchFolders, scratchFolders } from "./scratch.ts";

/**
 * Converts the file of one job: claim, fetch, convert, store, finish. It may be called any number of times for the same
 * job, concurrently or after a crash: conditional transitions ensure that one attempt at a time holds the job, and that
 * it ends once.
 */
export const convertFile = (context: Context, run: RunConversion, scratch?: ScratchFolders): ConvertMessage =>
  convertFileBy(context, convertHere(context, run), scratch);

type ConvertMessage = (message: JobMessage) => Promise<MessageOutcome>;

/** The same, with another way to convert. */
export const convertFileBy =
  (context: Context, convert: ConvertJob, scratch = scratchFolders(context.scratchFolder)): ConvertMessage =>
  async ({ jobId, lane }: JobMessage): Promise<MessageOutcome> => {
    const now = context.clock();
    const job = await context.jobs.claim(jobId, now, lane);
    if (job === undefined) {
      return "done";
    }
    context.metrics.record(claimMeasured(job, now));
    const folders: string[] = [];
    const inNewFolder = (limits: RunLimits): Promise<ConversionResult> => {
      const folder = scratch.take();
      folders.push(folder);
      return convert(job, { ...limits, folder });
    };
    try {
      if (attemptsInLane(job) > JOB_ATTEMPTS_MAX) {
        throw attemptsUsedUp();
      }
      if (job.forcedError !== undefined) {
        throw new JobError(job.forcedError, "Simulated error, requested by the file name.");
      }
      const attempt = await whileHeld(context, job, (signal) => convertInAttempt(context, job, signal, inNewFolder));
      const result = await store(context, job, attempt.result);
      await finish(context, job, attempt, result);
      return "done";
    } catch (error) {
      return await settle(context, job, error);
    } finally {
      await Promise.all(folders.map(scratch.release));
    }
  };

let pool: ConverterPool | undefined;

/** One converter process per function instance, which handles one message at a time. */
const runInProcess: RunConversion = (task, limits) => {
  pool ??= converterPool({ size: 1, entry: deployedContext().converterEntry });
  return pool.run(task, limits);
};

let convertOne: ReturnType<typeof convertFile> | undefined;

export const handler = queueHandler((message) => {
  convertOne ??= convertFile(deployedContext(), runInProcess);
  return convertOne(message);
});

/** Polling interval of a running job in milliseconds, to detect cancellation without notifications. */
const HELD_POLL_MS = 1_000;

/** Runs the work while this attempt holds the job. The signal aborts if the job is canceled or taken over. */
const whileHeld = async <T>(context: Context, job: Job, work: (signal: AbortSignal) => Promise<T>): Promise<T> => {
  const lost = new AbortController();
  let working = true;
  const watch = async (): Promise<void> => {
    while (working) {
      await context.notifications.changed(job.id, HELD_POLL_MS);
      const now = working ? await context.jobs.getJob(job.id) : job;
      // An expired lease returns the job to the queue. Until another attempt claims it, this one may still end it.
      if (now === undefined || (working && !(isUnfinished(now) && now.attempt === job.attempt))) {
        lost.abort(new JobError("cancelled", "The job was cancelled."));
        return;
      }
    }
  };
  watch().catch((error: unknown) =>
    logger.warn("cancellation check failed", { ...jobKeys(job), error: asError(error) }),
  );
  try {
    return await work(lost.signal);
  } finally {
    working = false;
  }
};

const store = async (context: Context, job: Job, { output, bundled }: ConversionResult): Promise<JobResult> => {
  const key = resultKey(job.id, job.attempt);
  const mediaType = mediaTypeOf(bundled ? "zip" : job.targetFormat);
  const { bytes, sha256 } = await context.files.storeFile(key, output, mediaType);
  const expiresAt = resultExpiresAt(job, context.clock());
  return { key, bytes, mediaType, sha256, token: newDownloadToken(context.random), expiresAt };
};

const finish = async (
  context: Context,
  job: Job,
  { result: { timings, warnings }, taken }: Attempt,
  result: JobResult,
): Promise<void> => {
  const all = [...(job.warnings ?? []), ...warningsOf(taken), ...warnings];
  const outcome = { status: "completed", result, timings, warnings: all, ...changeOf(taken) } as const;
  if (!(await end(context, job, outcome))) {
    // Another attempt has taken over the job, so this file will never be requested.
    await context.files.remove([result.key]);
  }
};

/** @returns where the job continues: in the lane with the helper that its file needs, or with its next engine */
const moveFor = (error: unknown, { helperLane }: Job): JobMove | undefined => {
  if (error instanceof LaneNeeded) {
    return error.move;
  }
  return error instanceof HelperNeeded && helperLane !== undefined ? { lane: helperLane } : undefined;
};

/**
 * Invalid input fails the job immediately. Internal errors are retried until the attempts are used up. A job that needs
 * an engine of another lane moves there.
 */
const settle = async (context: Context, job: Job, error: unknown): Promise<MessageOutcome> => {
  const move = moveFor(error, job);
  if (move !== undefined) {
    const moved = await context.jobs.release(job.id, job.attempt, context.clock() + QUEUED_RESEND_MS, move);
    return moved ? "moved" : "done";
  }
  const jobError = error instanceof JobError ? error : unexpected(error);
  if (jobErrors[jobError.code].fault === "service") {
    logger.error("attempt failed", { ...jobKeys(job), code: jobError.code, error: asError(error) });
  }
  const isLast = attemptsInLane(job) >= JOB_ATTEMPTS_MAX || job.forcedError !== undefined;
  if (jobErrors[jobError.code].attemptedAgain && !isLast) {
    await context.jobs.release(job.id, job.attempt, context.clock() + QUEUED_RESEND_MS);
    return "retry";
  }
  await end(context, job, failedOutcome(jobError));
  return "done";
};

/** Ends the job if this attempt holds it. @returns whether it ended now */
const end = async (context: Context, job: Job, outcome: JobOutcome): Promise<boolean> => {
  const now = context.clock();
  const ended = await context.jobs.finish(job.id, job.attempt, outcome, now);
  if (ended) {
    const claimedAt = leaseTakenAt(job);
    context.metrics.record(endMeasured(job, outcome, { now, claimedAt }));
    context.engineDays?.ended(job, outcome);
    const code = outcome.status === "failed" ? outcome.error.code : undefined;
    logger.info("job ended", { ...jobKeys(job), status: outcome.status, code, duration_ms: now - claimedAt });
    await context.engineDays?.storeWhenDue();
  }
  return ended;
};

const unexpected = (error: unknown): JobError =>
  new JobError("engine_failed", "The conversion failed due to an internal error.", { cause: error });
