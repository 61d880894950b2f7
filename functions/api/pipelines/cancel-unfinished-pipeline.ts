import { isUnfinished } from "../../domain/jobs/job.ts";
import { hasEnded, jobsOf } from "../../domain/pipelines/pipeline.ts";
import type { Context } from "../../domain/ports.ts";
import { endCancelled } from "../jobs/end-cancelled.ts";
import type { ApiRequest } from "../request.ts";
import { type ReadPipeline, requirePipeline } from "./require-pipeline.ts";

/**
 * Cancels every unfinished job of the pipeline in the path. Waiting jobs are cancelled too, so no further one starts.
 * @returns the pipeline, which has ended, and whether this request cancelled a job
 * @throws RequestError `not_found`
 */
export const cancelUnfinishedPipeline = async (
  context: Context,
  request: ApiRequest<unknown>,
): Promise<ReadPipeline & { readonly wasCancelled: boolean }> => {
  const { pipeline, jobs } = await requirePipeline(context, request);
  if (hasEnded(pipeline, jobs)) {
    return { pipeline, jobs, wasCancelled: false };
  }
  for (const job of [...jobs.values()].filter(isUnfinished)) {
    await endCancelled(context, job, request.now);
  }
  return { pipeline, jobs: await jobsOf(pipeline, context.jobs.getJob), wasCancelled: true };
};
