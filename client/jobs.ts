import type { ConversionRequest, Job } from "./api.ts";
import { AnyformError, ConversionError } from "./errors.ts";
import type { OnProgress } from "./progress.ts";
import { idempotencyKey, type Service, WAIT_SECONDS } from "./request.ts";

/** Starts jobs, waits for their end, and cancels those that nobody waits for any more. */

export interface Waiting {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: OnProgress | undefined;
}

/** Somebody who watches gets news this often; the service tells of a change of state at once. */
const WATCHED_SECONDS = 2;
/** Milliseconds of a wait: the longest conversions take 15 minutes, and may be tried three times. */
const WAIT_MS_MAX = 2 * 3_600_000;

/**
 * Starts a conversion and waits for its end. One idempotency key for all attempts makes one job of them.
 * @throws ConversionError when it ended without a result; the signal's reason when it aborted, and the job is cancelled
 */
export const runJob = async (service: Service, request: ConversionRequest, waiting: Waiting): Promise<Job> => {
  const { signal, onProgress } = waiting;
  signal?.throwIfAborted();
  const job = await service.json<Job>({
    method: "POST",
    to: "convert",
    headers: { "content-type": "application/json", "idempotency-key": idempotencyKey() },
    body: () => JSON.stringify(request),
    // Who may cancel, or watches, needs the job's id at once.
    waitSeconds: signal === undefined && onProgress === undefined ? WAIT_SECONDS : 0,
    lateSignal: signal,
  });
  try {
    return await endOf(service, job, waiting);
  } catch (error) {
    if (signal?.aborted) {
      await cancel(service, job.id).catch(() => undefined);
    }
    throw error;
  }
};

/** @returns the job when it has completed @throws ConversionError when it ended otherwise */
export const endOf = async (service: Service, begun: Job, { signal, onProgress }: Waiting): Promise<Job> => {
  const end = Date.now() + WAIT_MS_MAX;
  let job = begun;
  while (job.status === "queued" || job.status === "processing") {
    signal?.throwIfAborted();
    onProgress?.({ phase: "convert", percent: job.progress });
    if (Date.now() > end) {
      throw new AnyformError({ code: "timed_out", detail: `The job ${job.id} has not ended in two hours.` });
    }
    job = await service.json<Job>({
      to: `convert/${job.id}/status`,
      waitSeconds: onProgress === undefined ? WAIT_SECONDS : WATCHED_SECONDS,
      signal,
    });
  }
  if (job.status !== "completed") {
    throw new ConversionError(job);
  }
  onProgress?.({ phase: "convert", percent: 100 });
  return job;
};

/** Cancels a job that has not ended, and erases one that has. What is gone already is as it should be. */
export const cancel = async (service: Service, id: string): Promise<void> => {
  try {
    await service.done({ method: "DELETE", to: `convert/${encodeURIComponent(id)}` });
  } catch (error) {
    if (!(error instanceof AnyformError) || error.status !== 404) {
      throw error;
    }
  }
};
