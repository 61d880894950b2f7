import { QueryCommand } from "@aws-sdk/lib-dynamodb";
import type { Job } from "../../../domain/jobs/job.ts";
import { jobPage } from "../../../domain/jobs/job-page.ts";
import type { JobQuery, JobStore, Page } from "../../../domain/ports.ts";
import type { Dynamo } from "../records.ts";

/** @returns a page of an account's jobs. The index only has IDs and is eventually consistent, so each job is read. */
export const listJobs = (dynamo: Dynamo, query: JobQuery, getJob: JobStore["getJob"]): Promise<Page<Job>> =>
  jobPage(query, async (range) => {
    const ids = await idsOf(dynamo, { accountId: query.accountId, ...range });
    return Promise.all(ids.map(async (id) => ({ id, record: await getJob(id) })));
  });

/** @returns IDs of an account's records from `from` to `before`, exclusive; newest first, from the index `by-account` */
export const idsOf = async (
  { client, tables }: Dynamo,
  { accountId, from, before, limit }: { accountId: string; from: string; before: string; limit: number },
): Promise<string[]> => {
  const command = new QueryCommand({
    TableName: tables.jobs,
    IndexName: "by-account",
    // `BETWEEN` includes both ends, and `before` may be the ID of a record.
    KeyConditionExpression: "accountId = :account AND jobId BETWEEN :from AND :before",
    ExpressionAttributeValues: { ":account": accountId, ":from": from, ":before": before },
    ScanIndexForward: false,
    Limit: limit + 1,
  });
  const { Items = [] } = await client.send(command);
  return Items.map(({ pk }) => String(pk))
    .filter((id) => id !== before)
    .slice(0, limit);
};
