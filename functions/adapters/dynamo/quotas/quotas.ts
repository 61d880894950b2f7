import { QueryCommand } from "@aws-sdk/lib-dynamodb";
import { type MonthUse, type UseKind, useKinds } from "../../../domain/accounts/quotas.ts";
import type { QuotaStore } from "../../../domain/ports.ts";
import type { Dynamo, Item } from "../records.ts";
import { insertNew } from "../writes.ts";
import { transactCounted } from "./counted-writes.ts";
import { countKey, keyCountKey, letters, ttlOf } from "./quota-counts.ts";
import { readMonth, usedIn } from "./quota-months.ts";
import { readDetails } from "./use-details.ts";

/** Counts in DynamoDB: a record per account and month, with shards if the quota is large. */
export const dynamoQuotas = (dynamo: Dynamo): QuotaStore => ({
  // A transaction, although it is a single write: its token makes it idempotent if the response is lost and it is retried.
  take: async (claim) => (await transactCounted(dynamo, claim, ({ counts }) => counts)) === undefined,
  used: async (accountId, month) => usedIn(await readMonth(dynamo, { accountId, month })),
  usedByKeys: async (accountId, month, keyIds) => {
    const counts = await Promise.all(
      keyIds.map(async (keyId) => {
        const { period } = keyCountKey({ accountId, month }, keyId);
        // A query, which every function that counts requests may send.
        const command = new QueryCommand({
          TableName: dynamo.tables.quotas,
          KeyConditionExpression: "accountId = :accountId AND period = :period",
          ExpressionAttributeValues: { ":accountId": accountId, ":period": period },
          ConsistentRead: true,
        });
        const { Items = [] } = await dynamo.client.send(command);
        return Items.map(({ used }) => [keyId, Number(used)] as const);
      }),
    );
    return new Map(counts.flat());
  },
  useOf: async (accountId, month) => {
    const read = await readMonth(dynamo, { accountId, month });
    return { used: usedIn(read), days: daysIn(read.items) };
  },
  detailsOf: (accountId, month) => readDetails(dynamo, accountId, month),
  addMonth: (accountId, month, { used, days }) => {
    const counts = [...days].flatMap(([day, kinds]) =>
      useKinds.map((kind) => [`${day}${letters[kind]}`, kinds[kind]] as const),
    );
    const key = countKey({ accountId, month });
    const item = { ...key, ttl: ttlOf({ accountId, month }), used, ...Object.fromEntries(counts) };
    return insertNew(dynamo, dynamo.tables.quotas, item, "accountId");
  },
});

const daysIn = (items: readonly Item[]): MonthUse["days"] => {
  const days = new Map<number, Partial<Record<UseKind, number>>>();
  for (const [name, count] of items.flatMap(Object.entries)) {
    const [, day, letter] = /^(\d{1,2})([a-z])$/.exec(name) ?? [];
    const kind = useKinds.find((each) => letters[each] === letter);
    if (kind !== undefined) {
      const counts = days.get(Number(day)) ?? {};
      days.set(Number(day), { ...counts, [kind]: (counts[kind] ?? 0) + Number(count) });
    }
  }
  return days;
};
