import { isUnfinished, type Job } from "../../../domain/jobs/job.ts";
import type { JobChanges } from "../../../domain/jobs/transitions.ts";
import { JOB_ATTEMPTS_MAX } from "../../../domain/limits.ts";
import { type Dynamo, readJob } from "../records.ts";
import { busy, type Change, update } from "../writes.ts";

/** A transition of a job in DynamoDB: read the job, decide, and write on the condition that it has not changed. */

/** Tries per transition. A job has few attempts, so it cannot change between each read and write. */
const TRANSITION_TRIES_MAX = JOB_ATTEMPTS_MAX + 2;

interface Transition<Decision> {
  /** @returns undefined if the job does not allow the transition */
  readonly decide: (job: Job) => Decision | undefined;
  /** Writes the decision under the condition {@link asSeen}. @returns whether the condition held */
  readonly write: (job: Job, decision: Decision) => Promise<boolean>;
}

/**
 * @returns the job as read, with the decision; undefined if the job does not allow it, or does not exist
 * @throws RequestError `temporarily_unavailable` if the job changed between each read and its write
 */
export const transition = async <Decision>(
  dynamo: Dynamo,
  id: string,
  { decide, write }: Transition<Decision>,
): Promise<{ readonly job: Job; readonly decision: Decision } | undefined> => {
  for (let tries = 0; tries < TRANSITION_TRIES_MAX; tries += 1) {
    const job = await readJob(dynamo, id);
    const decision = job && decide(job);
    if (job === undefined || decision === undefined) {
      return undefined;
    }
    if (await write(job, decision)) {
      return { job, decision };
    }
  }
  throw busy("Too many concurrent changes of this job. Try again shortly.");
};

/** Applies the decision of `decide`. @returns the changed job; undefined if it does not allow the change */
export const changeJob = async (
  dynamo: Dynamo,
  id: string,
  decide: (job: Job) => JobChanges | undefined,
): Promise<Job | undefined> => {
  const done = await transition(dynamo, id, { decide, write: (job, changes) => writeChanges(dynamo, job, changes) });
  return done && { ...done.job, ...done.decision };
};

/** @returns whether the changes were written, which requires that the job has not changed since it was read */
export const writeChanges = async (dynamo: Dynamo, seen: Seen, changes: JobChanges): Promise<boolean> =>
  (await update(dynamo, jobChange(dynamo, seen, changes))) !== undefined;

/** The expected state of the job: the attributes that transitions depend on. */
export type Seen = Pick<Job, "id" | "status" | "attempt"> & Partial<Pick<Job, "dueAt" | "result">>;

/**
 * @returns the condition that the job has not changed. It replaces a version number: transitions depend on no other
 * mutable attribute, records of all releases have these attributes, and progress updates do not conflict.
 */
export const asSeen = ({ status, attempt, dueAt, result }: Seen): Required<Pick<Change, "condition" | "values">> => ({
  condition: [
    "#status = :seenStatus AND #attempt = :seenAttempt",
    ...(dueAt === undefined ? [] : ["#dueAt = :seenDueAt"]),
    ...(result === undefined ? [] : ["#result.#expiresAt = :seenExpiresAt"]),
  ].join(" AND "),
  values: {
    ":seenStatus": status,
    ":seenAttempt": attempt,
    ...(dueAt !== undefined && { ":seenDueAt": dueAt }),
    ...(result !== undefined && { ":seenExpiresAt": result.expiresAt }),
  },
});

/** @returns the write of the changes, on the condition that the job has not changed */
export const jobChange = (dynamo: Dynamo, seen: Seen, changes: JobChanges): Change => {
  const { condition, values } = asSeen(seen);
  const sets = Object.keys(changes).map((name) => `#${name} = :${name}`);
  const hasEnded = changes.status !== undefined && !isUnfinished({ status: changes.status });
  return {
    table: dynamo.tables.jobs,
    key: { pk: seen.id },
    // Without its shard, a job is not in the index of overdue jobs.
    update: `SET ${sets.join(", ")}${hasEnded ? " REMOVE #shard" : ""}`,
    condition,
    values: { ...values, ...Object.fromEntries(Object.entries(changes).map(([name, value]) => [`:${name}`, value])) },
  };
};
