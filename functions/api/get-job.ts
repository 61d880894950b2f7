import { isUnfinished, jobEtag, jobView } from "../domain/jobs.ts";
import { http, type Operation } from "./http.ts";
import { ownJob } from "./own-job.ts";
import { hasVersion } from "./request.ts";
import { waitForJob, waitMilliseconds } from "./wait.ts";

/** Says how far a job is; with `Prefer: wait` it answers when the job's state changes. */
export const getJob: Operation = (context) => async (request) => {
  const milliseconds = waitMilliseconds(request);
  const job = await ownJob(context, request);
  const changed = await waitForJob(context, job, { milliseconds, enough: ({ status }) => status !== job.status });
  const view = jobView(changed, request.baseUrl, context.clock());
  const etag = jobEtag(view);
  const headers = { etag, "cache-control": "private, no-cache", ...(isUnfinished(changed) && { "retry-after": "1" }) };
  return hasVersion(request, etag) ? { status: 304, headers } : { status: 200, headers, body: view };
};

export const handler = http("getJob", getJob);
