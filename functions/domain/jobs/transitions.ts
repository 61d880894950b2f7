import { type DayCount, endCount } from "../accounts/quotas.ts";
import { type CountedJob, type UseDetail, useDetailOf } from "../accounts/use-details.ts";
import type { LaneId } from "../conversions/lanes.ts";
import { isUnfinished, type Job, type JobMove, type JobOutcome, leaseUntil } from "./job.ts";
import { shownOptions } from "./secret-options.ts";

/**
 * The state machine of a job, and the only place that knows it:
 *
 * | from | claim | release | postpone | finish | cancel |
 * |---|---|---|---|---|---|
 * | queued, waiting | – (`start` ends the wait) | – | queued | failed | cancelled |
 * | queued | processing, in its lane | – | queued | completed, failed | cancelled |
 * | processing | processing, once the lease has lapsed | queued | processing | completed, failed | cancelled |
 * | completed, failed, cancelled | – | – | – | – | – |
 *
 * Each function decides one transition from a job as it was read, and returns the changes, or undefined when the job
 * does not allow it. A store applies the changes only if the job has not changed since. The parameter types name
 * everything that a decision reads: the mutable fields are `status`, `attempt`, `dueAt` and the expiry of the result
 * (`startedAt` changes only with the attempt, and `lane` only with the status, once per attempt). So a store needs no version number: the same four values lead to the
 * same decision.
 */

/** The changes of a transition. Missing fields stay unchanged. */
export type JobChanges = Partial<Job>;

/** The changes at the end of a job, to be written in one transaction. */
export interface JobEnd {
  readonly changes: JobChanges;
  /** The month in which the request is refunded. @default no refund */
  readonly returnedTo?: string;
  /** The daily count. @default none: the job belongs to a test key */
  readonly count?: DayCount;
  /** The count in the breakdown of the usage. @default none, as `count` */
  readonly detail?: UseDetail;
}

type Held = Pick<Job, "status" | "attempt">;

/**
 * Claims the job for its next attempt: while it is queued, or when the previous attempt's lease has expired.
 *
 * @param from the lane of the message: a message of the lane that the job has left claims nothing
 */
export const claim = (
  { status, attempt, dueAt, startedAt, lane, waits }: Held & Pick<Job, "dueAt" | "startedAt" | "lane" | "waits">,
  now: number,
  from: LaneId = lane,
): JobChanges | undefined => {
  const isFree = (status === "queued" && waits !== true) || (status === "processing" && dueAt < now);
  return isFree && from === lane
    ? { status: "processing", attempt: attempt + 1, dueAt: leaseUntil(lane, now), startedAt: startedAt ?? now }
    : undefined;
};

/** The inputs of a started job, some of which are results of other jobs. */
export type StartedInputs = Pick<Job, "further" | "inputBytes" | "inputKey" | "lane">;

/**
 * Starts a job that waits for its inputs. Its message is sent afterward.
 *
 * @param dueAt when the sweeper checks it
 */
export const start = (
  { status, waits }: Pick<Job, "status" | "waits">,
  inputs: StartedInputs,
  dueAt: number,
): JobChanges | undefined => (status === "queued" && waits === true ? { ...inputs, waits: false, dueAt } : undefined);

/** Sets the progress while this attempt holds the job. */
export const progress = (job: Held, attempt: number, percent: number): JobChanges | undefined =>
  isHeldBy(job, attempt) ? { progress: percent } : undefined;

/**
 * Returns the job to the queue while this attempt holds it.
 *
 * @param dueAt when the sweeper checks it
 * @param move the lane to move it to
 */
export const release = (job: Held, attempt: number, dueAt: number, move?: JobMove): JobChanges | undefined =>
  isHeldBy(job, attempt)
    ? { status: "queued", dueAt, ...(move !== undefined && { ...move, movedAfter: attempt }) }
    : undefined;

/** Changes the time at which the sweeper checks the job, unless it has already changed. */
export const postpone = (
  job: Pick<Job, "status" | "dueAt">,
  { from, to }: { readonly from: number; readonly to: number },
): JobChanges | undefined => (isUnfinished(job) && job.dueAt === from ? { dueAt: to } : undefined);

type Ending = Pick<Job, "status" | "attempt" | "options"> & CountedJob;

/**
 * Ends the job while it is unfinished and at this attempt. An expired lease does not matter until another attempt
 * claims the job.
 */
export const finish = (
  job: Ending,
  { attempt, outcome }: { readonly attempt: number; readonly outcome: JobOutcome },
  now: number,
): JobEnd | undefined => (isUnfinished(job) && job.attempt === attempt ? endOf(job, outcome, now) : undefined);

/** Ends the job without a result while it is unfinished, regardless of the attempt that holds it. */
export const cancel = (job: Ending, now: number): JobEnd | undefined =>
  isUnfinished(job) ? endOf(job, { status: "cancelled" }, now) : undefined;

/** Expires the result at this time, if that is earlier than its own expiry. */
export const expireResult = ({ result }: Pick<Job, "result">, at: number): JobChanges | undefined =>
  result !== undefined && result.expiresAt > at ? { result: { ...result, expiresAt: at } } : undefined;

/** @returns whether the record can be deleted: an unfinished job is needed by its attempt and its message */
export const isErasable = (job: Pick<Job, "status">): boolean => !isUnfinished(job);

const isHeldBy = (job: Held, attempt: number): boolean => job.status === "processing" && job.attempt === attempt;

const endOf = (job: Ending, outcome: JobOutcome, now: number): JobEnd => {
  const count = endCount(job, outcome.status, now);
  const detail = useDetailOf(job, outcome, now);
  const givesBack = outcome.status === "failed" && outcome.givesBack && count !== undefined;
  return {
    // The password of the file is no longer needed.
    changes: { ...changesOf(outcome), status: outcome.status, finishedAt: now, options: shownOptions(job.options) },
    ...(givesBack && { returnedTo: job.quotaMonth }),
    ...(count !== undefined && { count }),
    ...(detail !== undefined && { detail }),
  };
};

const changesOf = (outcome: JobOutcome): JobChanges => {
  if (outcome.status === "completed") {
    const { result, timings, warnings, changed } = outcome;
    return { result, timings, warnings, ...changed, progress: 100 };
  }
  return outcome.status === "failed" ? { error: outcome.error } : {};
};
