import type { StorageStore } from "../../domain/exports/storage.ts";
import { type Dynamo, itemOf, readRecord, recordsOf } from "./records.ts";
import { put, remove } from "./writes.ts";

/** Storages of accounts, in the keys table. */
export const dynamoStorages = (dynamo: Dynamo): StorageStore => {
  const table = dynamo.tables.keys;
  return {
    put: async (storage) => {
      await put(dynamo, table, itemOf(keyOf(storage.accountId, storage.name), "storage", storage));
    },
    get: (accountId, name) => readRecord(dynamo, { table, key: keyOf(accountId, name), kind: "storage" }),
    list: (accountId) => recordsOf(dynamo, { accountId, prefix: keyOf(accountId, ""), kind: "storage" }),
    remove: (accountId, name) => remove(dynamo, table, keyOf(accountId, name)),
  };
};

const keyOf = (accountId: string, name: string): string => `storage#${accountId}#${name}`;
