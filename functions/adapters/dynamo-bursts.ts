import type { BurstStore } from "../domain/ports.ts";
import type { Dynamo } from "./dynamo-records.ts";
import { update } from "./dynamo-writes.ts";

const SECOND_MS = 1_000;
/** Records of an account: each serves one second of a minute, and is used again in the next. */
const RECORDS = 60;

/** Counts in DynamoDB, beside the quotas. */
export const dynamoBursts = (dynamo: Dynamo): BurstStore => ({
  take: async (accountId, now, limit) => {
    const second = Math.floor(now / SECOND_MS);
    const counted = await update(dynamo, {
      table: dynamo.tables.quotas,
      key: { accountId, period: `burst#${second % RECORDS}` },
      update: "SET #second = :second, #taken = if_not_exists(#taken, :zero) + :one",
      condition: "attribute_not_exists(#second) OR (#second = :second AND #taken < :limit)",
      values: { ":second": second, ":zero": 0, ":one": 1, ":limit": limit },
    });
    if (counted !== undefined) {
      return limit - Number(counted.taken);
    }
    return takeOver(dynamo, { accountId, second, limit });
  },
});

/** The record may be of a second a minute ago: it is used again, so that an account never has over sixty of them. */
const takeOver = async (
  dynamo: Dynamo,
  { accountId, second, limit }: { accountId: string; second: number; limit: number },
): Promise<number> => {
  const counted = await update(dynamo, {
    table: dynamo.tables.quotas,
    key: { accountId, period: `burst#${second % RECORDS}` },
    update: "SET #second = :second, #taken = :one",
    condition: "#second < :second",
    values: { ":second": second, ":one": 1 },
  });
  return counted === undefined ? -1 : limit - 1;
};
