import { exported } from "../../functions/domain/exports/job-export.ts";
import type { Job } from "../../functions/domain/jobs/job.ts";
import { hasSecrets } from "../../functions/domain/jobs/secret-options.ts";
import {
  cancel,
  claim,
  expireResult,
  finish,
  isErasable,
  type JobChanges,
  type JobEnd,
  postpone,
  progress,
  release,
  start,
} from "../../functions/domain/jobs/transitions.ts";
import type { Creation, JobStore } from "../../functions/domain/ports.ts";
import type { Database } from "./database.ts";
import { type EndedCreation, type JobRecords, jobRecords } from "./job-records.ts";

export interface LocalJobs extends JobStore {
  /**
   * Adds a job with its end, its idempotency record and the metered request in one transaction. Waits for the disk, unless
   * the count is reserved.
   */
  createEnded(job: Job, end: JobEnd, creation: EndedCreation): Promise<Creation>;
  /** @returns the jobs that were created in the milliseconds up to the newest one, newest first */
  latest(milliseconds: number): readonly Job[];
  isRecorded(id: string): boolean;
}

/**
 * Jobs in SQLite. A transition reads the job, decides and writes in one transaction, so it is atomic.
 *
 * @param onChange called for each changed job, after the change is committed
 * @param onEnd called for each job that has ended, as it was before, after the end is committed
 */
export const sqliteJobs = (
  database: Database,
  onChange: (jobId: string) => void = () => {},
  onEnd: (job: Job) => void = () => {},
): LocalJobs => {
  const records = jobRecords(database);
  const { change, end } = deciding(records);
  /** Calls `onChange` if there was a change. */
  const announced = (job: Job | undefined): Job | undefined => {
    if (job !== undefined) {
      onChange(job.id);
    }
    return job;
  };
  /** The same for a job that has ended, whose passwords were deleted. It calls `onEnd`. */
  const ended = (before: Job | undefined): Job | undefined => {
    if (before !== undefined && hasSecrets(before.options)) {
      database.forget();
    }
    if (before !== undefined) {
      onEnd(before);
    }
    return announced(before);
  };
  /**
   * Transitions do not wait for the disk. The result's file is already on the disk. If a power failure loses the
   * transition, the job is unfinished and is converted again.
   */
  const soon = async (transition: () => Job | undefined) => announced(await database.soon(transition));
  return {
    createJob: async (job, quota, idempotency, created = async () => {}) => {
      let sent: Promise<void> | undefined;
      return database.durably(
        () => {
          const creation = records.create(job, quota, idempotency);
          // A message that it sends is part of this transaction.
          sent = creation.outcome === "created" ? created() : undefined;
          return creation;
        },
        async () => sent,
      );
    },
    createEnded: (job, end, creation) => {
      const create = () => records.createEnded(job, end, creation);
      return creation.isReserved === true ? database.soon(create) : database.durably(create);
    },
    latest: records.latest,
    isRecorded: (id) => records.get(id) !== undefined,
    findReplay: records.findReplay,
    getJob: async (id) => records.get(id),
    listJobs: records.list,
    findByToken: async (token) => records.findByToken(token),
    overdue: async (now, limit) => records.overdue(now, limit),
    claim: (id, now, from) => soon(() => change(id, (job) => claim(job, now, from))),
    start: async (id, inputs, dueAt) => {
      const started = await database.soon(() => change(id, (job) => start(job, inputs, dueAt)));
      return announced(started);
    },
    progress: async (id, attempt, percent) => {
      await soon(() => change(id, (job) => progress(job, attempt, percent)));
    },
    release: async (id, attempt, dueAt, move) =>
      announced(await database.eventually(() => change(id, (job) => release(job, attempt, dueAt, move)))) !== undefined,
    postpone: async (id, from, to) =>
      (await soon(() => change(id, (job) => postpone(job, { from, to })))) !== undefined,
    finish: async (id, attempt, outcome, now) =>
      ended(await database.eventually(() => end(id, (job) => finish(job, { attempt, outcome }, now), now))) !==
      undefined,
    cancel: async (id, now) => ended(await database.durably(() => end(id, (job) => cancel(job, now), now))),
    recordExport: async (id, attempt) => {
      announced(await database.durably(() => change(id, (job) => exported(job, attempt))));
    },
    expireResult: async (id, at) => {
      await database.durably(() => change(id, (job) => expireResult(job, at)));
    },
    eraseJob: (id) =>
      database.durably(() => {
        const job = records.get(id);
        const erasable = job !== undefined && isErasable(job);
        if (erasable) {
          records.erase(job);
        }
        return erasable;
      }),
  };
};

/** The two ways to apply the decision of a transition, inside a database transaction. */
const deciding = ({ get, put, end }: JobRecords) => ({
  /** @returns the changed job; undefined if it does not allow the transition */
  change: (id: string, decide: (job: Job) => JobChanges | undefined): Job | undefined => {
    const job = get(id);
    const changes = job && decide(job);
    return job && changes && put({ ...job, ...changes });
  },
  /** @returns the previous job; undefined if it does not allow the transition */
  end: (id: string, decide: (job: Job) => JobEnd | undefined, now: number): Job | undefined => {
    const job = get(id);
    const decision = job && decide(job);
    if (job === undefined || decision === undefined) {
      return undefined;
    }
    end(job, decision, now);
    return job;
  },
});
