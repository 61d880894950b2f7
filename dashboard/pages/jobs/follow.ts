import { ApiProblem, api } from "../../api.ts";
import { isUnfinished, type Job } from "./job-list.ts";

/** Long requests at once: a browser opens six connections to a host (HTTP/1.1), and others are to get through. */
export const FOLLOWED_MAX = 4;

/** Seconds that the service holds a request until the state changes; with it a waiting job costs two requests a minute. */
const QUEUED_WAIT_SECONDS = 25;
/** While it is converted the percents move, which do not end the wait. */
const PROCESSING_WAIT_SECONDS = 2;

/** Milliseconds before a request is made again that failed. */
const RETRY_MS = 5_000;

export interface Follow {
  /** Unfinished jobs. */
  readonly jobs: readonly Job[];
  readonly read: (job: Job, signal: AbortSignal) => Promise<Job>;
  readonly onJob: (job: Job) => void;
  /** The job was erased meanwhile. */
  readonly onGone: (id: string) => void;
  readonly signal: AbortSignal;
  /** Milliseconds. @default RETRY_MS */
  readonly retryMs?: number;
}

/** Follows the jobs to their ends, in turn where there are more than FOLLOWED_MAX. It ends when all have, or when it is broken off. */
export const followJobs = async (follow: Follow): Promise<void> => {
  const waiting = [...follow.jobs];
  const work = async (): Promise<void> => {
    for (let job = waiting.shift(); job !== undefined && !follow.signal.aborted; job = waiting.shift()) {
      const next = await look(follow, job);
      if (next !== undefined && isUnfinished(next)) {
        waiting.push(next);
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(FOLLOWED_MAX, waiting.length) }, work));
};

/** @returns the job as it now stands; undefined when it is gone, or it was broken off */
const look = async (
  { read, onJob, onGone, signal, retryMs = RETRY_MS }: Follow,
  job: Job,
): Promise<Job | undefined> => {
  try {
    const next = await read(job, signal);
    if (!signal.aborted) {
      onJob(next);
    }
    return next;
  } catch (error) {
    if (signal.aborted) {
      return undefined;
    }
    if (error instanceof ApiProblem && (error.status === 404 || error.status === 410)) {
      onGone(job.id);
      return undefined;
    }
    // The page says elsewhere that the service is not reached; here it is only tried again, and given up with the page.
    await pause(error instanceof ApiProblem ? Math.max(retryMs, (error.retryAfter ?? 0) * 1_000) : retryMs, signal);
    return job;
  }
};

/** Ends early when it is broken off. */
const pause = async (milliseconds: number, signal: AbortSignal): Promise<void> => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, milliseconds);
  signal.addEventListener("abort", () => resolve(), { once: true });
  await promise;
  clearTimeout(timer);
};

/** Waits for a change at the service. @throws ApiProblem */
export const readJob = ({ id, status }: Job, signal: AbortSignal): Promise<Job> => {
  const seconds = status === "processing" ? PROCESSING_WAIT_SECONDS : QUEUED_WAIT_SECONDS;
  return api.get<Job>(`convert/${id}/status?wait=${seconds}`, signal);
};
