import { crc32 } from "node:zlib";
import type { Job } from "../domain/jobs.ts";
import type { JobStore } from "../domain/ports.ts";
import { OVERDUE_SHARDS } from "../domain/tables.ts";
import { refusalOf } from "./dynamo-creation.ts";
import { findReplay, remembered } from "./dynamo-idempotency.ts";
import { cancelJob, finishJob } from "./dynamo-job-end.ts";
import { dynamoJobList } from "./dynamo-job-list.ts";
import { overdueJobs } from "./dynamo-overdue.ts";
import { countedRequest } from "./dynamo-quotas.ts";
import { contentOf, type Dynamo, itemOf, readRecord } from "./dynamo-records.ts";
import { insertOf, transact, update, updateOf } from "./dynamo-writes.ts";

/** Jobs in DynamoDB: one conditional write for each transition. */
export const dynamoJobs = (dynamo: Dynamo): JobStore => {
  const table = dynamo.tables.jobs;
  const getJob = (id: string) => readRecord(dynamo, { table, key: id, kind: "job" });
  return {
    createJob: async (job, quota, idempotency) => {
      const refused = await transact(dynamo, [
        { Put: insertOf(table, jobItem(job)) },
        ...(idempotency === undefined ? [] : [{ Put: remembered(table, idempotency, job) }]),
        ...(quota === undefined ? [] : [{ Update: updateOf(countedRequest(dynamo, quota)) }]),
      ]);
      return refused === undefined
        ? { outcome: "created" }
        : refusalOf(`job ${job.id}`, refused, { remembers: idempotency !== undefined });
    },

    findReplay: (key, now) => findReplay(dynamo, key, now),

    getJob,

    ...dynamoJobList(dynamo, getJob),

    findByToken: async (token) => {
      const pointer = await readRecord(dynamo, { table, key: token, kind: "token" });
      return pointer && (await getJob(pointer.job));
    },

    claim: async (id, now, leaseUntil) => {
      const claimed = await update(dynamo, {
        table,
        key: { pk: id },
        update:
          "SET #status = :processing, #dueAt = :leaseUntil, #startedAt = if_not_exists(#startedAt, :now) ADD #attempt :one",
        condition: "#status = :queued OR (#status = :processing AND #dueAt < :now)",
        values: { ":processing": "processing", ":queued": "queued", ":leaseUntil": leaseUntil, ":now": now, ":one": 1 },
      });
      return contentOf(claimed, "job");
    },

    cancel: (id, now) => cancelJob(dynamo, id, now),

    ...heldJobs(dynamo),

    finish: (id, attempt, outcome, now) => finishJob(dynamo, { id, attempt, outcome, now }),

    overdue: (now, limit) => overdueJobs(dynamo, { now, limit, getJob }),

    postpone: async (id, from, to) => {
      const postponed = await update(dynamo, {
        table,
        key: { pk: id },
        update: "SET #dueAt = :to",
        // Only unfinished jobs have a shard.
        condition: "attribute_exists(#shard) AND #dueAt = :from",
        values: { ":from": from, ":to": to },
      });
      return postponed !== undefined;
    },
  };
};

/** What an attempt may do with a job while it holds it. */
const heldJobs = (dynamo: Dynamo): Pick<JobStore, "progress" | "release"> => {
  const table = dynamo.tables.jobs;
  return {
    progress: async (id, attempt, percent) => {
      await update(dynamo, {
        table,
        key: { pk: id },
        update: "SET #progress = :percent",
        condition: HELD,
        values: { ":percent": percent, ":processing": "processing", ":attempt": attempt },
      });
    },

    release: async (id, attempt, dueAt) => {
      const released = await update(dynamo, {
        table,
        key: { pk: id },
        update: "SET #status = :queued, #dueAt = :dueAt",
        condition: HELD,
        values: { ":queued": "queued", ":dueAt": dueAt, ":processing": "processing", ":attempt": attempt },
      });
      return released !== undefined;
    },
  };
};

/** The attempt holds the job. */
const HELD = "#status = :processing AND #attempt = :attempt";

const jobItem = (job: Job) => {
  const shard = String(crc32(job.id) % OVERDUE_SHARDS);
  return itemOf(job.id, "job", { ...job, jobId: job.id, shard }, job.recordExpiresAt);
};
