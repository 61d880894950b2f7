import { RequestError } from "../../domain/errors.ts";
import type { Job } from "../../domain/jobs/job.ts";
import type { Context } from "../../domain/ports.ts";
import { type ApiRequest, param } from "../request.ts";

/**
 * @returns the account's job with the ID in the path
 * @throws RequestError `not_found`, also for jobs of other accounts
 */
export const requireJob = async (context: Context, request: ApiRequest<unknown>): Promise<Job> => {
  const id = param(request, "id");
  const job = await context.jobs.getJob(id);
  if (job === undefined || job.accountId !== request.accountId) {
    throw new RequestError("not_found", `Job ${id.slice(0, 64)} not found.`);
  }
  return job;
};
