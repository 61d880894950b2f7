import { paginateScan, ScanCommand } from "@aws-sdk/lib-dynamodb";
import type { AccountStore } from "../../domain/accounts/account-ports.ts";
import { teamOf } from "../../domain/accounts/members.ts";
import type { Account } from "../../domain/accounts/plans.ts";
import type { Page } from "../../domain/ports.ts";
import { eraseAccount } from "./account-erasure.ts";
import { contentOf, type Dynamo, itemOf, readRecord, recordsOf } from "./records.ts";
import { dynamoSeats, seatAddition } from "./seats.ts";
import { busy, deletionOf, insert, insertOf, transact, update, updateOf } from "./writes.ts";

/** Accounts and API keys in DynamoDB. A record per email address prevents two accounts with the same address. */
export const dynamoAccounts = (dynamo: Dynamo): AccountStore => {
  const table = dynamo.tables.keys;
  const getAccount = (id: string) => readRecord(dynamo, { table, key: id, kind: "account" });
  return {
    createAccount: async (account) => {
      const { id, visitorUntil } = account;
      const email = itemOf(emailKey(account.email), "email", { accountId: id }, visitorUntil);
      const refused = await transact(dynamo, [
        { Put: insertOf(table, itemOf(id, "account", account, visitorUntil)) },
        { Put: insertOf(table, email) },
        ...teamOf(account).members.map((member) => ({ Update: updateOf(seatAddition(dynamo, member.email, id)) })),
      ]);
      if (refused?.[0]?.failed) {
        throw new Error(`Account ${id} already exists.`);
      }
      return refused === undefined ? "created" : "email_taken";
    },

    getAccount,

    findByEmail: async (email) => {
      const pointer = await readRecord(dynamo, { table, key: emailKey(email), kind: "email" });
      return pointer && (await getAccount(pointer.accountId));
    },

    listAccounts: () => allAccounts(dynamo),

    accountPage: ({ limit, after }) => somePage(dynamo, limit, after),

    setEmail: async (id, email) => {
      const account = await getAccount(id);
      if (account === undefined) {
        return "missing";
      }
      const [from, to] = [emailKey(account.email), emailKey(email)];
      const current = { condition: "#accountId = :id", values: { ":id": id } };
      const moved = [
        { Delete: deletionOf({ table, key: { pk: from }, ...current }) },
        { Put: insertOf(table, itemOf(to, "email", { accountId: id })) },
      ];
      const changed = {
        Update: updateOf({
          table,
          key: { pk: id },
          update: "SET #email = :email",
          condition: "#email = :former",
          values: { ":email": email, ":former": account.email },
        }),
      };
      const refused = await transact(dynamo, [changed, ...(from === to ? [] : moved)]);
      if (refused === undefined) {
        return "changed";
      }
      if (refused.at(-1)?.failed && from !== to) {
        return "email_taken";
      }
      throw busy("The address of the account is being changed. Try again shortly.");
    },

    erase: (id) => eraseAccount(dynamo, id, emailKey),

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

    change: async (id, changes, from) => {
      const change = changeOf(changes);
      if (change.update === "") {
        return (await getAccount(id)) !== undefined;
      }
      const seen = from === undefined ? { condition: "", values: {} } : withEndpoints(from);
      const condition = `#kind = :account${seen.condition}`;
      const values = { ...change.values, ":account": "account", ...seen.values };
      return (await update(dynamo, { ...change, table, key: { pk: id }, condition, values })) !== undefined;
    },

    ...apiKeys(dynamo),
    ...dynamoSeats(dynamo),
  };
};

type ApiKeys = Pick<AccountStore, "addKey" | "expireKey" | "findKey" | "keysOf" | "limitKey" | "revokeKey">;

