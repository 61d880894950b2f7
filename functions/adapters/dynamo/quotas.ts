import { GetCommand } from "@aws-sdk/lib-dynamodb";
import {
  countsExpireAt,
  type DayCount,
  type MonthUse,
  type QuotaClaim,
  type UseKind,
  useKinds,
} from "../../domain/accounts/quotas.ts";
import type { QuotaStore } from "../../domain/ports.ts";
import type { Dynamo, Item } from "./records.ts";
import { type Change, transact, updateOf } from "./writes.ts";

/**
 * Counts in DynamoDB: one record per account and month, changed by conditional writes. The daily counts are in the same
 * record, so that a transaction contains it once: `21u` are the uploads of the 21st. A full month has 1.2 kB.
 */
export const dynamoQuotas = (dynamo: Dynamo): QuotaStore => ({
  // A transaction, although it is a single write: its token makes it idempotent if the response is lost and it is retried.
  take: async (claim) => (await transact(dynamo, [{ Update: updateOf(countedRequest(dynamo, claim)) }])) === undefined,
  used: async (accountId, month) => usedIn(await readMonth(dynamo, accountId, month)),
  useOf: async (accountId, month) => {
    const item = await readMonth(dynamo, accountId, month);
    return { used: usedIn(item), days: daysIn(item) };
  },
});

/** @returns one more request, unless the limit is reached */
export const countedRequest = (dynamo: Dynamo, claim: QuotaClaim): Change => {
  const count = countedUse(dynamo, claim);
  return {
    ...count,
    update: `${count.update}, #used :one`,
    // A month without a record is below the limit, unless the limit is 0.
    condition: claim.limit > 0 ? "attribute_not_exists(#used) OR #used < :limit" : "#used < :limit",
    values: { ...count.values, ":limit": claim.limit },
  };
};

/** @returns one more of a kind on a day */
export const countedUse = (dynamo: Dynamo, { accountId, month, day, kind }: DayCount): Change => ({
  table: dynamo.tables.quotas,
  key: { accountId, period: month },
  update: `SET #ttl = :ttl ADD #${day}${letters[kind]} :one`,
  values: { ":one": 1, ":ttl": countsExpireAt(month) / 1_000 },
});

/** @returns one request less, unless there is none */
export const returnedRequest = (dynamo: Dynamo, accountId: string, month: string): Change => ({
  table: dynamo.tables.quotas,
  key: { accountId, period: month },
  update: "ADD #used :minusOne",
  condition: "#used > :zero",
  values: { ":minusOne": -1, ":zero": 0 },
});

/** @returns both in one change, for a job that ends in the month that it was counted in */
export const returnedAndCounted = (dynamo: Dynamo, count: DayCount): Change => {
  const [returned, counted] = [returnedRequest(dynamo, count.accountId, count.month), countedUse(dynamo, count)];
  return {
    ...returned,
    update: `${counted.update}, #used :minusOne`,
    values: { ...returned.values, ...counted.values },
  };
};

/** Suffixes of the daily attributes. */
const letters: Readonly<Record<UseKind, string>> = {
  upload: "u",
  convert: "c",
  download: "d",
  completed: "s",
  failed: "f",
  cancelled: "x",
};

const readMonth = async (dynamo: Dynamo, accountId: string, month: string): Promise<Item> => {
  const Key = { accountId, period: month };
  const command = new GetCommand({ TableName: dynamo.tables.quotas, Key, ConsistentRead: true });
  return (await dynamo.client.send(command)).Item ?? {};
};

const usedIn = ({ used = 0 }: Item): number => Number(used);

const daysIn = (item: Item): MonthUse["days"] => {
  const days = new Map<number, Partial<Record<UseKind, number>>>();
  for (const [name, count] of Object.entries(item)) {
    const [, day, letter] = /^(\d{1,2})([a-z])$/.exec(name) ?? [];
    const kind = useKinds.find((each) => letters[each] === letter);
    if (kind !== undefined) {
      days.set(Number(day), { ...days.get(Number(day)), [kind]: Number(count) });
    }
  }
  return days;
};
