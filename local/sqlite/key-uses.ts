import { oncePerMinute } from "../../functions/adapters/key-minutes.ts";
import type { KeyUses } from "../../functions/domain/accounts/account-ports.ts";
import type { Database } from "./database.ts";
import { integerOf, textOf } from "./rows.ts";

/** Last use of API keys. A power failure can lose the latest uses. */
export const sqliteKeyUses = (database: Database): KeyUses => {
  const note = database.prepare(`
    INSERT INTO key_uses (account_id, key_id, used_at) VALUES (:accountId, :keyId, :minute)
    ON CONFLICT (account_id, key_id) DO UPDATE SET used_at = :minute WHERE used_at < :minute`);
  const list = database.prepare("SELECT key_id, used_at FROM key_uses WHERE account_id = ?");
  return {
    note: oncePerMinute(async (accountId, keyId, minute) => {
      await database.soon(() => note.run({ accountId, keyId, minute }));
    }),
    of: async (accountId, keyIds) => {
      const wanted = new Set(keyIds);
      const uses = list.all(accountId).map((row) => [textOf(row, "key_id"), integerOf(row, "used_at")] as const);
      return new Map(uses.filter(([keyId]) => wanted.has(keyId)));
    },
  };
};
