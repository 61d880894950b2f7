import { isUnfinished } from "../../domain/jobs/job.ts";
import { hasEnded, jobsOf, type PipelineJobs } from "../../domain/pipelines/pipeline.ts";
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

/** Resolves with the next change of an unfinished job, or after this time. A job that waits starts after another ends. */
export const nextChange = async (
  { notifications }: Pick<Context, "notifications">,
  jobs: PipelineJobs,
  milliseconds: number,
): Promise<void> => {
  const running = [...jobs.values()].filter((job) => isUnfinished(job));
  await Promise.race(running.map(({ id }) => notifications.changed(id, milliseconds)));
};

const endedJobs = async (
  context: Context,
  { pipeline, jobs }: ReadPipeline,
  milliseconds: number,
): Promise<ReadPipeline["jobs"]> => {
  const { clock, jobs: store } = context;
  const end = clock() + milliseconds;
  let current = jobs;
  for (let left = milliseconds; left > 0 && !hasEnded(pipeline, current); left = end - clock()) {
    // Subscribed before the read, so that a change in between is not missed.
    const changed = nextChange(context, current, left);
    current = await jobsOf(pipeline, store.getJob);
    if (!hasEnded(pipeline, current)) {
      await changed;
    }
  }
  return jobsOf(pipeline, store.getJob);
};
