import { type EngineId, engineIds } from "../conversions/engines.ts";
import { jobErrors } from "../errors/job-errors.ts";
import type { JobErrorCode } from "../errors.ts";
import type { Job, JobOutcome } from "../jobs/job.ts";

/** Daily counts of how conversions with each engine ended and how long its steps took, for the status page. */

/** Days that are kept and shown, including today. */
const STATUS_DAYS = 90;

/** Upper bounds in seconds of the counted durations; the last bucket has none. */
export const STATUS_SECONDS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60] as const;

/** A count: of durations in a bucket, or of failures. */
export type CountId = number | "failed";

/** Count of an engine on a day. */
export interface EngineCount {
  readonly engine: EngineId;
  readonly count: CountId;
  readonly value: number;
}

/** @returns the index of the bucket of a duration */
export const bucketOf = (milliseconds: number): number => {
  const index = STATUS_SECONDS.findIndex((seconds) => milliseconds <= seconds * 1_000);
  return index < 0 ? STATUS_SECONDS.length : index;
};

/**
 * @returns what the end of a job adds to the counts: the durations of its steps, or a failure of each engine of its
 * route. Failures because of the file, and cancelled jobs, say nothing about the service.
 */
export const countsOf = (job: Pick<Job, "forcedError" | "steps">, outcome: JobOutcome): readonly EngineCount[] => {
  if (outcome.status === "completed") {
    return outcome.timings.flatMap(({ engine, durationMs }) =>
      isEngine(engine) ? [{ engine, count: bucketOf(durationMs), value: 1 }] : [],
    );
  }
  const isFailure = outcome.status === "failed" && jobErrors[outcome.error.code].fault === "service";
  return isFailure && job.forcedError === undefined
    ? [...new Set(job.steps.map(({ engine }) => engine))].map((engine) => ({ engine, count: "failed", value: 1 }))
    : [];
};

/** The last failure of an engine because of the service, for the operators. */
export interface EngineFailure {
  readonly engine: EngineId;
  readonly jobId: string;
  readonly accountId: string;
  readonly source: string;
  readonly target: string;
  readonly code: JobErrorCode;
  readonly detail: string;
  readonly at: number;
}

type EndedJob = Pick<Job, "accountId" | "forcedError" | "id" | "sourceFormat" | "steps" | "targetFormat">;

/** @returns what the end of a job says about the engines of its route, if it failed because of the service */
export const failuresOf = (job: EndedJob, outcome: JobOutcome, at: number): readonly EngineFailure[] => {
  const failed = countsOf(job, outcome).filter(({ count }) => count === "failed");
  const { id: jobId, accountId, sourceFormat: source, targetFormat: target } = job;
  return outcome.status === "failed"
    ? failed.map(({ engine }) => ({ engine, jobId, accountId, source, target, ...outcome.error, at }))
    : [];
};

export const isEngine = (text: string): text is EngineId => engineIds.some((engine) => engine === text);

/** @returns the UTC day, `2026-11-23` */
export const statusDay = (now: number): string => new Date(now).toISOString().slice(0, 10);

const DAY_MS = 86_400_000;

/** @returns the first of the {@link STATUS_DAYS} days */
export const firstStatusDay = (now: number): string => statusDay(now - (STATUS_DAYS - 1) * DAY_MS);

/** When the counts of a day are deleted, milliseconds since 1970. */
export const statusDayExpiresAt = (day: string): number => Date.parse(day) + (STATUS_DAYS + 1) * DAY_MS;

/** The counts of days. One contract test suite verifies every adapter. */
export interface EngineDayStore {
  /** Adds to the counts of a day. */
  add(day: string, counts: readonly EngineCount[]): Promise<void>;
  /** @returns the counts by day, from this day on */
  since(day: string): Promise<ReadonlyMap<string, readonly EngineCount[]>>;
  /** Replaces the last failure of each engine. */
  noteFailures(failures: readonly EngineFailure[]): Promise<void>;
  /** @returns the last failure of each engine, not older than the counts */
  failures(): Promise<readonly EngineFailure[]>;
}

/** Counts in memory and stores them from time to time. */
export interface EngineDays {
  /** Adds what the end of a job says about its engines. */
  ended(job: EndedJob, outcome: JobOutcome): void;
  /** Stores the counts if the last time is ten seconds ago. Never throws: the counts are kept and stored later. */
  storeWhenDue(): Promise<void>;
  /** @returns the counts by day, from this day on, including those that are not stored yet */
  since(day: string): Promise<ReadonlyMap<string, readonly EngineCount[]>>;
  /** @returns the last failure of each engine, including those that are not stored yet */
  failures(): Promise<readonly EngineFailure[]>;
}
