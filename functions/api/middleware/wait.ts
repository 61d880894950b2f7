import { isUnfinished, type Job } from "../../domain/jobs/job.ts";
import { WAIT_SECONDS_MAX } from "../../domain/limits.ts";
import type { Context } from "../../domain/ports.ts";
import { asError, logger } from "../../logger.ts";
import { type ApiRequest, invalidValue } from "../request.ts";

/**
 * @param unsetSeconds the time when the client does not set one
 * @returns milliseconds that the client is willing to wait: `?wait=25`, or `Prefer: wait=25` (RFC 7240), at most 25 s
 * @throws RequestError `invalid_request` when `?wait=` is not a number of seconds; an invalid header is ignored, as RFC
 * 7240 requires
 */
export const waitMilliseconds = (request: ApiRequest<unknown>, unsetSeconds = 0): number => {
  const query = request.query.wait;
  if (query !== undefined && !/^\d{1,6}$/.test(query)) {
    const detail = `\`wait\` must be a number of seconds from 0 to ${WAIT_SECONDS_MAX}, not ${query.slice(0, 20)}.`;
    throw invalidValue("/wait", detail);
  }
  return (
    1_000 *
    (query === undefined ? (preferredSeconds(request) ?? unsetSeconds) : Math.min(WAIT_SECONDS_MAX, Number(query)))
  );
};

/** @returns the seconds of `Prefer: wait=25`, at most 25; undefined without this preference */
export const preferredSeconds = ({ headers }: ApiRequest<unknown>): number | undefined => {
  const seconds = /(?:^|[,;\s])wait *= *"?(\d{1,6})"?/i.exec(headers.prefer ?? "")?.[1];
  return seconds === undefined ? undefined : Math.min(WAIT_SECONDS_MAX, Number(seconds));
};

interface JobWait {
  readonly milliseconds: number;
  /** Accepts the job that the client waits for. */
  readonly enough: (job: Job) => boolean;
}

/**
 * Waits until `enough` accepts the job, or the time is over. If too many requests of the account wait, it does not wait.
 * @returns the job in its latest state
 */
export const waitForJob = (context: Context, job: Job, wait: JobWait): Promise<Job> =>
  wait.milliseconds <= 0 || !isUnfinished(job) || wait.enough(job)
    ? Promise.resolve(job)
    : withinWaits(context, job, () => changedJob(context, job, wait));

/**
 * Waits if the account has a free slot for it, until the service shuts down. A crowded account, and a failed count, only
 * shorten the wait: neither is an error of the request.
 *
 * @returns the result of the wait; the record without a slot, or when the service shuts down
 */
export const withinWaits = async <T extends { readonly id: string; readonly accountId: string }>(
  { slots, clock, streams }: Pick<Context, "slots" | "clock" | "streams">,
  record: T,
  wait: () => Promise<T>,
): Promise<T> => {
  const uncounted = (error: unknown): undefined => {
    logger.warn("wait was not counted", { record_id: record.id, account_id: record.accountId, error: asError(error) });
  };
  const release = await slots.take(record.accountId, "wait", clock()).catch(uncounted);
  if (release === undefined) {
    return record;
  }
  const { promise: closed, resolve } = Promise.withResolvers<T>();
  const close = () => resolve(record);
  streams?.closing.addEventListener("abort", close, { once: true });
  try {
    return streams?.closing.aborted === true ? record : await Promise.race([wait(), closed]);
  } finally {
    streams?.closing.removeEventListener("abort", close);
    await release().catch(uncounted);
  }
};

const changedJob = async (context: Context, job: Job, { milliseconds, enough }: JobWait): Promise<Job> => {
  const end = context.clock() + milliseconds;
  let current = job;
  let left = milliseconds;
  while (left > 0 && isUnfinished(current) && !enough(current)) {
    // Subscribed before the read, so that a change in between is not missed.
    const changed = context.notifications.changed(job.id, left);
    current = (await context.jobs.getJob(job.id)) ?? current;
    if (isUnfinished(current) && !enough(current)) {
      await changed;
      left = end - context.clock();
    }
  }
  return left > 0 ? current : ((await context.jobs.getJob(job.id)) ?? current);
};
