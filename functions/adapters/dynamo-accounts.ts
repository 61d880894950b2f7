import { paginateQuery, paginateScan } from "@aws-sdk/lib-dynamodb";
import type { ApiKey } from "../domain/keys.ts";
import type { Account } from "../domain/plans.ts";
import type { AccountStore } from "../domain/ports.ts";
import { contentOf, type Dynamo, itemOf, readRecord } from "./dynamo-records.ts";
import { insert, insertOf, transact, update } from "./dynamo-writes.ts";

/** Accounts and API keys in DynamoDB; a record per e-mail address keeps two accounts from having the same. */
export const dynamoAccounts = (dynamo: Dynamo): AccountStore => {
  const table = dynamo.tables.keys;
  return {
    createAccount: async (account) => {
      const email = itemOf(emailKey(account.email), "email", { accountId: account.id });
      const refused = await transact(dynamo, [
        { Put: insertOf(table, itemOf(account.id, "account", account)) },
        { Put: insertOf(table, email) },
      ]);
      if (refused?.[0]?.failed) {
        throw new Error(`There is an account ${account.id} already.`);
      }
      return refused === undefined ? "created" : "email_taken";
    },

    getAccount: (id) => readRecord(dynamo, { table, key: id, kind: "account" }),
    listAccounts: () => allAccounts(dynamo),

    setPlan: async (id, plan, quota) => {
      const changed = await update(dynamo, {
        table,
        key: { pk: id },
        update: quota === undefined ? "SET #plan = :plan REMOVE #quota" : "SET #plan = :plan, #quota = :quota",
        condition: "#kind = :account",
        values: { ":plan": plan, ":account": "account", ...(quota !== undefined && { ":quota": quota }) },
      });
      return changed !== undefined;
    },

    setPreferences: async (id, preferences) => {
      const changes = Object.entries(preferences).filter(([, value]) => value !== undefined);
      const changed = await update(dynamo, {
        table,
        key: { pk: id },
        update: `SET ${changes.map(([name]) => `#${name} = :${name}`).join(", ")}`,
        condition: "#kind = :account",
        values: { ":account": "account", ...Object.fromEntries(changes.map(([name, value]) => [`:${name}`, value])) },
      });
      return changed !== undefined;
    },

    addKey: (key) => insert(dynamo, table, itemOf(keyKey(key.hash), "key", key)),
    findKey: (hash) => readRecord(dynamo, { table, key: keyKey(hash), kind: "key" }),
    keysOf: (accountId) => allKeys(dynamo, accountId),

    revokeKey: async (hash, now) => {
      const changed = await update(dynamo, {
        table,
        key: { pk: keyKey(hash) },
        update: "SET #revokedAt = if_not_exists(#revokedAt, :now)",
        condition: "#kind = :key",
        values: { ":now": now, ":key": "key" },
      });
      return changed !== undefined;
    },
  };
};

const keyKey = (hash: string): string => `key#${hash}`;
const emailKey = (email: string): string => `email#${email.toLowerCase()}`;

/** Reads the whole table: the operator's tool may, no request does. */
async function* allAccounts({ client, tables }: Dynamo): AsyncGenerator<Account> {
  const pages = paginateScan(
    { client },
    {
      TableName: tables.keys,
      FilterExpression: "#kind = :account",
      ExpressionAttributeNames: { "#kind": "kind" },
      ExpressionAttributeValues: { ":account": "account" },
    },
  );
  for await (const { Items = [] } of pages) {
    yield* Items.flatMap((item) => contentOf(item, "account") ?? []);
  }
}

/** The index follows the table within a moment, so a key that was added just now may be missing. */
const allKeys = async ({ client, tables }: Dynamo, accountId: string): Promise<readonly ApiKey[]> => {
  const pages = paginateQuery(
    { client },
    {
      TableName: tables.keys,
      IndexName: "by-account",
      KeyConditionExpression: "accountId = :account AND begins_with(pk, :prefix)",
      ExpressionAttributeValues: { ":account": accountId, ":prefix": "key#" },
    },
  );
  const keys: ApiKey[] = [];
  for await (const { Items = [] } of pages) {
    keys.push(...Items.flatMap((item) => contentOf(item, "key") ?? []));
  }
  return keys;
};
