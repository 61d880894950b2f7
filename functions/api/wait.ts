import { RequestError } from "../domain/errors.ts";
import { isUnfinished, type Job } from "../domain/jobs.ts";
import { WAIT_SECONDS_MAX } from "../domain/limits.ts";
import type { Context } from "../domain/ports.ts";
import type { ApiRequest } from "./request.ts";

/**
 * @returns milliseconds that the client would wait for an answer: `?wait=25`, or `Prefer: wait=25` (RFC 7240), at most
 * 25 s; 0 when it would not
 * @throws RequestError `invalid_request` for a `?wait=` that is no number of seconds; a header that is none is ignored,
 * as RFC 7240 has it
 */
export const waitMilliseconds = (request: ApiRequest<unknown>): number => {
  const query = request.query.wait;
  if (query !== undefined && !/^\d{1,6}$/.test(query)) {
    const detail = `Give whole seconds from 0 to ${WAIT_SECONDS_MAX}.`;
    throw new RequestError("invalid_request", `wait=${query.slice(0, 20)} does not fit. ${detail}`, {
      errors: [{ pointer: "/wait", code: "invalid", detail }],
    });
  }
  const preference = /(?:^|[,;\s])wait *= *"?(\d{1,6})"?/i.exec(request.headers.prefer ?? "");
  return 1_000 * Math.min(WAIT_SECONDS_MAX, Number(query ?? preference?.[1] ?? 0));
};

/**
 * Waits until the job has changed in the way that `enough` looks for, or the time is over.
 * @returns the job as it then is
 */
export const waitForJob = async (
  context: Context,
  job: Job,
  { milliseconds, enough }: { milliseconds: number; enough: (job: Job) => boolean },
): Promise<Job> => {
  const end = context.clock() + milliseconds;
  let current = job;
  let left = milliseconds;
  while (left > 0 && isUnfinished(current) && !enough(current)) {
    // Listened for before it is read, so that a change in between is not slept through.
    const changed = context.notices.changed(job.id, left);
    current = (await context.jobs.getJob(job.id)) ?? current;
    if (isUnfinished(current) && !enough(current)) {
      await changed;
      left = end - context.clock();
    }
  }
  return left > 0 || milliseconds <= 0 ? current : ((await context.jobs.getJob(job.id)) ?? current);
};
