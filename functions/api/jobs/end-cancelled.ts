import type { Job } from "../../domain/jobs/job.ts";
import { endMeasured } from "../../domain/measurements.ts";
import type { Context } from "../../domain/ports.ts";

/** Cancels the job while it is unfinished, and measures its end. @returns whether it was cancelled now */
export const endCancelled = async (
  { jobs, metrics }: Pick<Context, "jobs" | "metrics">,
  job: Job,
  now: number,
): Promise<boolean> => {
  const wasCancelled = (await jobs.cancel(job.id, now)) !== undefined;
  if (wasCancelled) {
    metrics.record(endMeasured(job, { status: "cancelled" }, { now }));
  }
  return wasCancelled;
};
