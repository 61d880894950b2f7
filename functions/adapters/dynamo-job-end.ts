import { RequestError } from "../domain/errors.ts";
import { isUnfinished, type Job, type JobOutcome } from "../domain/jobs.ts";
import { JOB_ATTEMPTS_MAX, RECORD_RETENTION_MS } from "../domain/limits.ts";
import { type DayCount, endCount } from "../domain/quotas.ts";
import { countedUse, returnedAndCounted, returnedRequest } from "./dynamo-quotas.ts";
import { type Dynamo, itemOf, readRecord } from "./dynamo-records.ts";
import { type Change, insertOf, type Refusal, transact, updateOf, type Writes } from "./dynamo-writes.ts";

interface Ending {
  readonly id: string;
  readonly attempt: number;
  readonly outcome: JobOutcome;
  readonly now: number;
}

/**
 * Ends a job, with what belongs to it in one transaction: the way from its token, the request given back, and the count of
 * its day.
 */
export const finishJob = async (dynamo: Dynamo, ending: Ending): Promise<boolean> => {
  const job = await readRecord(dynamo, { table: dynamo.tables.jobs, key: ending.id, kind: "job" });
  return job !== undefined && endJob(dynamo, job, ending);
};

const endJob = async (dynamo: Dynamo, job: Job, ending: Ending): Promise<boolean> => {
  const { id, outcome, now } = ending;
  const own = ownWrites(dynamo, ending);
  const count = endCount(job, outcome.status, now);
  if (outcome.status === "failed" && outcome.givesBack && count !== undefined) {
    return endAndGiveBack(dynamo, own, { month: job.quotaMonth, count });
  }
  const refused = await endAndCount(dynamo, own, count);
  if (refused?.[1]?.failed && !refused[0]?.failed) {
    throw new Error(`The download token of job ${id} is taken.`);
  }
  return refused === undefined;
};

/**
 * Jobs of one account that end at the same moment meet at its record of the month. Should one never get its turn, it ends
 * without being counted: a chart that misses one job is no reason to convert it again.
 */
const endAndCount = async (
  dynamo: Dynamo,
  own: Writes,
  count: DayCount | undefined,
): Promise<readonly Refusal[] | undefined> => {
  if (count === undefined) {
    return transact(dynamo, own);
  }
  try {
    return await transact(dynamo, [...own, written(countedUse(dynamo, count))]);
  } catch (error) {
    if (error instanceof RequestError && error.code === "temporarily_unavailable") {
      return transact(dynamo, own);
    }
    throw error;
  }
};

/** A transaction takes each record once, so a job that ends in the month that it was counted in changes that once. */
const endAndGiveBack = async (
  dynamo: Dynamo,
  own: Writes,
  { month, count }: { readonly month: string; readonly count: DayCount },
): Promise<boolean> => {
  const changes =
    count.month === month
      ? [returnedAndCounted(dynamo, count)]
      : [returnedRequest(dynamo, count.accountId, month), countedUse(dynamo, count)];
  const refused = await transact(dynamo, [...own, ...changes.map(written)]);
  if (refused === undefined || refused[0]?.failed) {
    return refused === undefined;
  }
  // Nothing is counted in that month, so there is nothing to give back.
  return (await endAndCount(dynamo, own, count)) === undefined;
};

/** The end of the job goes first. */
const ownWrites = (dynamo: Dynamo, ending: Ending): Writes => {
  const { id, outcome, now } = ending;
  const end = written(endOf(dynamo, ending));
  if (outcome.status !== "completed") {
    return [end];
  }
  // The pointer outlives its job by what the job took, which does no harm.
  const pointer = itemOf(outcome.result.token, "token", { job: id }, now + RECORD_RETENTION_MS);
  return [end, { Put: insertOf(dynamo.tables.jobs, pointer) }];
};

const written = (change: Change) => ({ Update: updateOf(change) });

/** Without its shard the job leaves the index of overdue ones; a password is of no use to a job that has ended. */
const endOf = (dynamo: Dynamo, { id, attempt, outcome, now }: Ending): Change => {
  const ended = { ...endingOf(outcome), status: outcome.status, finishedAt: now };
  return {
    table: dynamo.tables.jobs,
    key: { pk: id },
    update: `SET ${Object.keys(ended)
      .map((name) => `#${name} = :${name}`)
      .join(", ")} REMOVE #shard, #options.#password`,
    condition: "#status IN (:queued, :processing) AND #attempt = :attempt",
    values: {
      ":queued": "queued",
      ":processing": "processing",
      ":attempt": attempt,
      ...Object.fromEntries(Object.entries(ended).map(([name, value]) => [`:${name}`, value])),
    },
  };
};

const endingOf = (outcome: JobOutcome): Partial<Job> => {
  switch (outcome.status) {
    case "completed":
      return { result: outcome.result, timings: outcome.timings, warnings: outcome.warnings, progress: 100 };
    case "failed":
      return { error: outcome.error };
    case "cancelled":
      return {};
  }
};

/** Ends a job whoever holds it. @returns the job as it was, or undefined when it had ended */
export const cancelJob = async (dynamo: Dynamo, id: string, now: number): Promise<Job | undefined> => {
  for (let tries = 0; tries < CANCEL_TRIES_MAX; tries += 1) {
    const job = await readRecord(dynamo, { table: dynamo.tables.jobs, key: id, kind: "job" });
    if (job === undefined || !isUnfinished(job)) {
      return undefined;
    }
    if (await endJob(dynamo, job, { id, attempt: job.attempt, outcome: { status: "cancelled" }, now })) {
      return job;
    }
    // An attempt began in between, or someone else ended it. A write whose answer was lost is repeated as the same one.
  }
  return undefined;
};

/** A job has few attempts, so it cannot begin another one each time. */
const CANCEL_TRIES_MAX = JOB_ATTEMPTS_MAX + 2;
