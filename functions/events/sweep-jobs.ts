import { context as deployedContext } from "#context";
import { attemptsInLane, attemptsUsedUp, failedOutcome, type Job } from "../domain/jobs/job.ts";
import { messageOf } from "../domain/jobs/job-lane.ts";
import { JOB_ATTEMPTS_MAX, QUEUED_RESEND_MS, SWEEP_JOBS_MAX } from "../domain/limits.ts";
import { endMeasured } from "../domain/measurements.ts";
import type { Context } from "../domain/ports.ts";
import { jobKeys, logger } from "../logger.ts";
import { advancePipeline } from "./advance-pipeline.ts";
import { sweepWebhooks } from "./sweep-webhooks.ts";

/**
 * Recovers abandoned jobs: a queued job whose message may be lost gets another message, and a job with an expired lease
 * returns to the queue, or fails if its attempts are used up. The pipeline of a job that waits for long is continued, in case the
 * end of another of its jobs was lost. Every change is conditional, so concurrent runs are safe.
 *
 * @returns the number of changed jobs
 */
export const sweepJobs = (context: Context) => async (): Promise<number> => {
  const now = context.clock();
  const overdue = await context.jobs.overdue(now, SWEEP_JOBS_MAX);
  let moved = 0;
  for (const job of overdue) {
    moved += (await sweep(context, job, now)) ? 1 : 0;
  }
  return moved;
};

/** Also sweeps webhook messages. A failure of one sweep does not stop the other. */
export const handler = async (): Promise<void> => {
  const context = deployedContext();
  const sweeps = await Promise.allSettled([sweepJobs(context)(), sweepWebhooks(context)()]);
  const [moved, sent] = sweeps.map((sweep) => (sweep.status === "fulfilled" ? sweep.value : undefined));
  logger.info("swept", { moved, sent });
  for (const sweep of sweeps) {
    if (sweep.status === "rejected") {
      throw sweep.reason;
    }
  }
};

const sweep = async (context: Context, job: Job, now: number): Promise<boolean> => {
  if (job.waits === true && job.pipelineId !== undefined) {
    const isDue = await context.jobs.postpone(job.id, job.dueAt, nextCheck(job, now));
    await advancePipeline(context)(job.pipelineId);
    return isDue;
  }
  if (job.status === "processing" && attemptsInLane(job) >= JOB_ATTEMPTS_MAX) {
    return giveUp(context, job, now);
  }
  const changed =
    job.status === "processing"
      ? await context.jobs.release(job.id, job.attempt, nextCheck(job, now))
      : await context.jobs.postpone(job.id, job.dueAt, nextCheck(job, now));
  if (changed) {
    await context.queue.send(job.lane, messageOf(job));
  }
  return changed;
};

const giveUp = async (context: Context, job: Job, now: number): Promise<boolean> => {
  const error = attemptsUsedUp();
  const outcome = failedOutcome(error);
  const ended = await context.jobs.finish(job.id, job.attempt, outcome, now);
  if (ended) {
    context.metrics.record(endMeasured(job, outcome, { now }));
    context.engineDays?.ended(job, outcome);
    await context.engineDays?.storeWhenDue();
    logger.error("job given up", { ...jobKeys(job), code: error.code });
  }
  return ended;
};

/** The older the job, the rarer its messages, so that they do not lengthen an existing backlog. */
const nextCheck = (job: Job, now: number): number => now + Math.max(QUEUED_RESEND_MS, now - job.createdAt);
