import type { QuotaClaim } from "../../../domain/accounts/quotas.ts";
import { QUOTA_SHARDED_MIN, QUOTA_SHARDS } from "../../../domain/tables.ts";
import type { Dynamo } from "../records.ts";
import { type Change, tryTransaction, update, updateOf } from "../writes.ts";
import { countKey, type Shard, ttlOf } from "./quota-counts.ts";
import { type Month, readMonth, type ShardRecord } from "./quota-months.ts";

/**
 * Shards of an account's month. DynamoDB cancels transactions that write the same record at the same time, and every
 * count is part of a transaction, so a record accepts few counts per second. A month with a large quota grants units
 * of it to shards, which count them independently:
 *
 * - The record of the month: `used` is what it counted itself plus what it granted, at most the limit; `granted` is the
 *   sum of its grants; `limit` is the limit they were made under. Without a `limit` it is closed: it grants nothing.
 * - A shard: `used` of its `granted` units. It only counts requests with the same `limit`, so that a changed plan applies
 *   immediately. Without a `limit` it is closed: it counts no requests.
 *
 * Open shards always have the `limit` of the month, unless the month is closed. When the limit changes, the month is
 * closed, then its shards; then their unused units return to the month, which is opened under the new limit. Each step is
 * a conditional write, and the next request continues an interrupted change.
 */

/** @returns whether requests with this limit are counted in shards */
export const isSharded = (limit: number): boolean => limit >= QUOTA_SHARDED_MIN;

export const anyShard = (): number => Math.floor(Math.random() * QUOTA_SHARDS);

/**
 * A grant is this part of the remaining units, so the shards together get less than half of them at first, but not less
 * than the minimum: each grant is a transaction on the record of the month.
 */
const PARTS = 2 * QUOTA_SHARDS;
const UNITS_MIN = 16;

/** Where to count a request after a counter refused it; `unknown`: the units are being redistributed. */
export type NextCounter = { readonly shard: Shard } | "limit_reached" | "unknown";

/**
 * @param shard the counter that refused the request
 * @returns a counter that probably accepts it
 */
export const nextCounter = async (dynamo: Dynamo, claim: QuotaClaim, shard: Shard): Promise<NextCounter> => {
  const month = await readMonth(dynamo, claim);
  if (month.limit !== claim.limit || hasLostUnits(month)) {
    await changeLimit(dynamo, claim, month);
    return "unknown";
  }
  const room = claim.limit - month.used;
  if (claim.count !== undefined && claim.count > 1) {
    return severalCounter(dynamo, claim, { month, room });
  }
  if (shard === undefined) {
    return room > 0 ? { shard } : "limit_reached";
  }
  const free = month.shards.filter((each) => unused(each) > 0).map((each) => each.shard);
  if (free.includes(shard) || (room > 0 && (await grant(dynamo, claim, { shard, room })))) {
    return { shard };
  }
  const other = free[Math.floor(Math.random() * free.length)];
  if (other !== undefined) {
    return { shard: other };
  }
  return room > 0 ? "unknown" : "limit_reached";
};

/** Several requests are counted in the month. If it has granted too many units, its shards return them first. */
const severalCounter = async (
  dynamo: Dynamo,
  claim: QuotaClaim,
  { month, room }: { readonly month: Month; readonly room: number },
): Promise<NextCounter> => {
  const { count = 1 } = claim;
  if (room >= count) {
    return { shard: undefined };
  }
  if (room + month.shards.reduce((sum, each) => sum + unused(each), 0) < count) {
    return "limit_reached";
  }
  await changeLimit(dynamo, claim, month);
  return "unknown";
};

const unused = ({ used, granted, limit }: ShardRecord): number => (limit === undefined ? 0 : granted - used);

/**
 * A writer that closes a shard so late that the limit has changed twice leaves its units there. Shards are read after the
 * month, so a concurrent grant only raises the second sum.
 */
const hasLostUnits = ({ granted = 0, shards }: Month): boolean =>
  granted > shards.reduce((sum, shard) => sum + shard.used + unused(shard), 0);

/**
 * Moves units from the month to a shard that is closed or has none.
 * @returns whether they were moved; false also if the transaction conflicts with another one
 */
const grant = async (
  dynamo: Dynamo,
  claim: QuotaClaim,
  { shard, room }: { readonly shard: number; readonly room: number },
): Promise<boolean> => {
  const units = Math.min(room, Math.max(UNITS_MIN, Math.floor(room / PARTS)));
  const { limit } = claim;
  return tryTransaction(dynamo, [
    written(dynamo, countKey(claim), {
      update: "ADD #used :units, #granted :units",
      condition: "#limit = :limit AND #used <= :max",
      values: { ":units": units, ":limit": limit, ":max": limit - units },
    }),
    written(dynamo, countKey(claim, shard), {
      update: [
        "SET #used = if_not_exists(#used, :zero), #granted = if_not_exists(#used, :zero) + :units",
        "#limit = :limit, #ttl = :ttl",
      ].join(", "),
      condition: "attribute_not_exists(#limit) OR (#limit = :limit AND #used = #granted)",
      values: { ":zero": 0, ":units": units, ":limit": limit, ":ttl": ttlOf(claim) },
    }),
  ]);
};

const written = (dynamo: Dynamo, key: Change["key"], change: Pick<Change, "condition" | "update" | "values">) => ({
  Update: updateOf({ table: dynamo.tables.quotas, key, ...change }),
});

/** Performs the next step of a change of the limit. */
const changeLimit = async (dynamo: Dynamo, claim: QuotaClaim, month: Month): Promise<void> => {
  if (month.limit !== undefined) {
    await close(dynamo, countKey(claim), month.limit);
    return;
  }
  const open = month.shards.flatMap(({ shard, limit }) => (limit === undefined ? [] : [{ shard, limit }]));
  if (open.length > 0) {
    await Promise.all(open.map(({ shard, limit }) => close(dynamo, countKey(claim, shard), limit)));
    return;
  }
  await openMonth(dynamo, claim, month);
};

/** Closes a month or a shard, unless it has been opened under another limit. */
const close = async (dynamo: Dynamo, key: Change["key"], limit: number): Promise<void> => {
  await update(dynamo, {
    table: dynamo.tables.quotas,
    key,
    update: "REMOVE #limit",
    condition: "#limit = :limit",
    values: { ":limit": limit },
  });
};

/**
 * Returns the unused units of the closed shards to the month. Closed shards neither count nor take back requests, and a
 * closed month grants nothing, so these numbers are final unless the month has been opened since.
 */
const openMonth = async (dynamo: Dynamo, claim: QuotaClaim, { granted = 0, opened, shards }: Month): Promise<void> => {
  const returned = granted - shards.reduce((sum, { used }) => sum + used, 0);
  await update(dynamo, {
    table: dynamo.tables.quotas,
    key: countKey(claim),
    update: "SET #limit = :limit, #ttl = :ttl ADD #used :minusReturned, #granted :minusReturned, #opened :one",
    condition: `attribute_not_exists(#limit) AND ${opened === undefined ? "attribute_not_exists(#opened)" : "#opened = :opened"}`,
    values: {
      ":limit": claim.limit,
      ":ttl": ttlOf(claim),
      ":minusReturned": -returned,
      ":one": 1,
      ...(opened !== undefined && { ":opened": opened }),
    },
  });
};
