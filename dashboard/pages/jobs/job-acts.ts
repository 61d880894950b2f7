import { api, type Schemas } from "../../api.ts";
import { texts } from "../../text.ts";
import { announce } from "../../ui/live.tsx";
import { isUnfinished, type Job, nameOf } from "./job-list.ts";

/**
 * Saves the result. The request for it counts; the URL that it answers is signed, and needs nothing more.
 *
 * @throws ApiProblem, for example when the month is used up
 */
export const downloadJob = async ({ result }: Job): Promise<void> => {
  if (result === null) {
    return;
  }
  const { url, filename } = await api.get<Schemas["Download"]>(`download/${result.download_token}`);
  const link = document.createElement("a");
  link.href = url;
  link.download = filename;
  link.click();
};

/**
 * Stops a job wherever it is; its record stays. One that has ended meanwhile is left alone: the same request would erase it.
 *
 * @returns the job as it then stands; null when it ended in that moment, and so was erased
 * @throws ApiProblem
 */
export const cancelJob = async (job: Job): Promise<Job | null> => {
  const current = await api.get<Job>(`convert/${job.id}/status`);
  if (!isUnfinished(current)) {
    return current;
  }
  const cancelled = await removeJob(job);
  announce(cancelled ? texts.value.jobs.cancelled(nameOf(job)) : texts.value.jobs.erased(1));
  return cancelled ?? null;
};

/** Requests at once. */
const ERASED_AT_ONCE = 4;

/**
 * Erases the jobs with their files; those that have not ended are cancelled first. It goes on behind one that is refused.
 *
 * @throws ApiProblem the first refusal, when all have been tried
 */
export const eraseJobs = async (jobs: readonly Job[], onErased: (job: Job) => void): Promise<void> => {
  const waiting = [...jobs];
  const problems: unknown[] = [];
  const work = async (): Promise<void> => {
    for (let job = waiting.shift(); job !== undefined; job = waiting.shift()) {
      await eraseJob(job).then(onErased.bind(undefined, job), (error: unknown) => problems.push(error));
    }
  };
  await Promise.all(Array.from({ length: ERASED_AT_ONCE }, work));
  announce(texts.value.jobs.erased(jobs.length - problems.length));
  if (problems.length > 0) {
    throw problems[0];
  }
};

const eraseJob = async (job: Job): Promise<void> => {
  const cancelled = await removeJob(job);
  if (cancelled !== undefined) {
    await removeJob(job);
  }
};

/** @returns the job when this has cancelled it, undefined when it has erased it */
const removeJob = (job: Job): Promise<Job | undefined> => api.remove<Job | undefined>(`convert/${job.id}`);
