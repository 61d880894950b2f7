import type { QuotaClaim } from "../../../domain/accounts/quotas.ts";
import { QUOTA_SHARDS } from "../../../domain/tables.ts";
import type { Dynamo } from "../records.ts";
import { busy, type Refusal, transact, updateOf, type Writes } from "../writes.ts";
import { countedForKey, countedRequest, type Shard } from "./quota-counts.ts";
import { anyShard, isSharded, nextCounter } from "./quota-shards.ts";

/** Transactions that count a request. */

/**
 * Counters that one request tries. Each refusal means that other requests have taken the units of a shard, or that the
 * limit has changed, which takes four steps.
 */
const COUNTERS_MAX = QUOTA_SHARDS;

/** The pause before units are looked for again: up to 25, 50 and then 100 ms. */
const PAUSE_MAX = 3;

/** The write that counts a request, empty if it is not counted, and the shard that it is counted in. */
interface Counting {
  readonly counts: Writes;
  readonly shard: Shard;
}

/**
 * Performs all writes or none. After a conflict, a request with a large quota is counted in another shard.
 *
 * @param writesWith returns the writes, of which the counts must be the last: for the key, if it has a limit, and for the
 * account
 * @returns undefined on success, otherwise the result of each write; only counts failed: the limits are reached
 * @throws RequestError `temporarily_unavailable` if every attempt conflicts with another write
 */
export const transactCounted = async (
  dynamo: Dynamo,
  claim: QuotaClaim | undefined,
  writesWith: (counting: Counting) => Writes,
): Promise<readonly Refusal[] | undefined> => {
  if (claim === undefined) {
    return transact(dynamo, writesWith({ counts: [], shard: undefined }));
  }
  const sharded = isSharded(claim.limit);
  const keyCount = claim.key === undefined ? [] : [{ Update: updateOf(countedForKey(dynamo, claim, claim.key)) }];
  // Several requests are counted in the month itself: a shard may not have enough units.
  const inShards = sharded && (claim.count ?? 1) === 1;
  let next: Shard = inShards ? anyShard() : undefined;
  for (let tries = 0; tries < COUNTERS_MAX; tries += 1) {
    let shard = next;
    const refused = await transact(dynamo, (conflicts) => {
      shard = inShards && conflicts > 0 ? anyShard() : next;
      return writesWith({ counts: [...keyCount, { Update: countOf(dynamo, claim, shard) }], shard });
    });
    if (refused === undefined || !isOnlyCount(refused) || !mayHaveUnits(refused, sharded)) {
      return refused;
    }
    const found = await nextCounter(dynamo, claim, shard);
    if (found === "limit_reached") {
      return refused;
    }
    if (found === "unknown") {
      await dynamo.pause(Math.min(PAUSE_MAX, tries + 1));
    }
    next = found === "unknown" ? shard : found.shard;
  }
  throw busy("Too many concurrent requests for this account. Try again shortly.");
};

const countOf = (dynamo: Dynamo, claim: QuotaClaim, shard: Shard) => ({
  ...updateOf(countedRequest(dynamo, claim, shard)),
  ReturnValuesOnConditionCheckFailure: "ALL_OLD" as const,
});

const isOnlyCount = (refused: readonly Refusal[]): boolean =>
  refused.every(({ failed }, index) => failed === (index === refused.length - 1));

/** A month that never granted units to shards decides itself, without a further read. */
const mayHaveUnits = (refused: readonly Refusal[], sharded: boolean): boolean =>
  sharded || refused.at(-1)?.found?.granted !== undefined;