/** A key is stored under its SHA-256; an index lists the keys of an account. */
const apiKeys = (dynamo: Dynamo): ApiKeys => {
  const table = dynamo.tables.keys;
  return {
    addKey: (key) => insert(dynamo, table, itemOf(keyKey(key.hash), "key", key)),
    findKey: (hash) => readRecord(dynamo, { table, key: keyKey(hash), kind: "key" }),
    keysOf: (accountId) => recordsOf(dynamo, { accountId, prefix: "key#", kind: "key" }),

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

    limitKey: async (hash, { monthlyLimit = null, origins = null }) => {
      const { values, ...change } = changeOf({ monthlyLimit, origins });
      const limited = await update(dynamo, {
        ...change,
        table,
        key: { pk: keyKey(hash) },
        condition: "#kind = :key",
        values: { ...values, ":key": "key" },
      });
      return limited !== undefined;
    },

    expireKey: async (hash, at) => {
      const expired = await update(dynamo, {
        table,
        key: { pk: keyKey(hash) },
        update: "SET #expiresAt = :at",
        condition: "#kind = :key AND (attribute_not_exists(#expiresAt) OR #expiresAt > :at)",
        values: { ":at": at, ":key": "key" },
      });
      return (
        expired !== undefined || (await readRecord(dynamo, { table, key: keyKey(hash), kind: "key" })) !== undefined
      );
    },
  };
};

/** @returns an update with SET and REMOVE clauses; empty if there are no changes */
const changeOf = (changes: Readonly<Record<string, unknown>>): { update: string; values: Record<string, unknown> } => {
  const named = Object.entries(changes).filter(([, value]) => value !== undefined);
  const [set, taken] = [named.filter(([, value]) => value !== null), named.filter(([, value]) => value === null)];
  const parts = [
    ...(set.length === 0 ? [] : [`SET ${set.map(([name]) => `#${name} = :${name}`).join(", ")}`]),
    ...(taken.length === 0 ? [] : [`REMOVE ${taken.map(([name]) => `#${name}`).join(", ")}`]),
  ];
  return { update: parts.join(" "), values: Object.fromEntries(set.map(([name, value]) => [`:${name}`, value])) };
};

/** @returns the condition that the account has these endpoints */
const withEndpoints = ({ webhookEndpoints }: Pick<Account, "webhookEndpoints">) =>
  webhookEndpoints === undefined
    ? { condition: " AND attribute_not_exists(#webhookEndpoints)", values: {} }
    : { condition: " AND #webhookEndpoints = :from", values: { ":from": webhookEndpoints } };

const keyKey = (hash: string): string => `key#${hash}`;
const emailKey = (email: string): string => `email#${email.toLowerCase()}`;

/** Records that one page reads: a tenth of the records of usual accounts are accounts, the others their keys. */
const PAGE_RECORDS = 10;

/** Reads a part of the table, so a page can have no account. */
const somePage = async (
  { client, tables }: Dynamo,
  limit: number,
  after: string | undefined,
): Promise<Page<Account>> => {
  const { Items: items = [], LastEvaluatedKey: last } = await client.send(
    new ScanCommand({
      ...ACCOUNTS_ONLY,
      TableName: tables.keys,
      Limit: limit * PAGE_RECORDS,
      ...(after !== undefined && { ExclusiveStartKey: { pk: after } }),
    }),
  );
  return {
    items: items.flatMap((item) => contentOf(item, "account") ?? []),
    ...(last !== undefined && { next: String(last.pk) }),
  };
};

/** Leaves out the other records of the table. */
const ACCOUNTS_ONLY = {
  FilterExpression: "#kind = :account",
  ExpressionAttributeNames: { "#kind": "kind" },
  ExpressionAttributeValues: { ":account": "account" },
} as const;

/** Scans the entire table. Only for the operator's tool, never in a request. */
async function* allAccounts({ client, tables }: Dynamo): AsyncGenerator<Account> {
  const pages = paginateScan({ client }, { ...ACCOUNTS_ONLY, TableName: tables.keys });
  for await (const { Items = [] } of pages) {
    yield* Items.flatMap((item) => contentOf(item, "account") ?? []);
  }
}
