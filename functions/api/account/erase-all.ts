import { noticeIds } from "../../domain/accounts/quota-notices.ts";
import { monthBefore, monthOf } from "../../domain/accounts/quotas.ts";
import { isUnfinished, type Job } from "../../domain/jobs/job.ts";
import { PAGE_ITEMS_MAX } from "../../domain/limits.ts";
import type { Pipeline } from "../../domain/pipelines/pipeline.ts";
import type { Context, Page } from "../../domain/ports.ts";
import { endCancelled } from "../jobs/end-cancelled.ts";

/** Jobs and messages that are deleted concurrently. */
const DELETIONS_AT_ONCE = 10;

/** Entries of the request log per deletion. */
const REQUESTS_AT_ONCE = 500;

/**
 * Deletes everything that belongs to the account, the account itself last. First its keys are revoked, so that no new
 * job is accepted. Idempotent.
 *
 * @param until when to stop, in milliseconds since 1970
 * @returns whether everything is deleted; otherwise call it again
 */
export const eraseAll = async (context: Context, accountId: string, until: number): Promise<boolean> => {
  const { accounts, jobs, pipelines, webhooks } = context;
  const now = context.clock();
  for (const { hash, revokedAt } of await accounts.keysOf(accountId)) {
    if (revokedAt === undefined) {
      await accounts.revokeKey(hash, now);
    }
  }
  const erased =
    (await eraseEach(
      context,
      until,
      (after) => pipelines.listPipelines({ accountId, limit: PAGE_ITEMS_MAX, ...after }),
      (pipeline) => erasePipeline(context, pipeline),
    )) &&
    (await eraseEach(
      context,
      until,
      (after) => jobs.listJobs({ accountId, now, limit: PAGE_ITEMS_MAX, ...after }),
      (job) => eraseJob(context, job),
    )) &&
    (await eraseEach(
      context,
      until,
      (after) => webhooks.list({ accountId, limit: PAGE_ITEMS_MAX, ...after }),
      ({ id }) => webhooks.remove(id),
    ));
  if (erased && (await eraseRequests(context, accountId, until))) {
    // A notice about the quota is kept for at most two months.
    const months = [monthOf(now), monthBefore(monthOf(now), 1)];
    await Promise.all(months.flatMap((month) => noticeIds(accountId, month)).map((id) => webhooks.remove(id)));
    await accounts.erase(accountId);
    return true;
  }
  return false;
};

/** The log can have many entries. @returns whether all were deleted in time */
const eraseRequests = async ({ clock, requestLog }: Context, accountId: string, until: number): Promise<boolean> => {
  while ((await requestLog?.erase(accountId, REQUESTS_AT_ONCE)) === true) {
    if (clock() >= until) {
      return false;
    }
  }
  return true;
};

/** @returns whether all items of all pages were erased in time */
const eraseEach = async <T>(
  { clock }: Context,
  until: number,
  page: (after: { readonly after?: string }) => Promise<Page<T>>,
  erase: (item: T) => Promise<void>,
): Promise<boolean> => {
  let after: string | undefined;
  do {
    const { items, next } = await page(after === undefined ? {} : { after });
    for (let start = 0; start < items.length; start += DELETIONS_AT_ONCE) {
      if (clock() >= until) {
        return false;
      }
      await Promise.all(items.slice(start, start + DELETIONS_AT_ONCE).map(erase));
    }
    after = next;
  } while (after !== undefined);
  return true;
};

/** Deletes a pipeline with all its jobs, of which only those with offered results are listed, the record last. */
const erasePipeline = async (context: Context, { id, steps }: Pipeline): Promise<void> => {
  for (const { jobId } of steps) {
    const job = await context.jobs.getJob(jobId);
    if (job !== undefined) {
      await eraseJob(context, job);
    }
  }
  await context.pipelines.erasePipeline(id);
};

/** Deletes a job with its uploads and its result, the record last. */
const eraseJob = async (context: Context, listed: Job): Promise<void> => {
  const { files, jobs, uploads, clock } = context;
  const now = clock();
  if (isUnfinished(listed)) {
    await endCancelled(context, listed, now);
  }
  const inputs = [listed, ...(listed.further ?? []), ...(listed.optionFiles ?? [])];
  for (const { uploadId } of inputs) {
    await uploads.expire(uploadId, now);
  }
  const result = (await jobs.getJob(listed.id))?.result;
  await files.remove([...inputs.map(({ inputKey }) => inputKey), ...(result === undefined ? [] : [result.key])]);
  await jobs.eraseJob(listed.id);
};
