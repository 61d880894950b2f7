import type { PipelineStore } from "../../domain/pipelines/pipeline-ports.ts";
import { messageIdsOf } from "../../domain/webhooks/message.ts";
import { refusalOf } from "./creation.ts";
import { remembered } from "./idempotency.ts";
import { idsOf } from "./jobs/job-list.ts";
import { jobItem } from "./jobs/jobs.ts";
import { transactCounted } from "./quotas/counted-writes.ts";
import { type Dynamo, itemOf, readRecord } from "./records.ts";
import { insertOf, remove } from "./writes.ts";

/** Pipelines in DynamoDB, in the jobs table: they have the same lifetime, and use its index. */
export const dynamoPipelines = (dynamo: Dynamo): PipelineStore => {
  const table = dynamo.tables.jobs;
  const getPipeline = (id: string) => readRecord(dynamo, { table, key: id, kind: "pipeline" });
  return {
    createPipeline: async ({ pipeline, jobs, quota, idempotency, answers }) => {
      const { id, createdAt, recordExpiresAt } = pipeline;
      const item = itemOf(id, "pipeline", { ...pipeline, jobId: id }, recordExpiresAt);
      // A single result can be counted in a shard; several are counted in the record of the month.
      const refused = await transactCounted(dynamo, quota, ({ counts, shard }) => [
        { Put: insertOf(table, item) },
        ...(idempotency === undefined ? [] : [{ Put: remembered(table, idempotency, { id: answers, createdAt }) }]),
        ...jobs.map((job) => ({
          Put: insertOf(table, jobItem({ ...job, ...(shard !== undefined && { quotaShard: shard }) })),
        })),
        ...counts,
      ]);
      return refused === undefined
        ? { outcome: "created" }
        : refusalOf(`pipeline ${id}`, refused, { remembers: idempotency !== undefined, key: quota?.key !== undefined });
    },
    getPipeline,
    listPipelines: async ({ accountId, limit, after = "pip_~" }) => {
      const ids = await idsOf(dynamo, { accountId, from: "pip_", before: after, limit: limit + 1 });
      const found = await Promise.all(ids.slice(0, limit).map(getPipeline));
      const last = ids[limit - 1];
      return {
        items: found.filter((pipeline) => pipeline !== undefined),
        ...(ids.length > limit && last !== undefined && { next: last }),
      };
    },
    erasePipeline: async (id) => {
      const pipeline = await getPipeline(id);
      const messages = pipeline === undefined ? [] : messageIdsOf(pipeline);
      await Promise.all([id, ...messages].map((key) => remove(dynamo, table, key)));
    },
  };
};
