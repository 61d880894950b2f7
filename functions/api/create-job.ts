import { isUnfinished, type Job, jobView } from "../domain/jobs.ts";
import { acceptJob } from "./accept-job.ts";
import { type ConversionRequest, conversionRequest } from "./conversion-request.ts";
import { http, type Operation } from "./http.ts";
import { idempotencyOf } from "./idempotency.ts";
import type { Answer, ApiRequest } from "./request.ts";
import { waitForJob, waitMilliseconds } from "./wait.ts";

/** Accepts a conversion, and waits for its end as long as the client would. */
export const createJob: Operation<ConversionRequest> = (context) => async (request) => {
  const milliseconds = waitMilliseconds(request);
  const idempotency = idempotencyOf(request, "createJob", JSON.stringify(request.body));
  const { job, replayed } = await acceptJob(context, request, idempotency);
  const waited = await waitForJob(context, job, { milliseconds, enough: () => false });
  return answer(request, waited, { now: context.clock(), replayed });
};

export const handler = http("createJob", createJob, conversionRequest);

const answer = (
  request: ApiRequest<unknown>,
  job: Job,
  { now, replayed }: { now: number; replayed: boolean },
): Answer => ({
  status: isUnfinished(job) ? 202 : 200,
  headers: {
    location: `/api/v1/convert/${job.id}/status`,
    ...(isUnfinished(job) && { "retry-after": "1" }),
    ...(replayed && { "idempotent-replayed": "true" }),
  },
  body: jobView(job, request.baseUrl, now),
});
