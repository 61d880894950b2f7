import { ApiProblem, api } from "../../api.ts";
import { isUnfinished, type Job } from "./job-list.ts";

/** Concurrent long requests: a browser opens six connections to a host (HTTP/1.1), and other requests need some of them. */
export const FOLLOWED_MAX = 4;

/** Seconds that the service keeps a request open until the status changes: a queued job then costs two requests a minute. */
const QUEUED_WAIT_SECONDS = 25;
/** Shorter while converting, because progress changes do not end the wait. */
const PROCESSING_WAIT_SECONDS = 2;

/** Milliseconds before a failed request is retried. */
const RETRY_MS = 5_000;

/** Shortest time in milliseconds between two requests for a job that has not changed. */
const POLL_MS_MIN = 1_000;

export interface Follow {
  /** Unfinished jobs. */
  readonly jobs: readonly Job[];
  readonly read: (job: Job, signal: AbortSignal) => Promise<Job>;
  readonly onJob: (job: Job) => void;
  /** Called when the job has been deleted in the meantime. */
  readonly onGone: (id: string) => void;
  readonly signal: AbortSignal;
  /** Milliseconds. @default RETRY_MS */
  readonly retryMs?: number;
}

/** Polls jobs until they end, in turn if there are more than FOLLOWED_MAX. Resolves when all have ended, or when aborted. */
export const followJobs = async (follow: Follow): Promise<void> => {
  const waiting = [...follow.jobs];
  const work = async (): Promise<void> => {
    for (let job = waiting.shift(); job !== undefined && !follow.signal.aborted; job = waiting.shift()) {
      const next = await poll(follow, job);
      if (next !== undefined && isUnfinished(next)) {
        waiting.push(next);
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(FOLLOWED_MAX, waiting.length) }, work));
};

/** @returns the job's current state; undefined if it was deleted, or polling was aborted */
const poll = async (
  { read, onJob, onGone, signal, retryMs = RETRY_MS }: Follow,
  job: Job,
): Promise<Job | undefined> => {
  try {
    const start = performance.now();
    const next = await read(job, signal);
    if (!signal.aborted) {
      onJob(next);
    }
    // If too many requests of the account wait, the service responds at once.
    const early = Math.min(retryMs, POLL_MS_MIN) - (performance.now() - start);
    if (early > 0 && next.status === job.status) {
      await pause(early, signal);
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
    // The page shows elsewhere that the service cannot be reached. Here, the request is only retried until the page is left.
    await pause(error instanceof ApiProblem ? Math.max(retryMs, (error.retryAfter ?? 0) * 1_000) : retryMs, signal);
    return job;
  }
};

/** Ends early when aborted. */
const pause = async (milliseconds: number, signal: AbortSignal): Promise<void> => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, milliseconds);
  signal.addEventListener("abort", () => resolve(), { once: true });
  await promise;
  clearTimeout(timer);
};

/** Long-polls the job's status. @throws ApiProblem */
export const readJob = ({ id, status }: Job, signal: AbortSignal): Promise<Job> => {
  const seconds = status === "processing" ? PROCESSING_WAIT_SECONDS : QUEUED_WAIT_SECONDS;
  return api.get<Job>(`convert/${id}/status?wait=${seconds}`, signal);
};
