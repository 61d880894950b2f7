import type { Creation, IdempotencyClaim } from "../functions/domain/ports.ts";
import type { Database } from "./database.ts";
import { textOf } from "./rows.ts";

/** What idempotency keys stand for, inside a transaction of another store. */
export interface IdempotencyRecords {
  /** @returns what the key was used for before, unless that has expired */
  find(claim: IdempotencyClaim | undefined, now: number): Extract<Creation, { outcome: "replayed" }> | undefined;
  /** Remembers what the key was used for. */
  remember(claim: IdempotencyClaim | undefined, recordId: string): void;
}

export const idempotencyRecords = (database: Database): IdempotencyRecords => {
  const find = database.prepare(
    "SELECT record_id, request_hash FROM idempotency WHERE key = :key AND expires_at > :now",
  );
  const remember = database.prepare(`
    INSERT OR REPLACE INTO idempotency (key, record_id, request_hash, expires_at)
    VALUES (:key, :recordId, :requestHash, :expiresAt)`);
  return {
    find: (claim, now) => {
      const row = claim && find.get({ key: claim.key, now });
      return row && { outcome: "replayed", id: textOf(row, "record_id"), requestHash: textOf(row, "request_hash") };
    },
    remember: (claim, recordId) => {
      if (claim !== undefined) {
        const { key, requestHash, expiresAt } = claim;
        remember.run({ key, requestHash, expiresAt, recordId });
      }
    },
  };
};
