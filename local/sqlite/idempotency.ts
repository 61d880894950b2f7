import type { IdempotencyClaim, KeyReplays, Replay } from "../../functions/domain/ports.ts";
import type { Database } from "./database.ts";
import { textOf } from "./rows.ts";

/** Uses of idempotency keys, read inside and outside of another store's transaction. */
export interface IdempotencyRecords {
  /** @returns the previous use of the key; undefined if there is none or it has expired */
  find(claim: Pick<IdempotencyClaim, "key"> | undefined, now: number): Replay | undefined;
  /** Stores the use of the key. */
  remember(claim: IdempotencyClaim | undefined, recordId: string): void;
  readonly findReplay: KeyReplays["findReplay"];
}

export const idempotencyRecords = (database: Database): IdempotencyRecords => {
  const find = database.prepare(
    "SELECT record_id, request_hash FROM idempotency WHERE key = :key AND expires_at > :now",
  );
  const remember = database.prepare(`
    INSERT OR REPLACE INTO idempotency (key, record_id, request_hash, expires_at)
    VALUES (:key, :recordId, :requestHash, :expiresAt)`);
  const replayOf = (key: string, now: number): Replay | undefined => {
    const row = find.get({ key, now });
    return row && { outcome: "replayed", id: textOf(row, "record_id"), requestHash: textOf(row, "request_hash") };
  };
  return {
    find: (claim, now) => claim && replayOf(claim.key, now),
    findReplay: async (key, now) => replayOf(key, now),
    remember: (claim, recordId) => {
      if (claim !== undefined) {
        const { key, requestHash, expiresAt } = claim;
        remember.run({ key, requestHash, expiresAt, recordId });
      }
    },
  };
};
