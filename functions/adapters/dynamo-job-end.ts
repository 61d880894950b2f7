import { isUnfinished, type Job, type JobOutcome } from "../domain/jobs.ts";
import { JOB_ATTEMPTS_MAX, RECORD_RETENTION_MS } from "../domain/limits.ts";
import { returnedRequest } from "./dynamo-quotas.ts";
import { type Dynamo, itemOf, readRecord } from "./dynamo-records.ts";
import { type Change, insertOf, transact, update, updateOf } from "./dynamo-writes.ts";

interface Ending {
  readonly id: string;
  readonly attempt: number;
  readonly outcome: JobOutcome;
  readonly now: number;
}

/** Ends a job, with what belongs to it in one transaction: the way from its token, or the request given back. */
export const finishJob = async (dynamo: Dynamo, ending: Ending): Promise<boolean> => {
  const { outcome } = ending;
  if (outcome.status === "completed") {
    return complete(dynamo, endOf(dynamo, ending), outcome.result.token, ending);
  }
  return outcome.status === "failed" && outcome.givesBack
    ? failAndGiveBack(dynamo, ending)
    : (await update(dynamo, endOf(dynamo, ending))) !== undefined;
};

const complete = async (dynamo: Dynamo, end: Change, token: string, { id, now }: Ending): Promise<boolean> => {
  // The pointer outlives its job by what the job took, which does no harm.
  const pointer = itemOf(token, "token", { job: id }, now + RECORD_RETENTION_MS);
  const refused = await transact(dynamo, [{ Update: updateOf(end) }, { Put: insertOf(dynamo.tables.jobs, pointer) }]);
  if (refused?.[1]?.failed && !refused[0]?.failed) {
    throw new Error(`The download token of job ${id} is taken.`);
  }
  return refused === undefined;
};

const failAndGiveBack = async (dynamo: Dynamo, ending: Ending): Promise<boolean> => {
  const job = await readRecord(dynamo, { table: dynamo.tables.jobs, key: ending.id, kind: "job" });
  if (job === undefined) {
    return false;
  }
  const end = endOf(dynamo, ending);
  if (job.quotaMonth === "") {
    // A job of a test key was not counted.
    return (await update(dynamo, end)) !== undefined;
  }
  const refused = await transact(dynamo, [
    { Update: updateOf(end) },
    { Update: updateOf(returnedRequest(dynamo, job.accountId, job.quotaMonth)) },
  ]);
  if (refused === undefined || refused[0]?.failed) {
    return refused === undefined;
  }
  // Nothing is counted in that month, so there is nothing to give back.
  return (await update(dynamo, end)) !== undefined;
};

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
  let before: Job | undefined;
  for (let tries = 0; tries < CANCEL_TRIES_MAX; tries += 1) {
    const job = await readRecord(dynamo, { table: dynamo.tables.jobs, key: id, kind: "job" });
    if (job === undefined || !isUnfinished(job)) {
      // An answer that was lost makes the SDK repeat the write, and the repetition find the job cancelled: by this call.
      return job?.status === "cancelled" && job.finishedAt === now ? before : undefined;
    }
    const end = endOf(dynamo, { id, attempt: job.attempt, outcome: { status: "cancelled" }, now });
    if ((await update(dynamo, end)) !== undefined) {
      return job;
    }
    // An attempt began in between, or the write was done and its answer lost.
    before = job;
  }
  return undefined;
};

/** A job has few attempts, so it cannot begin another one each time. */
const CANCEL_TRIES_MAX = JOB_ATTEMPTS_MAX + 2;
