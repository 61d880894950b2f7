import { QueryCommand } from "@aws-sdk/lib-dynamodb";
import type { Job } from "../../domain/jobs/job.ts";
import type { JobQuery, JobStore, Page } from "../../domain/ports.ts";
import type { Dynamo } from "./records.ts";

/** Rows of the index that one query reads. */
const ROWS_AT_ONCE = 100;
/** Queries per page: with a rare status the page ends early, and its `next` continues from there. */
const QUERIES_MAX = 20;

/** @returns a page of an account's jobs. The index only has IDs and is eventually consistent, so each job is read. */
export const listJobs = async (dynamo: Dynamo, query: JobQuery, getJob: JobStore["getJob"]): Promise<Page<Job>> => {
  const { accountId, limit, status } = query;
  const items: Job[] = [];
  let after = query.after;
  let more = true;
  for (let queries = 0; queries < QUERIES_MAX; queries += 1) {
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

/** @returns IDs of an account's records, newest first, from the index `by-account` */
export const idsOf = async (
  { client, tables }: Dynamo,
  { accountId, prefix, after, limit }: { accountId: string; prefix: string; after: string | undefined; limit: number },
): Promise<string[]> => {
  const command = new QueryCommand({
    TableName: tables.jobs,
    IndexName: "by-account",
    // IDs consist of letters and digits, so `~` sorts after all of them. The start of a page is exclusive.
    KeyConditionExpression: "accountId = :account AND jobId BETWEEN :first AND :last",
    ExpressionAttributeValues: { ":account": accountId, ":first": prefix, ":last": after ?? `${prefix}~` },
    ScanIndexForward: false,
    Limit: after === undefined ? limit : limit + 1,
  });
  const { Items = [] } = await client.send(command);
  return Items.map(({ pk }) => String(pk)).filter((id) => id !== after);
};
