import { context as deployedContext } from "#context";
import { JobError } from "../domain/errors.ts";
import { failedOutcome, isUnfinished } from "../domain/jobs.ts";
import { endMeasured } from "../domain/measured.ts";
import type { Context, JobMessage } from "../domain/ports.ts";
import { jobKeys, logger } from "../logger.ts";
import { type MessageOutcome, queueHandler } from "./queue.ts";

/**
 * Ends the job of a dead letter: its message was delivered as often as it may be, and the job did not end. It fails
 * through our fault, so the request is given back. A job that an attempt still holds is looked at again later.
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
    const error = new JobError(
      "engine_crashed",
      `The conversion did not end, though it was tried ${job.attempt} times.`,
    );
    const outcome = failedOutcome(error);
    if (!(await context.jobs.finish(job.id, job.attempt, outcome, now))) {
      return "retry";
    }
    context.metrics.record(endMeasured(job, outcome, { now }));
    logger.error("job given up", { ...jobKeys(job), code: error.code });
    return "done";
  };

export const handler = queueHandler((message) => failJob(deployedContext())(message));
