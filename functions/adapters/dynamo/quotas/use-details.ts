import { QueryCommand } from "@aws-sdk/lib-dynamodb";
import { countsExpireAt } from "../../../domain/accounts/quotas.ts";
import {
  type DayDetail,
  DETAIL_ROWS_MAX,
  type MonthDetails,
  type UseDetail,
} from "../../../domain/accounts/use-details.ts";
import type { Dynamo, Item } from "../records.ts";
import type { Change } from "../writes.ts";
import type { Shard } from "./quota-counts.ts";

/**
 * The breakdown of an account's usage: a record per day, key, formats and outcome, with a shard if jobs end at the same
 * time. The records have a separate partition, whose writes do not slow down the counts of requests.
 */

/** The partition of an account's breakdown in the table of quotas. */
export const detailsPartition = (accountId: string): string => `use#${accountId}`;

/** @returns one more job in the record */
export const countedDetail = (dynamo: Dynamo, detail: UseDetail, shard: Shard): Change => {
  const { accountId, month, day, keyId, source, target, outcome, bytesIn, bytesOut } = detail;
  const parts = [month, String(day).padStart(2, "0"), keyId, source, target, outcome, shard ?? ""];
  return {
    table: dynamo.tables.quotas,
    key: { accountId: detailsPartition(accountId), period: parts.join("#") },
    update: "SET #ttl = :ttl ADD #jobs :one, #bytesIn :in, #bytesOut :out",
    values: { ":ttl": countsExpireAt(month) / 1_000, ":one": 1, ":in": bytesIn, ":out": bytesOut },
  };
};

/** @returns the breakdown, with the sums of the shards, read in pages of 1 MB */
export const readDetails = async (dynamo: Dynamo, accountId: string, month: string): Promise<MonthDetails> => {
  const rows = new Map<string, DayDetail>();
  let start: Item | undefined;
  do {
    const { Items = [], LastEvaluatedKey } = await dynamo.client.send(
      new QueryCommand({
        TableName: dynamo.tables.quotas,
        KeyConditionExpression: "#accountId = :partition AND begins_with(#period, :month)",
        ExpressionAttributeNames: { "#accountId": "accountId", "#period": "period" },
        ExpressionAttributeValues: { ":partition": detailsPartition(accountId), ":month": `${month}#` },
        ConsistentRead: true,
        ...(start !== undefined && { ExclusiveStartKey: start }),
      }),
    );
    for (const item of Items) {
      addTo(rows, item);
    }
    start = LastEvaluatedKey;
  } while (start !== undefined && rows.size <= DETAIL_ROWS_MAX);
  const all = [...rows.values()];
  return { rows: all.slice(0, DETAIL_ROWS_MAX), truncated: all.length > DETAIL_ROWS_MAX };
};

/** Only {@link countedDetail} writes the records, so the parts of their keys match the types. */
const addTo = (rows: Map<string, DayDetail>, item: Item): void => {
  const [, day = "", keyId = "", source = "", target = "", outcome = ""] = String(item.period).split("#");
  const key = [day, keyId, source, target, outcome].join("#");
  const { jobs = 0, bytesIn = 0, bytesOut = 0 } = rows.get(key) ?? {};
  rows.set(key, {
    day: Number(day),
    keyId,
    source: source as DayDetail["source"],
    target: target as DayDetail["target"],
    outcome: outcome as DayDetail["outcome"],
    jobs: jobs + Number(item.jobs),
    bytesIn: bytesIn + Number(item.bytesIn),
    bytesOut: bytesOut + Number(item.bytesOut),
  });
};
