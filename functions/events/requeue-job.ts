import { messageOf } from "../domain/jobs/job-lane.ts";
import type { Context } from "../domain/ports.ts";

/**
 * Queues a job that a failed attempt has returned, so that it is retried at once, or that has moved to another lane.
 * Converters cannot reach the queue, and the message of the failed attempt stays hidden for as long as an attempt can take.
 */
export const requeueJob =
  ({ jobs, queue }: Pick<Context, "jobs" | "queue">) =>
  async (jobId: string): Promise<void> => {
    const job = await jobs.getJob(jobId);
    if (job?.status === "queued") {
      await queue.send(job.lane, messageOf(job));
    }
  };
