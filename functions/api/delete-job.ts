import { RequestError } from "../domain/errors.ts";
import { isUnfinished, type Job, jobView } from "../domain/jobs.ts";
import { PAGE_ITEMS_MAX } from "../domain/limits.ts";
import { endMeasured } from "../domain/measured.ts";
import type { Context } from "../domain/ports.ts";
import { http, type Operation } from "./http.ts";
import { ownJob } from "./own-job.ts";

/** Cancels a job that has not ended, wherever it is; erases one that has, with its files, at once. */
export const deleteJob: Operation = (context) => async (request) => {
  const job = await ownJob(context, request);
  if (isUnfinished(job) && (await context.jobs.cancel(job.id, request.now)) !== undefined) {
    context.metrics.record(endMeasured(job, { status: "cancelled" }, { now: request.now }));
    const cancelled = await ownJob(context, request);
    return { status: 200, body: jobView(cancelled, request.baseUrl, context.clock()) };
  }
  const ended = await ownJob(context, request);
  if (isUnfinished(ended)) {
    const headers = { "retry-after": "1" };
    throw new RequestError("temporarily_unavailable", "The job changes hands just now. Try again in 1 s.", { headers });
  }
  // The files first: when this breaks off in between, it can be asked for again.
  await context.files.remove(ended.result === undefined ? [] : [ended.result.key]);
  await eraseUploads(context, ended, request.now);
  await context.jobs.eraseJob(ended.id);
  return { status: 204 };
};

export const handler = http("deleteJob", deleteJob);

/** An upload that another job still waits for stays until its own time, and so do all where too many wait to be looked at. */
const eraseUploads = async (context: Context, job: Job, now: number): Promise<void> => {
  const unfinished = await unfinishedOf(context, job.accountId);
  if (unfinished === undefined) {
    return;
  }
  const needed = new Set(unfinished.flatMap(uploadIdsOf));
  const inputs = [job, ...(job.further ?? [])].filter(({ uploadId }) => !needed.has(uploadId));
  for (const { uploadId } of inputs) {
    await context.uploads.expire(uploadId, now);
  }
  await context.files.remove(inputs.map(({ inputKey }) => inputKey));
};

/** @returns the jobs of the account that have not ended; undefined when there are more than one look gives */
const unfinishedOf = async ({ jobs }: Context, accountId: string): Promise<Job[] | undefined> => {
  const query = { accountId, limit: PAGE_ITEMS_MAX };
  const pages = [
    await jobs.listJobs({ ...query, status: "queued" }),
    await jobs.listJobs({ ...query, status: "processing" }),
  ];
  return pages.some(({ next }) => next !== undefined) ? undefined : pages.flatMap(({ items }) => items);
};

const uploadIdsOf = (job: Job): string[] => [job, ...(job.further ?? [])].map(({ uploadId }) => uploadId);
