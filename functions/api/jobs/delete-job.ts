import { RequestError } from "../../domain/errors.ts";
import { isUnfinished, type Job, jobView } from "../../domain/jobs/job.ts";
import { PAGE_ITEMS_MAX } from "../../domain/limits.ts";
import { endMeasured } from "../../domain/measurements.ts";
import type { Context } from "../../domain/ports.ts";
import { example, operation } from "../operation.ts";
import { keyed, useOnly } from "../permissions.ts";
import { requireJob } from "./require-job.ts";

/**
 * A cancelled job is counted in the daily usage (functions/adapters/dynamo/quotas.ts), which does not affect the quota.
 */
const cancelledOnly = {
  ...useOnly,
  quotas: {
    attributes: [...useOnly.quotas.attributes, "ttl", ...Array.from({ length: 31 }, (_, index) => `${index + 1}x`)],
  },
};

/** Cancels an unfinished job in any state. Deletes an ended job with its files immediately. */
export const deleteJob = operation({
  id: "deleteJob",
  methods: ["DELETE"],
  path: "/api/v1/convert/{id}",
  auth: "key",
  visitors: true,
  scope: "convert",
  permissions: {
    tables: { ...keyed, jobs: ["DeleteItem", "GetItem", "UpdateItem"] },
    only: cancelledOnly,
    index: "by-account",
    files: { uploads: ["DeleteObject"], results: ["DeleteObject"] },
  },
  tag: "Conversions",
  summary: "Cancel or delete a job",
  description: "Cancels a job that has not ended, within a second. Deletes an ended job with its files immediately.",
  parameters: ["jobId"],
  answers: {
    200: { description: "The job was cancelled.", examples: ["jobCancelled"] },
    204: { description: "The job was deleted." },
  },
  errors: ["not_found"],
  examples: ({ baseUrl, now, jobs }) => ({
    jobCancelled: example("Job", "A cancelled job", jobView(jobs.cancelled, baseUrl, now)),
  }),
  run: (context) => async (request) => {
    const job = await requireJob(context, request);
    if (isUnfinished(job) && (await context.jobs.cancel(job.id, request.now)) !== undefined) {
      context.metrics.record(endMeasured(job, { status: "cancelled" }, { now: request.now }));
      const cancelled = await requireJob(context, request);
      return { status: 200, body: jobView(cancelled, request.baseUrl, context.clock()) };
    }
    const ended = await requireJob(context, request);
    if (isUnfinished(ended)) {
      const headers = { "retry-after": "1" };
      throw new RequestError("temporarily_unavailable", "The job is changing state. Try again in 1 s.", {
        headers,
      });
    }
    // Files are deleted first, so that an interrupted request can be repeated.
    await context.files.remove(ended.result === undefined ? [] : [ended.result.key]);
    await eraseUploads(context, ended, request.now);
    await context.jobs.eraseJob(ended.id);
    return { status: 204 };
  },
});

/**
 * Keeps uploads that other unfinished jobs need until they expire, and all uploads if there are too many jobs to check.
 */
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

/** @returns the account's unfinished jobs; undefined when they do not fit on one page */
const unfinishedOf = async ({ jobs }: Context, accountId: string): Promise<Job[] | undefined> => {
  const query = { accountId, limit: PAGE_ITEMS_MAX };
  const pages = [
    await jobs.listJobs({ ...query, status: "queued" }),
    await jobs.listJobs({ ...query, status: "processing" }),
  ];
  return pages.some(({ next }) => next !== undefined) ? undefined : pages.flatMap(({ items }) => items);
};

const uploadIdsOf = (job: Job): string[] => [job, ...(job.further ?? [])].map(({ uploadId }) => uploadId);
