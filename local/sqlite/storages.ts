import type { Storage, StorageStore } from "../../functions/domain/exports/storage.ts";
import type { Database } from "./database.ts";
import { type Row, textOf } from "./rows.ts";

/** Storages of accounts, stored as JSON. */
export const sqliteStorages = (database: Database): StorageStore => {
  const put = database.prepare(`
    INSERT INTO storages (account_id, name, body) VALUES (:accountId, :name, :body)
    ON CONFLICT (account_id, name) DO UPDATE SET body = :body`);
  const get = database.prepare("SELECT body FROM storages WHERE account_id = ? AND name = ?");
  const list = database.prepare("SELECT body FROM storages WHERE account_id = ? ORDER BY name");
  const remove = database.prepare("DELETE FROM storages WHERE account_id = ? AND name = ?");
  return {
    put: async (storage) => {
      const { accountId, name } = storage;
      await database.durably(() => put.run({ accountId, name, body: JSON.stringify(storage) }));
    },
    get: async (accountId, name) => storageOf(get.get(accountId, name)),
    list: async (accountId) => list.all(accountId).flatMap((row) => storageOf(row) ?? []),
    remove: (accountId, name) => database.durably(() => remove.run(accountId, name).changes === 1),
  };
};

const storageOf = (row: Row | undefined): Storage | undefined => row && (JSON.parse(textOf(row, "body")) as Storage);
