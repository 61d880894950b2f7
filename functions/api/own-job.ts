import { RequestError } from "../domain/errors.ts";
import type { Job } from "../domain/jobs.ts";
import type { Context } from "../domain/ports.ts";
import { type ApiRequest, param } from "./request.ts";

/**
 * @returns the account's job that the path names
 * @throws RequestError `not_found`, also for one of another account
 */
export const ownJob = async (context: Context, request: ApiRequest<unknown>): Promise<Job> => {
  const id = param(request, "id");
  const job = await context.jobs.getJob(id);
  if (job === undefined || job.accountId !== request.accountId) {
    throw new RequestError("not_found", `There is no job ${id.slice(0, 64)}.`);
  }
  return job;
};
