import { RequestError } from "../../domain/errors.ts";
import { isUnfinished, type Job } from "../../domain/jobs/job.ts";
import type { Context } from "../../domain/ports.ts";
import { useOnly } from "../permissions.ts";
import type { ApiRequest } from "../request.ts";
import { endCancelled } from "./end-cancelled.ts";
import { requireJob } from "./require-job.ts";

/**
 * A cancelled job is counted in the daily usage (functions/adapters/dynamo/quotas/quotas.ts), which does not affect the quota.
 */
export const cancelsOnly = {
  ...useOnly,
  quotas: {
    attributes: [
      ...useOnly.quotas.attributes,
      "bytesIn",
      "bytesOut",
      "jobs",
      ...Array.from({ length: 31 }, (_, index) => `${index + 1}x`),
    ],
  },
};

/**
 * Cancels the job in the path, unless it has ended.
 * @returns the job, which has ended, and whether this request cancelled it
 * @throws RequestError `not_found`; `temporarily_unavailable` when the job is changing state
 */
export const cancelUnfinished = async (
  context: Context,
  request: ApiRequest<unknown>,
): Promise<{ readonly job: Job; readonly wasCancelled: boolean }> => {
  const job = await requireJob(context, request);
  if (!isUnfinished(job)) {
    return { job, wasCancelled: false };
  }
  const wasCancelled = await endCancelled(context, job, request.now);
  const ended = await requireJob(context, request);
  if (isUnfinished(ended)) {
    const headers = { "retry-after": "1" };
    throw new RequestError("temporarily_unavailable", "The job is changing state. Try again in 1 s.", { headers });
  }
  return { job: ended, wasCancelled };
};
