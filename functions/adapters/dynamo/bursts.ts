import type { BurstStore } from "../../domain/ports.ts";
import type { Dynamo } from "./records.ts";
import { update } from "./writes.ts";

const SECOND_MS = 1_000;
/** Records per account: each counts one second of a minute and is reused in the next minute. */
const RECORDS = 60;

/** Counts in the quotas table of DynamoDB. */
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

/** Reuses the record of the same second of an earlier minute, so that an account never has more than sixty. */
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
