import { GetCommand } from "@aws-sdk/lib-dynamodb";
import type { KeyUses } from "../../domain/accounts/account-ports.ts";
import { oncePerMinute } from "../key-minutes.ts";
import type { Dynamo } from "./records.ts";
import { update } from "./writes.ts";

/** Records that are read concurrently. */
const READS_AT_ONCE = 25;

/** Last use of API keys, in the quotas table: one record per key. */
export const dynamoKeyUses = (dynamo: Dynamo): KeyUses => ({
  note: oncePerMinute(async (accountId, keyId, minute) => {
    await update(dynamo, {
      table: dynamo.tables.quotas,
      key: keyOf(accountId, keyId),
      update: "SET #usedAt = :usedAt",
      condition: "attribute_not_exists(#usedAt) OR #usedAt < :usedAt",
      values: { ":usedAt": minute },
    });
  }),

  of: async (accountId, keyIds) => {
    const uses: [string, number][] = [];
    for (let start = 0; start < keyIds.length; start += READS_AT_ONCE) {
      const ids = keyIds.slice(start, start + READS_AT_ONCE);
      uses.push(...(await Promise.all(ids.map((keyId) => useOf(dynamo, accountId, keyId)))).flat());
    }
    return new Map(uses);
  },
});

const keyOf = (accountId: string, keyId: string) => ({ accountId, period: `key#${keyId}` });

/** @returns the key with the time of its last use; empty if it was never used */
const useOf = async (dynamo: Dynamo, accountId: string, keyId: string): Promise<[string, number][]> => {
  const Key = keyOf(accountId, keyId);
  const command = new GetCommand({ TableName: dynamo.tables.quotas, Key, ConsistentRead: true });
  const { Item } = await dynamo.client.send(command);
  return Item === undefined ? [] : [[keyId, Number(Item.usedAt)]];
};
