import { ApiProblem, api, type Schemas } from "../../api.ts";
import { texts } from "../../text.ts";
import { toast } from "../../ui/live.tsx";
import { type Job, nameOf } from "./job-list.ts";

/**
 * Downloads the result. The request counts; the URL in its response is signed and needs no session.
 *
 * @throws ApiProblem, for example when the quota is used up
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
 * Cancels a job and keeps its record. A job that has ended in the meantime is not changed.
 *
 * @returns the job's new state
 * @throws ApiProblem
 */
export const cancelJob = async (job: Job): Promise<Job> => {
  const ended = await api.post<Job>(`convert/${job.id}/cancel`);
  if (ended.status === "cancelled") {
    toast(texts.value.jobs.cancelled(nameOf(job)));
  }
  return ended;
};

/** Concurrent requests. */
const DELETIONS_MAX = 4;

/**
 * Deletes jobs with their files. Unfinished ones are cancelled first. A failure does not stop the others.
 *
 * @throws ApiProblem the first failure, after all jobs have been tried
 */
export const deleteJobs = async (jobs: readonly Job[], onDeleted: (job: Job) => void): Promise<void> => {
  const waiting = [...jobs];
  const problems: unknown[] = [];
  const work = async (): Promise<void> => {
    for (let job = waiting.shift(); job !== undefined; job = waiting.shift()) {
      await deleteJob(job).then(onDeleted.bind(undefined, job), (error: unknown) => problems.push(error));
    }
  };
  await Promise.all(Array.from({ length: DELETIONS_MAX }, work));
  toast(texts.value.jobs.deleted(jobs.length - problems.length));
  if (problems.length > 0) {
    throw problems[0];
  }
};

const deleteJob = async (job: Job): Promise<void> => {
  const cancelled = await removeJob(job);
  if (cancelled !== undefined) {
    await removeJob(job);
  }
  for (const id of job.upload_ids) {
    await api.remove(`upload/${id}`).catch(unlessGone);
  }
};

/** Statuses of records that do not exist, or have expired. */
const GONE: ReadonlySet<number | undefined> = new Set([404, 410]);

const unlessGone = (error: unknown): void => {
  if (!(error instanceof ApiProblem) || !GONE.has(error.status)) {
    throw error;
  }
};

/** @returns the job if the request cancelled it, undefined if it deleted it */
const removeJob = (job: Job): Promise<Job | undefined> => api.remove<Job | undefined>(`convert/${job.id}`);
