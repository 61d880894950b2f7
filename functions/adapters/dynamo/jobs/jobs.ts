import { crc32 } from "node:zlib";
import { exported } from "../../../domain/exports/job-export.ts";
import type { Job } from "../../../domain/jobs/job.ts";
import {
  cancel,
  claim,
  expireResult,
  finish,
  type JobChanges,
  postpone,
  progress,
  release,
  start,
} from "../../../domain/jobs/transitions.ts";
import type { JobStore } from "../../../domain/ports.ts";
import { OVERDUE_SHARDS } from "../../../domain/tables.ts";
import { refusalOf } from "../creation.ts";
import { findReplay, remembered } from "../idempotency.ts";
import { overdueJobs } from "../overdue.ts";
import { transactCounted } from "../quotas/counted-writes.ts";
import { type Dynamo, itemOf, readJob, readRecord } from "../records.ts";
import { insertOf } from "../writes.ts";
import { changeJob, type Seen, writeChanges } from "./job-changes.ts";
import { endJob, eraseJob } from "./job-end.ts";
import { listJobs } from "./job-list.ts";

/** Jobs in DynamoDB: one record per job, changed by conditional writes. */
export const dynamoJobs = (dynamo: Dynamo): JobStore => {
  const table = dynamo.tables.jobs;
  const getJob = (id: string) => readJob(dynamo, id);
  return {
    createJob: async (job, quota, idempotency, created) => {
      const refused = await transactCounted(dynamo, quota, ({ counts, shard }) => [
        { Put: insertOf(table, jobItem({ ...job, ...(shard !== undefined && { quotaShard: shard }) })) },
        ...(idempotency === undefined ? [] : [{ Put: remembered(table, idempotency, job) }]),
        ...counts,
      ]);
      if (refused === undefined) {
        await created?.();
        return { outcome: "created" };
      }
      return refusalOf(`job ${job.id}`, refused, {
        remembers: idempotency !== undefined,
        key: quota?.key !== undefined,
      });
    },

    findReplay: (key, now) => findReplay(dynamo, key, now),

    getJob,

    listJobs: (query) => listJobs(dynamo, query, getJob),

    findByToken: async (token) => {
      const pointer = await readRecord(dynamo, { table, key: token, kind: "token" });
      return pointer && (await getJob(pointer.job));
    },

    overdue: (now, limit) => overdueJobs(dynamo, { now, limit, getJob }),

    ...transitions(dynamo),

    eraseJob: (id) => eraseJob(dynamo, id),
  };
};

type Transitions =
  | "claim"
  | "start"
  | "progress"
  | "release"
  | "postpone"
  | "finish"
  | "cancel"
  | "expireResult"
  | "recordExport";

const transitions = (dynamo: Dynamo): Pick<JobStore, Transitions> => ({
  claim: (id, now, from) => changeJob(dynamo, id, (job) => claim(job, now, from)),

  start: (id, inputs, dueAt) => changeJob(dynamo, id, (job) => start(job, inputs, dueAt)),

  progress: async (id, attempt, percent) => {
    await changeHeld(dynamo, heldJob(id, attempt), (job) => progress(job, attempt, percent));
  },

  release: (id, attempt, dueAt, move) =>
    changeHeld(dynamo, heldJob(id, attempt), (job) => release(job, attempt, dueAt, move)),

  postpone: async (id, from, to) => (await changeJob(dynamo, id, (job) => postpone(job, { from, to }))) !== undefined,

  finish: async (id, attempt, outcome, now) =>
    (await endJob(dynamo, id, (job) => finish(job, { attempt, outcome }, now))) !== undefined,

  cancel: (id, now) => endJob(dynamo, id, (job) => cancel(job, now)),

  recordExport: async (id, attempt) => {
    await changeJob(dynamo, id, (job) => exported(job, attempt));
  },

  expireResult: async (id, at) => {
    await changeJob(dynamo, id, (job) => expireResult(job, at));
  },
});

/** The only state in which an attempt may report progress or return its job. */
const heldJob = (id: string, attempt: number): Seen => ({ id, status: "processing", attempt });

/** Changes a job that is expected to be in this state, without reading it first. @returns whether it was changed */
const changeHeld = async (
  dynamo: Dynamo,
  supposed: Seen,
  decide: (job: Seen) => JobChanges | undefined,
): Promise<boolean> => {
  const changes = decide(supposed);
  return changes !== undefined && writeChanges(dynamo, supposed, changes);
};

/** @returns the record of a new job */
export const jobItem = (job: Job) => {
  const shard = String(crc32(job.id) % OVERDUE_SHARDS);
  return itemOf(job.id, "job", { ...job, jobId: job.id, shard }, job.recordExpiresAt);
};
