import {
  isExpired,
  type LoggedRequest,
  type RequestStore,
  requestPage,
} from "../../functions/domain/requests/logged-request.ts";
import type { Database } from "./database.ts";
import { type Row, textOf } from "./rows.ts";

/**
 * Requests that are kept per account: about 60 MB at 600 bytes each. At 100,000 requests in 30 days, an account can send
 * one request every 26 s before the oldest are deleted early.
 */
const REQUESTS_PER_ACCOUNT_MAX = 100_000;

/** New requests of an account after which the number of all is limited again. */
const TRIM_EVERY = 1_000;

/** Accounts whose new requests are counted at the same time. */
const COUNTED_ACCOUNTS_MAX = 10_000;

/**
 * Requests of accounts, stored as JSON. A power failure can lose the latest ones.
 * @param perAccountMax requests that are kept per account. @default REQUESTS_PER_ACCOUNT_MAX
 */
export const sqliteRequests = (database: Database, perAccountMax = REQUESTS_PER_ACCOUNT_MAX): RequestStore => {
  // An entry of an account that was deleted meanwhile is left out.
  const insert = database.prepare(`
    INSERT INTO requests (account_id, id, body)
    SELECT :accountId, :id, :body WHERE EXISTS (SELECT 1 FROM accounts WHERE id = :accountId)`);
  const list = database.prepare(`
    SELECT id, body FROM requests WHERE account_id = :accountId AND id >= :from AND id < :before
    ORDER BY id DESC LIMIT :limit`);
  const get = database.prepare("SELECT body FROM requests WHERE account_id = ? AND id = ?");
  const remove = database.prepare(`
    DELETE FROM requests WHERE account_id = :accountId AND id IN (
      SELECT id FROM requests WHERE account_id = :accountId ORDER BY id LIMIT :limit)`);
  const trim = database.prepare(`
    DELETE FROM requests WHERE account_id = :accountId AND id <= (
      SELECT id FROM requests WHERE account_id = :accountId ORDER BY id DESC LIMIT 1 OFFSET :kept)`);
  const trimmed = everyThousand((accountId) => void trim.run({ accountId, kept: perAccountMax }));
  return {
    add: (entries) =>
      database.soon(() => {
        for (const { id, accountId, ...entry } of entries) {
          insert.run({ id, accountId, body: JSON.stringify(entry) });
          trimmed(accountId);
        }
      }),
    list: (query) =>
      requestPage(query, async ({ from, before, limit }) =>
        list.all({ accountId: query.accountId, from, before, limit }).map((row) => {
          const id = textOf(row, "id");
          return { id, record: entryOf(row, id, query.accountId) };
        }),
      ),
    get: async (accountId, id, now) => {
      const row = get.get(accountId, id);
      const entry = row && entryOf(row, id, accountId);
      return entry === undefined || isExpired(entry, now) ? undefined : entry;
    },
    erase: async (accountId, limit) => (await database.soon(() => remove.run({ accountId, limit }))).changes === limit,
  };
};

/** Only this store writes the column, so its content matches the type. */
const entryOf = (row: Row, id: string, accountId: string): LoggedRequest => ({
  ...(JSON.parse(textOf(row, "body")) as Omit<LoggedRequest, "accountId" | "id">),
  id,
  accountId,
});

/** @returns a function that counts the new requests of accounts, and trims an account after every thousand */
const everyThousand = (trim: (accountId: string) => void): ((accountId: string) => void) => {
  const added = new Map<string, number>();
  return (accountId) => {
    const count = (added.get(accountId) ?? 0) + 1;
    // Forgotten counts only delay the next trimming.
    if (count >= TRIM_EVERY || added.size > COUNTED_ACCOUNTS_MAX) {
      added.delete(accountId);
      trim(accountId);
      return;
    }
    added.set(accountId, count);
  };
};
