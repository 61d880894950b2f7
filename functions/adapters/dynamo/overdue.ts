import { QueryCommand } from "@aws-sdk/lib-dynamodb";
import { isUnfinished, type Job } from "../../domain/jobs/job.ts";
import { OVERDUE_SHARDS } from "../../domain/tables.ts";
import type { Dynamo } from "./records.ts";

/** Jobs that are read concurrently. */
const READS_AT_ONCE = 25;

/**
 * @returns unfinished jobs whose `dueAt` has passed, longest overdue first. The index is eventually consistent, so each
 * job is read, and omitted if it has changed.
 */
export const overdueJobs = async (
  dynamo: Dynamo,
  { now, limit, getJob }: { now: number; limit: number; getJob: (id: string) => Promise<Job | undefined> },
): Promise<readonly Job[]> => {
  const shards = Array.from({ length: OVERDUE_SHARDS }, (_, shard) => String(shard));
  const ids = await overdueIds(dynamo, shards, { now, limit });
  const jobs: Job[] = [];
  for (let start = 0; start < ids.length; start += READS_AT_ONCE) {
    const read = await Promise.all(ids.slice(start, start + READS_AT_ONCE).map(getJob));
    jobs.push(...read.filter((job) => job !== undefined));
  }
  return jobs.filter((job) => isUnfinished(job) && job.dueAt < now);
};

/** @returns IDs of records in these shards of the index whose `dueAt` is before `now`, longest overdue first */
export const overdueIds = async (
  dynamo: Dynamo,
  shards: readonly string[],
  wanted: { readonly now: number; readonly limit: number },
): Promise<string[]> => {
  const rows = (await Promise.all(shards.map((shard) => overdueIn(dynamo, shard, wanted)))).flat();
  return rows
    .sort((one, other) => one.dueAt - other.dueAt)
    .slice(0, wanted.limit)
    .map(({ id }) => id);
};

/** One page is enough: a row has a few hundred bytes, and a page contains up to a megabyte. */
const overdueIn = async ({ client, tables }: Dynamo, shard: string, { now, limit }: { now: number; limit: number }) => {
  const command = new QueryCommand({
    TableName: tables.jobs,
    IndexName: "overdue",
    KeyConditionExpression: "#shard = :shard AND dueAt < :now",
    // A reserved word.
    ExpressionAttributeNames: { "#shard": "shard" },
    ExpressionAttributeValues: { ":shard": shard, ":now": now },
    Limit: limit,
  });
  const { Items = [] } = await client.send(command);
  return Items.map(({ pk, dueAt }) => ({ id: String(pk), dueAt: Number(dueAt) }));
};
