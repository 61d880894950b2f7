import { GetCommand } from "@aws-sdk/lib-dynamodb";
import type { QuotaStore } from "../domain/ports.ts";
import type { QuotaClaim } from "../domain/quotas.ts";
import type { Dynamo } from "./dynamo-records.ts";
import { type Change, transact, updateOf } from "./dynamo-writes.ts";

/** Counts in DynamoDB: one record per account and month, which conditional writes change. */
export const dynamoQuotas = (dynamo: Dynamo): QuotaStore => ({
  // A transaction though it is one write: with its token it counts once, also when its answer is lost and it is repeated.
  take: async (claim) => (await transact(dynamo, [{ Update: updateOf(countedRequest(dynamo, claim)) }])) === undefined,

  used: async (accountId, month) => {
    const command = new GetCommand({
      TableName: dynamo.tables.quotas,
      Key: { accountId, period: month },
      ConsistentRead: true,
    });
    return Number((await dynamo.client.send(command)).Item?.used ?? 0);
  },
});

/** @returns one more request, unless the limit is reached */
export const countedRequest = (dynamo: Dynamo, { accountId, month, limit }: QuotaClaim): Change => ({
  table: dynamo.tables.quotas,
  key: { accountId, period: month },
  update: "ADD #used :one",
  // A month without a record has room, unless the limit is 0.
  condition: limit > 0 ? "attribute_not_exists(#used) OR #used < :limit" : "#used < :limit",
  values: { ":one": 1, ":limit": limit },
});

/** @returns one request less, unless there is none */
export const returnedRequest = (dynamo: Dynamo, accountId: string, month: string): Change => ({
  table: dynamo.tables.quotas,
  key: { accountId, period: month },
  update: "ADD #used :minusOne",
  condition: "#used > :zero",
  values: { ":minusOne": -1, ":zero": 0 },
});
