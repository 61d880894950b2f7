import type { QuotaStore } from "../functions/domain/ports.ts";
import type { QuotaClaim } from "../functions/domain/quotas.ts";
import type { Database } from "./database.ts";
import { integerOf } from "./rows.ts";

/** The counter inside a transaction of another store, which counts together with its own change. */
export interface QuotaCounter {
  /** @returns whether the request was counted */
  take(claim: QuotaClaim): boolean;
  giveBack(accountId: string, month: string): void;
  used(accountId: string, month: string): number;
}

export const quotaCounter = (database: Database): QuotaCounter => {
  const take = database.prepare(`
    INSERT INTO quotas (account_id, month, used) SELECT :accountId, :month, 1 WHERE :limit > 0
    ON CONFLICT (account_id, month) DO UPDATE SET used = used + 1 WHERE used < :limit`);
  const giveBack = database.prepare(
    "UPDATE quotas SET used = used - 1 WHERE account_id = :accountId AND month = :month AND used > 0",
  );
  const used = database.prepare("SELECT used FROM quotas WHERE account_id = :accountId AND month = :month");
  return {
    take: ({ accountId, month, limit }) => take.run({ accountId, month, limit }).changes === 1,
    giveBack: (accountId, month) => {
      giveBack.run({ accountId, month });
    },
    used: (accountId, month) => {
      const row = used.get({ accountId, month });
      return row === undefined ? 0 : integerOf(row, "used");
    },
  };
};

export const sqliteQuotas = (database: Database): QuotaStore => {
  const counter = quotaCounter(database);
  return {
    // What it counts, a download, leaves no trace of its own; a power failure may forgive the last one.
    take: async (claim) => database.lightly(() => counter.take(claim)),
    used: async (accountId, month) => counter.used(accountId, month),
  };
};
