import { RequestError } from "../domain/errors.ts";
import { isUnfinished, jobEtag, jobView } from "../domain/jobs.ts";
import { http, type Operation } from "./http.ts";
import { hasVersion, param } from "./request.ts";
import { waitForJob, waitMilliseconds } from "./wait.ts";

/** Says how far a job is; with `Prefer: wait` it answers when the job's state changes. */
export const getJob: Operation = (context) => async (request) => {
  const milliseconds = waitMilliseconds(request);
  const id = param(request, "id");
  const job = await context.jobs.getJob(id);
  if (job === undefined || job.accountId !== request.accountId) {
    throw new RequestError("not_found", `There is no job ${id.slice(0, 64)}.`);
  }
  const changed = await waitForJob(context, job, { milliseconds, enough: ({ status }) => status !== job.status });
  const view = jobView(changed, request.baseUrl, context.clock());
  const etag = jobEtag(view);
  const headers = { etag, "cache-control": "private, no-cache", ...(isUnfinished(changed) && { "retry-after": "1" }) };
  return hasVersion(request, etag) ? { status: 304, headers } : { status: 200, headers, body: view };
};

export const handler = http("getJob", getJob);
