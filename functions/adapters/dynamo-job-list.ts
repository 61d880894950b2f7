import { QueryCommand } from "@aws-sdk/lib-dynamodb";
import type { Job } from "../domain/jobs.ts";
import type { JobQuery, JobStore, Page } from "../domain/ports.ts";
import { messageIdOf } from "../domain/webhooks.ts";
import { type Dynamo, readRecord } from "./dynamo-records.ts";
import { transact, update } from "./dynamo-writes.ts";

/** Rows of the index that one look reads, and looks of one page: with a rare status it ends early, with a way on. */
const ROWS_AT_ONCE = 100;
const LOOKS_MAX = 20;

export const dynamoJobList = (
  dynamo: Dynamo,
  getJob: JobStore["getJob"],
): Pick<JobStore, "listJobs" | "eraseJob" | "expireResult"> => {
  const table = dynamo.tables.jobs;
  return {
    listJobs: (query) => pageOf(dynamo, query, getJob),

    expireResult: async (id, at) => {
      await update(dynamo, {
        table,
        key: { pk: id },
        update: "SET #result.#expiresAt = :at",
        condition: "#result.#expiresAt > :at",
        values: { ":at": at },
      });
    },

    eraseJob: async (id) => {
      const job = await readRecord(dynamo, { table, key: id, kind: "job" });
      if (job === undefined) {
        return false;
      }
      const ended = {
        TableName: table,
        Key: { pk: id },
        // Only unfinished jobs have a shard.
        ConditionExpression: "attribute_exists(pk) AND attribute_not_exists(#shard)",
        ExpressionAttributeNames: { "#shard": "shard" },
      };
      const refused = await transact(dynamo, [
        { Delete: ended },
        { Delete: { TableName: table, Key: { pk: messageIdOf(id) } } },
        ...(job.result === undefined ? [] : [{ Delete: { TableName: table, Key: { pk: job.result.token } } }]),
      ]);
      return refused === undefined;
    },
  };
};

/** The index only names the jobs, and follows the table within a moment: each is read itself. */
const pageOf = async (dynamo: Dynamo, query: JobQuery, getJob: JobStore["getJob"]): Promise<Page<Job>> => {
  const { accountId, limit, status } = query;
  const items: Job[] = [];
  let after = query.after;
  let more = true;
  for (let looks = 0; looks < LOOKS_MAX; looks += 1) {
    const wanted = status === undefined ? limit - items.length + 1 : ROWS_AT_ONCE;
    const ids = await idsOf(dynamo, { accountId, prefix: "job_", after, limit: wanted });
    for (const job of await Promise.all(ids.map(getJob))) {
      if (job !== undefined && (status === undefined || job.status === status)) {
        items.push(job);
      }
    }
    after = ids.at(-1) ?? after;
    more = ids.length === wanted;
    if (!more || items.length > limit) {
      break;
    }
  }
  const found = items.slice(0, limit);
  const last = items.length > limit ? found.at(-1)?.id : more ? after : undefined;
  return { items: found, ...(last !== undefined && { next: last }) };
};

/** @returns ids of records of an account, the newest first, by the index `by-account` */
export const idsOf = async (
  { client, tables }: Dynamo,
  { accountId, prefix, after, limit }: { accountId: string; prefix: string; after: string | undefined; limit: number },
): Promise<string[]> => {
  const command = new QueryCommand({
    TableName: tables.jobs,
    IndexName: "by-account",
    // Ids are letters and digits: `~` stands behind all of them, and the start of a page is not part of it.
    KeyConditionExpression: "accountId = :account AND jobId BETWEEN :first AND :last",
    ExpressionAttributeValues: { ":account": accountId, ":first": prefix, ":last": after ?? `${prefix}~` },
    ScanIndexForward: false,
    Limit: after === undefined ? limit : limit + 1,
  });
  const { Items = [] } = await client.send(command);
  return Items.map(({ pk }) => String(pk)).filter((id) => id !== after);
};
