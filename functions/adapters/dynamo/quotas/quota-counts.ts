import type { KeyLimit } from "../../../domain/accounts/keys.ts";
import { countsExpireAt, type DayCount, type QuotaClaim, type UseKind } from "../../../domain/accounts/quotas.ts";
import type { Dynamo } from "../records.ts";
import type { Change } from "../writes.ts";

/**
 * The changes that count requests and ends of jobs, in the record of an account's month or in a shard of it (see
 * quota-shards.ts). The daily counts are in the same record, so that a transaction contains it once: `21u` are the
 * uploads of the 21st. A full month has 1.2 kB.
 */

/** The number of a shard; undefined: the record of the month. */
export type Shard = number | undefined;

export type AccountMonth = Pick<DayCount, "accountId" | "month">;

/** @returns the requests of the claim, unless they exceed the limit or the shard has no units of this limit. A shard counts one */
export const countedRequest = (dynamo: Dynamo, claim: QuotaClaim, shard?: Shard): Change => {
  const count = countedUse(dynamo, claim, shard);
  // A month without a record is below the limit, unless the limit is 0.
  const { limit, count: requests = 1 } = claim;
  const inMonth = limit >= requests ? "attribute_not_exists(#used) OR #used <= :max" : "#used <= :max";
  return {
    ...count,
    update: `${count.update}, #used :one`,
    condition: shard === undefined ? inMonth : "#limit = :limit AND #used < #granted",
    values: {
      ...count.values,
      ":one": requests,
      ...(shard === undefined ? { ":max": limit - requests } : { ":limit": limit }),
    },
  };
};

/** @returns the requests of the claim for its key, unless they exceed the limit of the key */
export const countedForKey = (dynamo: Dynamo, claim: QuotaClaim, { id, limit }: KeyLimit): Change => {
  const { accountId, month, count: requests = 1 } = claim;
  return {
    table: dynamo.tables.quotas,
    key: keyCountKey({ accountId, month }, id),
    update: "SET #ttl = :ttl ADD #used :requests",
    condition: limit >= requests ? "attribute_not_exists(#used) OR #used <= :max" : "#used <= :max",
    values: { ":ttl": ttlOf({ accountId, month }), ":requests": requests, ":max": limit - requests },
  };
};

/** @returns one request less for a key, without a condition: it was counted, and a missing record allows one more */
export const returnedForKey = (dynamo: Dynamo, month: AccountMonth, keyId: string): Change => ({
  table: dynamo.tables.quotas,
  key: keyCountKey(month, keyId),
  update: "SET #ttl = :ttl ADD #used :minusOne",
  values: { ":ttl": ttlOf(month), ":minusOne": -1 },
});

/** Not below the month, whose records are its shards. */
export const keyCountKey = ({ accountId, month }: AccountMonth, keyId: string) => ({
  accountId,
  period: `limit#${keyId}#${month}`,
});

/** @returns one more of a kind on a day */
export const countedUse = (dynamo: Dynamo, { kind, day, ...month }: DayCount, shard?: Shard): Change => ({
  table: dynamo.tables.quotas,
  key: countKey(month, shard),
  update: `SET #ttl = :ttl ADD #${day}${letters[kind]} :one`,
  values: { ":one": 1, ":ttl": ttlOf(month) },
});

/** @returns one request less, unless there is none, or the shard is closed */
export const returnedRequest = (dynamo: Dynamo, month: AccountMonth, shard?: Shard): Change => ({
  table: dynamo.tables.quotas,
  key: countKey(month, shard),
  update: "ADD #used :minusOne",
  condition: shard === undefined ? "#used > :zero" : "attribute_exists(#limit) AND #used > :zero",
  values: { ":minusOne": -1, ":zero": 0 },
});

/** @returns both in one change, for a job that ends in the month that it was counted in */
export const returnedAndCounted = (dynamo: Dynamo, count: DayCount, shard?: Shard): Change => {
  const [returned, counted] = [returnedRequest(dynamo, count, shard), countedUse(dynamo, count, shard)];
  return {
    ...returned,
    update: `${counted.update}, #used :minusOne`,
    values: { ...returned.values, ...counted.values },
  };
};

export const countKey = ({ accountId, month }: AccountMonth, shard?: Shard) => ({
  accountId,
  period: shard === undefined ? month : `${month}#${String(shard).padStart(2, "0")}`,
});

export const ttlOf = ({ month }: AccountMonth): number => countsExpireAt(month) / 1_000;

/** Suffixes of the daily attributes. */
export const letters: Readonly<Record<UseKind, string>> = {
  upload: "u",
  convert: "c",
  download: "d",
  completed: "s",
  failed: "f",
  cancelled: "x",
};
