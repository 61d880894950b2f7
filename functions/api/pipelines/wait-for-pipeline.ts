import { isUnfinished } from "../../domain/jobs/job.ts";
import { hasEnded, jobsOf } from "../../domain/pipelines/pipeline.ts";
import type { Context } from "../../domain/ports.ts";
import { withinWaits } from "../middleware/wait.ts";
import type { ReadPipeline } from "./require-pipeline.ts";

/**
 * Waits until the pipeline has ended, or the time is over. If too many requests of the account wait, it does not wait.
 * @returns the pipeline with its jobs as they are then
 */
export const waitForPipeline = async (
  context: Context,
  read: ReadPipeline,
  milliseconds: number,
): Promise<ReadPipeline> => {
  const { pipeline } = read;
  if (milliseconds <= 0 || hasEnded(pipeline, read.jobs)) {
    return read;
  }
  const record = { id: pipeline.id, accountId: pipeline.accountId, jobs: read.jobs };
  const { jobs } = await withinWaits(context, record, async () => ({
    ...record,
    jobs: await endedJobs(context, read, milliseconds),
  }));
  return { pipeline, jobs };
};

const endedJobs = async (
  { clock, jobs: store, notifications }: Context,
  { pipeline, jobs }: ReadPipeline,
  milliseconds: number,
): Promise<ReadPipeline["jobs"]> => {
  const end = clock() + milliseconds;
  let current = jobs;
  for (let left = milliseconds; left > 0 && !hasEnded(pipeline, current); left = end - clock()) {
    // Subscribed before the read, so that a change in between is not missed. A job that waits starts after another ends.
    const running = [...current.values()].filter((job) => isUnfinished(job));
    const changed = Promise.race(running.map(({ id }) => notifications.changed(id, left)));
    current = await jobsOf(pipeline, store.getJob);
    if (!hasEnded(pipeline, current)) {
      await changed;
    }
  }
  return jobsOf(pipeline, store.getJob);
};
