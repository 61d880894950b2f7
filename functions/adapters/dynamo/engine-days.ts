import { QueryCommand, UpdateCommand } from "@aws-sdk/lib-dynamodb";
import {
  type CountId,
  type EngineCount,
  type EngineDayStore,
  type EngineFailure,
  isEngine,
  STATUS_SECONDS,
  statusDay,
  statusDayExpiresAt,
} from "../../domain/status/engine-days.ts";
import type { Dynamo, Item } from "./records.ts";

/** The partition of the days in the table of quotas. No account has this ID. */
const PARTITION = "status";

/** Start of the sort keys of the last failures; sorts before all days. */
const FAILURE = "!failure#";

/** Counts in one update: DynamoDB limits an expression to 4 kB. */
const COUNTS_MAX = 100;

/** A record per day with an attribute per engine and count, such as `sharp:3` and `sharp:failed`. */
export const dynamoEngineDays = (dynamo: Dynamo): EngineDayStore => ({
  add: async (day, counts) => {
    for (let at = 0; at < counts.length; at += COUNTS_MAX) {
      await addCounts(dynamo, day, counts.slice(at, at + COUNTS_MAX));
    }
  },
  since: async (day) => {
    const { Items: items = [] } = await dynamo.client.send(
      new QueryCommand({
        TableName: dynamo.tables.quotas,
        KeyConditionExpression: "#accountId = :status AND #period >= :day",
        ExpressionAttributeNames: { "#accountId": "accountId", "#period": "period" },
        ExpressionAttributeValues: { ":status": PARTITION, ":day": day },
      }),
    );
    return new Map(items.map((item) => [String(item.period), countsIn(item)]));
  },
  noteFailures: async (failures) => {
    for (const failure of failures) {
      await noteFailure(dynamo, failure);
    }
  },
  failures: async () => {
    const { Items: items = [] } = await dynamo.client.send(
      new QueryCommand({
        TableName: dynamo.tables.quotas,
        KeyConditionExpression: "#accountId = :status AND begins_with(#period, :failure)",
        ExpressionAttributeNames: { "#accountId": "accountId", "#period": "period" },
        ExpressionAttributeValues: { ":status": PARTITION, ":failure": FAILURE },
      }),
    );
    // Only `noteFailures` writes them.
    return items.map((item): EngineFailure => JSON.parse(String(item.failure)));
  },
});

const addCounts = async (dynamo: Dynamo, day: string, counts: readonly EngineCount[]): Promise<void> => {
  const named = counts.map(({ engine, count, value }, index) => ({ name: `${engine}:${count}`, value, index }));
  await dynamo.client.send(
    new UpdateCommand({
      TableName: dynamo.tables.quotas,
      Key: { accountId: PARTITION, period: day },
      UpdateExpression: `SET #ttl = :ttl ADD ${named.map(({ index }) => `#n${index} :v${index}`).join(", ")}`,
      ExpressionAttributeNames: {
        "#ttl": "ttl",
        ...Object.fromEntries(named.map(({ name, index }) => [`#n${index}`, name])),
      },
      ExpressionAttributeValues: {
        ":ttl": statusDayExpiresAt(day) / 1_000,
        ...Object.fromEntries(named.map(({ value, index }) => [`:v${index}`, value])),
      },
    }),
  );
};

const noteFailure = async (dynamo: Dynamo, failure: EngineFailure): Promise<void> => {
  await dynamo.client.send(
    new UpdateCommand({
      TableName: dynamo.tables.quotas,
      Key: { accountId: PARTITION, period: `${FAILURE}${failure.engine}` },
      UpdateExpression: "SET #failure = :failure, #ttl = :ttl",
      ExpressionAttributeNames: { "#failure": "failure", "#ttl": "ttl" },
      ExpressionAttributeValues: {
        ":failure": JSON.stringify(failure),
        ":ttl": statusDayExpiresAt(statusDay(failure.at)) / 1_000,
      },
    }),
  );
};

const countsIn = (item: Item): readonly EngineCount[] =>
  Object.entries(item).flatMap(([name, value]) => {
    const [engine = "", text = ""] = name.split(":");
    const count = countIn(text);
    return count !== undefined && isEngine(engine) ? [{ engine, count, value: Number(value) }] : [];
  });

/** A bucket of another release is left out. */
const countIn = (text: string): CountId | undefined => {
  if (text === "failed") {
    return text;
  }
  return /^\d+$/.test(text) && Number(text) <= STATUS_SECONDS.length ? Number(text) : undefined;
};
