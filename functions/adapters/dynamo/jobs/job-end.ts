import type { DayCount } from "../../../domain/accounts/quotas.ts";
import { RequestError } from "../../../domain/errors.ts";
import { exportIdOf } from "../../../domain/exports/job-export.ts";
import type { Job } from "../../../domain/jobs/job.ts";
import { isErasable, type JobEnd } from "../../../domain/jobs/transitions.ts";
import { RECORD_RETENTION_MS } from "../../../domain/limits.ts";
import { messageIdsOf } from "../../../domain/webhooks/message.ts";
import { countedUse, returnedAndCounted, returnedForKey, returnedRequest, type Shard } from "../quotas/quota-counts.ts";
import { anyShard } from "../quotas/quota-shards.ts";
import { countedDetail } from "../quotas/use-details.ts";
import { type Dynamo, itemOf } from "../records.ts";
import { type Change, deletionOf, insertOf, type Refusal, transact, updateOf, type Writes } from "../writes.ts";
import { asSeen, jobChange, transition } from "./job-changes.ts";

/**
 * Ends a job with the decision of `decide`, in one transaction with the pointer from its token, the returned request,
 * and the count of the day.
 *
 * @returns the previous job; undefined if it does not allow the end
 */
export const endJob = async (
  dynamo: Dynamo,
  id: string,
  decide: (job: Job) => JobEnd | undefined,
): Promise<Job | undefined> => {
  const done = await transition(dynamo, id, { decide, write: (job, end) => writeEnd(dynamo, job, end) });
  return done?.job;
};

/** The writes of the end itself, and where to count it: after a conflict, in another shard. */
interface Ending {
  readonly own: Writes;
  readonly shardAfter: (conflicts: number) => Shard;
  /** The writes of the breakdown: after a conflict, in any shard. */
  readonly detailAfter: (conflicts: number) => Writes;
}

/** @returns whether it was written, which requires that the job has not changed since it was read */
const writeEnd = async (dynamo: Dynamo, job: Job, end: JobEnd): Promise<boolean> => {
  const { quotaShard } = job;
  const { detail } = end;
  const ending: Ending = {
    own: ownWrites(dynamo, job, end),
    shardAfter: (conflicts) => (quotaShard === undefined || conflicts === 0 ? quotaShard : anyShard()),
    detailAfter: (conflicts) =>
      detail === undefined ? [] : [written(countedDetail(dynamo, detail, conflicts === 0 ? quotaShard : anyShard()))],
  };
  if (end.returnedTo !== undefined && end.count !== undefined) {
    return endAndGiveBack(dynamo, ending, { month: end.returnedTo, count: end.count, key: job.quotaKey });
  }
  const refused = await endAndCount(dynamo, ending, end.count);
  if (refused?.[1]?.failed && !refused[0]?.failed) {
    throw new Error(`The download token of job ${job.id} is already in use.`);
  }
  return refused === undefined;
};

/**
 * Jobs of one account that end concurrently write to the same monthly record. A job whose writes always conflict ends
 * without being counted: a missing job in a chart does not justify another conversion.
 */
const endAndCount = async (
  dynamo: Dynamo,
  { own, shardAfter, detailAfter }: Ending,
  count: DayCount | undefined,
): Promise<readonly Refusal[] | undefined> => {
  if (count === undefined) {
    return transact(dynamo, own);
  }
  try {
    return await transact(dynamo, (conflicts) => [
      ...own,
      written(countedUse(dynamo, count, shardAfter(conflicts))),
      ...detailAfter(conflicts),
    ]);
  } catch (error) {
    if (error instanceof RequestError && error.code === "temporarily_unavailable") {
      return transact(dynamo, own);
    }
    throw error;
  }
};

const endAndGiveBack = async (
  dynamo: Dynamo,
  ending: Ending,
  refund: { readonly month: string; readonly count: DayCount; readonly key: string | undefined },
): Promise<boolean> => {
  const { own, shardAfter, detailAfter } = ending;
  const ofKey =
    refund.key === undefined
      ? []
      : [returnedForKey(dynamo, { accountId: refund.count.accountId, month: refund.month }, refund.key)];
  const endWith = (shard: (conflicts: number) => Shard) =>
    transact(dynamo, (conflicts) => [
      ...own,
      ...[...refundChanges(dynamo, refund, shard(conflicts)), ...ofKey].map(written),
      ...detailAfter(conflicts),
    ]);
  let refused = await endWith(shardAfter);
  if (refused !== undefined && !refused[0]?.failed && shardAfter(0) !== undefined) {
    // The shard is closed, or has counted nothing: the month takes the request back.
    refused = await endWith(() => undefined);
  }
  if (refused === undefined || refused[0]?.failed) {
    return refused === undefined;
  }
  // The month has no counts, so there is no request to return.
  return (await endAndCount(dynamo, ending, refund.count)) === undefined;
};

/** A transaction can contain each record once, so both changes of the same month are combined. */
const refundChanges = (
  dynamo: Dynamo,
  { month, count }: { readonly month: string; readonly count: DayCount },
  shard: Shard,
): readonly Change[] =>
  count.month === month
    ? [returnedAndCounted(dynamo, count, shard)]
    : [returnedRequest(dynamo, { accountId: count.accountId, month }, shard), countedUse(dynamo, count, shard)];

/** The end of the job is the first write. */
const ownWrites = (dynamo: Dynamo, job: Job, { changes }: JobEnd): Writes => {
  const end = written(jobChange(dynamo, job, changes));
  const { result, finishedAt = 0 } = changes;
  if (result === undefined) {
    return [end];
  }
  // The pointer outlives its job by the duration of the job, which is harmless.
  const pointer = itemOf(result.token, "token", { job: job.id }, finishedAt + RECORD_RETENTION_MS);
  return [end, { Put: insertOf(dynamo.tables.jobs, pointer) }];
};

const written = (change: Change) => ({ Update: updateOf(change) });

/** Deletes an ended job, the messages about it, and the pointer from its token. @returns whether it was deleted */
export const eraseJob = async (dynamo: Dynamo, id: string): Promise<boolean> => {
  const { jobs: table } = dynamo.tables;
  const done = await transition(dynamo, id, {
    decide: (job) => isErasable(job) || undefined,
    write: async (job) => {
      const keys = [
        ...messageIdsOf(job),
        ...(job.export === undefined ? [] : [exportIdOf(id)]),
        ...(job.result === undefined ? [] : [job.result.token]),
      ];
      const refused = await transact(dynamo, [
        { Delete: deletionOf({ table, key: { pk: id }, ...asSeen(job) }) },
        ...keys.map((pk) => ({ Delete: { TableName: table, Key: { pk } } })),
      ]);
      return refused === undefined;
    },
  });
  return done !== undefined;
};
