import { context as deployedContext } from "#context";
import { JobError } from "../domain/errors.ts";
import { failedOutcome, isUnfinished } from "../domain/jobs.ts";
import type { Context, JobMessage } from "../domain/ports.ts";
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
    return (await context.jobs.finish(job.id, job.attempt, failedOutcome(error), now)) ? "done" : "retry";
  };

export const handler = queueHandler((message) => failJob(deployedContext())(message));
