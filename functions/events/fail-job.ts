import { context as deployedContext } from "#context";
import { JobError } from "../domain/errors.ts";
import { failedOutcome, isUnfinished } from "../domain/jobs/job.ts";
import { messageOf } from "../domain/jobs/job-lane.ts";
import { endMeasured } from "../domain/measurements.ts";
import type { Context, JobMessage } from "../domain/ports.ts";
import { jobKeys, logger } from "../logger.ts";
import { type MessageOutcome, queueHandler } from "./queue.ts";

/** Milliseconds that a job can wait for its first attempt. */
const UNTRIED_MS_MAX = 6 * 3_600_000;

/**
 * Fails the job of a dead letter: its message had the maximum number of deliveries, and the job did not end. This is an
 * internal error, so the request is returned to the quota. A job that an attempt still holds is checked again later. A
 * job without any attempt only waited, since Lambda counts throttled deliveries too: it is queued again.
 */
export const failJob =
  (context: Context) =>
  async ({ jobId }: JobMessage): Promise<MessageOutcome> => {
    const job = await context.jobs.getJob(jobId);
    if (job === undefined || !isUnfinished(job)) {
      return "done";
    }
    const now = context.clock();
    if (job.status === "processing" && job.dueAt > now) {
      return "retry";
    }
    if (job.attempt === 0 && now - job.createdAt < UNTRIED_MS_MAX) {
      await context.queue.send(job.lane, messageOf(job));
      logger.warn("job was not tried, queued again", jobKeys(job));
      return "done";
    }
    const error = new JobError("engine_crashed", `The conversion did not finish after ${job.attempt} attempts.`);
    const outcome = failedOutcome(error);
    if (!(await context.jobs.finish(job.id, job.attempt, outcome, now))) {
      return "retry";
    }
    context.metrics.record(endMeasured(job, outcome, { now }));
    context.engineDays?.ended(job, outcome);
    await context.engineDays?.storeWhenDue();
    logger.error("job given up", { ...jobKeys(job), code: error.code });
    return "done";
  };

export const handler = queueHandler((message) => failJob(deployedContext())(message));
