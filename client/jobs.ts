import type { ConversionRequest, Job } from "./api.ts";
import { AnyformError, ConversionError } from "./http/errors.ts";
import { idempotencyKey, type Service, WAIT_SECONDS } from "./http/request.ts";
import { pollOnce } from "./http/retry.ts";
import type { OnProgress } from "./transfer/progress.ts";

/** Starts jobs, waits for them, and cancels abandoned ones. */

export interface Waiting {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: OnProgress | undefined;
}

/** Interval of progress updates; the service reports a change of status immediately. */
const WATCHED_SECONDS = 2;
/** Longest wait in milliseconds: a conversion takes at most 15 minutes and may be attempted three times. */
const WAIT_MS_MAX = 2 * 3_600_000;

/**
 * Starts a conversion and waits for it. All attempts share one idempotency key, so they create one job.
 * @throws ConversionError if the job ends without a result; the signal's reason if it aborts, which cancels the job
 */
export const runJob = async (service: Service, request: ConversionRequest, waiting: Waiting): Promise<Job> => {
  const { signal, onProgress } = waiting;
  signal?.throwIfAborted();
  const job = await service.json<Job>({
    method: "POST",
    to: "convert",
    headers: { "content-type": "application/json", "idempotency-key": idempotencyKey() },
    body: () => JSON.stringify(request),
    // Cancellation and progress need the job ID immediately.
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

/** @returns the completed job @throws ConversionError if the job ends without a result */
export const endOf = async (service: Service, begun: Job, { signal, onProgress }: Waiting): Promise<Job> => {
  const end = Date.now() + WAIT_MS_MAX;
  let job = begun;
  while (job.status === "queued" || job.status === "processing") {
    signal?.throwIfAborted();
    onProgress?.({ phase: "convert", percent: job.progress });
    if (Date.now() > end) {
      throw new AnyformError({ code: "timed_out", detail: `Job ${job.id} did not end within two hours.` });
    }
    const { id, status } = job;
    const waitSeconds = onProgress === undefined ? WAIT_SECONDS : WATCHED_SECONDS;
    job = await pollOnce(() => service.json<Job>({ to: `convert/${id}/status`, waitSeconds, signal }), {
      hasChanged: (next) => next.status !== status,
      signal,
    });
  }
  if (job.status !== "completed") {
    throw new ConversionError(job);
  }
  onProgress?.({ phase: "convert", percent: 100 });
  return job;
};

/** Cancels a job that has not ended; one that has ended is kept. A job that no longer exists is not an error. */
export const cancel = (service: Service, id: string, signal?: AbortSignal): Promise<void> =>
  unlessGone(service.done({ method: "POST", to: `convert/${encodeURIComponent(id)}/cancel`, signal }));

/** Deletes a job with its result. A job that no longer exists is not an error. */
export const deleteJob = (service: Service, id: string, signal?: AbortSignal): Promise<void> =>
  unlessGone(service.done({ method: "DELETE", to: `convert/${encodeURIComponent(id)}`, signal }));

/** Deletes an upload with its file. An upload that no longer exists is not an error. */
export const deleteUpload = (service: Service, id: string, signal?: AbortSignal): Promise<void> =>
  unlessGone(service.done({ method: "DELETE", to: `upload/${encodeURIComponent(id)}`, signal }));

/** Statuses of records that do not exist, or have expired. */
const GONE: ReadonlySet<number> = new Set([404, 410]);

const unlessGone = async (request: Promise<void>): Promise<void> => {
  try {
    await request;
  } catch (error) {
    if (!(error instanceof AnyformError) || !GONE.has(error.status)) {
      throw error;
    }
  }
};
