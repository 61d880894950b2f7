import type { AllowanceStore } from "../../functions/domain/accounts/account-ports.ts";
import type { Database } from "./database.ts";
import { integerOf } from "./rows.ts";

/** Counts that survive a restart; a power failure can lose the latest. */
export const sqliteAllowances = (database: Database): AllowanceStore => {
  const take = database.prepare(`
    INSERT INTO allowances (subject, window_ms, ends_at, taken) SELECT :subject, :windowMs, :endsAt, 1 WHERE :limit > 0
    ON CONFLICT (subject, window_ms, ends_at) DO UPDATE SET taken = taken + 1 WHERE taken < :limit
    RETURNING taken`);
  return {
    take: async (subject, { limit, windowMs }, now) => {
      const endsAt = (Math.floor(now / windowMs) + 1) * windowMs;
      const row = await database.soon(() => take.get({ subject, windowMs, endsAt, limit }));
      return row === undefined ? -1 : limit - integerOf(row, "taken");
    },
  };
};
