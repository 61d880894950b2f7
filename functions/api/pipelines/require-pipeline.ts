import { RequestError } from "../../domain/errors.ts";
import { jobsOf, type Pipeline, type PipelineJobs } from "../../domain/pipelines/pipeline.ts";
import type { Context } from "../../domain/ports.ts";
import { type ApiRequest, param } from "../request.ts";

/** A pipeline with its jobs, as they were read. */
export interface ReadPipeline {
  readonly pipeline: Pipeline;
  readonly jobs: PipelineJobs;
}

/**
 * @returns the account's pipeline with the ID in the path
 * @throws RequestError `not_found`, also for pipelines of other accounts
 */
export const requirePipeline = async (context: Context, request: ApiRequest<unknown>): Promise<ReadPipeline> => {
  const id = param(request, "id");
  const pipeline = /^pip_/.test(id) ? await context.pipelines.getPipeline(id) : undefined;
  if (pipeline === undefined || pipeline.accountId !== request.accountId) {
    throw new RequestError("not_found", `Pipeline ${id.slice(0, 64)} not found.`);
  }
  return { pipeline, jobs: await jobsOf(pipeline, context.jobs.getJob) };
};
