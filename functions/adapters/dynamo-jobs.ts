import { crc32 } from "node:zlib";
import type { Job } from "../domain/jobs.ts";
import type { IdempotencyClaim, JobStore } from "../domain/ports.ts";
import { OVERDUE_SHARDS } from "../domain/tables.ts";
import { finishJob } from "./dynamo-job-end.ts";
import { overdueJobs } from "./dynamo-overdue.ts";
import { countedRequest } from "./dynamo-quotas.ts";
import { contentOf, type Dynamo, itemOf, readRecord } from "./dynamo-records.ts";
import { insertOf, type Refusal, transact, update, updateOf } from "./dynamo-writes.ts";

/** Jobs in DynamoDB: one conditional write for each transition. */
export const dynamoJobs = (dynamo: Dynamo): JobStore => {
  const table = dynamo.tables.jobs;
  const getJob = (id: string) => readRecord(dynamo, { table, key: id, kind: "job" });
  return {
    createJob: async (job, quota, idempotency) => {
      const refused = await transact(dynamo, [
        { Put: insertOf(table, jobItem(job)) },
        { Update: updateOf(countedRequest(dynamo, quota)) },
        ...(idempotency === undefined ? [] : [{ Put: idempotencyOf(table, idempotency, job) }]),
      ]);
      return refused === undefined ? { outcome: "created" } : refusalOf(job, refused);
    },

    getJob,

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

/** The attempt holds the job. */
const HELD = "#status = :processing AND #attempt = :attempt";

const jobItem = (job: Job) => {
  const shard = String(crc32(job.id) % OVERDUE_SHARDS);
  return itemOf(job.id, "job", { ...job, jobId: job.id, shard }, job.recordExpiresAt);
};

/** DynamoDB deletes late, so a record that has expired is written over. */
const idempotencyOf = (table: string, { key, requestHash, expiresAt }: IdempotencyClaim, job: Job) => ({
  TableName: table,
  Item: itemOf(`idem#${key}`, "idempotency", { job: job.id, requestHash, expiresAt }, expiresAt),
  ConditionExpression: "attribute_not_exists(pk) OR expiresAt <= :now",
  ExpressionAttributeValues: { ":now": job.createdAt },
  ReturnValuesOnConditionCheckFailure: "ALL_OLD" as const,
});

/** A replay goes first: the request was counted when it was first made, whatever has become of the quota. */
const refusalOf = (job: Job, [taken, quota, replay]: readonly Refusal[]) => {
  if (replay?.failed) {
    const [jobId, requestHash] = [replay.found?.job?.S, replay.found?.requestHash?.S];
    if (jobId === undefined || requestHash === undefined) {
      throw new Error("DynamoDB did not give back the idempotency record that stood in the way.");
    }
    return { outcome: "replayed", jobId, requestHash } as const;
  }
  if (quota?.failed && !taken?.failed) {
    return { outcome: "quota_exceeded" } as const;
  }
  throw new Error(`There is a job ${job.id} already.`);
};
