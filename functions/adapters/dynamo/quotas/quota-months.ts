import { QueryCommand } from "@aws-sdk/lib-dynamodb";
import type { Dynamo, Item } from "../records.ts";
import type { AccountMonth } from "./quota-counts.ts";

/** The record of an account's month and its shards, as they were read. */
export interface Month {
  readonly items: readonly Item[];
  /** Requests counted in this record, plus units granted to shards: what the limit is compared with. */
  readonly used: number;
  /** Units granted to shards. */
  readonly granted: number | undefined;
  /** How often the month was opened for grants. @default never */
  readonly opened: number | undefined;
  /** The limit that the units of the shards were granted under. @default the month is closed: it grants nothing */
  readonly limit: number | undefined;
  readonly shards: readonly ShardRecord[];
}

export interface ShardRecord {
  readonly shard: number;
  readonly used: number;
  readonly granted: number;
  /** @default the shard is closed: it counts no requests */
  readonly limit: number | undefined;
}

/** @returns the month, read consistently in one query: with its shards it has less than 40 kB */
export const readMonth = async (dynamo: Dynamo, { accountId, month }: AccountMonth): Promise<Month> => {
  const command = new QueryCommand({
    TableName: dynamo.tables.quotas,
    KeyConditionExpression: "#accountId = :accountId AND begins_with(#period, :month)",
    ExpressionAttributeNames: { "#accountId": "accountId", "#period": "period" },
    ExpressionAttributeValues: { ":accountId": accountId, ":month": month },
    ConsistentRead: true,
  });
  const { Items: items = [] } = await dynamo.client.send(command);
  const record = items.find(({ period }) => period === month) ?? {};
  const shards = items.filter(({ period }) => period !== month);
  return {
    items,
    used: numberOf(record.used) ?? 0,
    granted: numberOf(record.granted),
    opened: numberOf(record.opened),
    limit: numberOf(record.limit),
    shards: shards.map(shardOf),
  };
};

/**
 * @returns the requests counted in the month. A query is not a snapshot, so this adds numbers that each record changes
 * alone: grants change `used` and `granted` of the month by the same amount, and no `used` of a shard.
 */
export const usedIn = ({ used, granted = 0, shards }: Month): number =>
  used - granted + shards.reduce((sum, shard) => sum + shard.used, 0);

const shardOf = ({ period, used, granted, limit }: Item): ShardRecord => ({
  shard: Number(String(period).split("#")[1]),
  used: numberOf(used) ?? 0,
  granted: numberOf(granted) ?? 0,
  limit: numberOf(limit),
});

const numberOf = (value: unknown): number | undefined => (value === undefined ? undefined : Number(value));
