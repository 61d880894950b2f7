import { oldestMonth } from "../../functions/domain/accounts/quotas.ts";
import type { Database } from "../sqlite/database.ts";
import { textOf } from "../sqlite/rows.ts";

/** Deletes at most `limit` expired records. @returns the number of deleted records */
export type Deletion = (now: number, limit: number) => number;

/**
 * @returns functions that delete expired account data inside a transaction: visitor accounts with everything they own,
 * sessions, challenges and counts
 */
export const accountDeletions = (database: Database): readonly Deletion[] => {
  const byTime = [
    database.prepare(`DELETE FROM challenges WHERE id IN (
      SELECT id FROM challenges WHERE expires_at <= :now ORDER BY expires_at LIMIT :limit)`),
    database.prepare(`DELETE FROM sessions WHERE hash IN (
      SELECT hash FROM sessions WHERE expires_at <= :now ORDER BY expires_at LIMIT :limit)`),
    database.prepare(`DELETE FROM allowances WHERE (subject, window_ms, ends_at) IN (
      SELECT subject, window_ms, ends_at FROM allowances WHERE ends_at <= :now ORDER BY ends_at LIMIT :limit)`),
  ];
  const byMonth = [
    database.prepare(`DELETE FROM quotas WHERE (account_id, month) IN (
      SELECT account_id, month FROM quotas WHERE month < :month ORDER BY month LIMIT :limit)`),
    database.prepare(`DELETE FROM key_quotas WHERE (account_id, month, key_id) IN (
      SELECT account_id, month, key_id FROM key_quotas WHERE month < :month ORDER BY month LIMIT :limit)`),
    database.prepare(`DELETE FROM uses WHERE (account_id, month, day, kind) IN (
      SELECT account_id, month, day, kind FROM uses WHERE month < :month ORDER BY month LIMIT :limit)`),
  ];
  const details = database.prepare(`DELETE FROM use_details
    WHERE (account_id, month, day, key_id, source, target, outcome) IN (
      SELECT account_id, month, day, key_id, source, target, outcome FROM use_details
      WHERE month < :month ORDER BY month LIMIT :limit)`);
  return [
    visitorDeletion(database),
    ...byTime.map(
      (remove): Deletion =>
        (now, limit) =>
          Number(remove.run({ now, limit }).changes),
    ),
    ...[...byMonth, details].map(
      (remove): Deletion =>
        (now, limit) => {
          const month = oldestMonth(now);
          return Number(remove.run({ month, limit }).changes);
        },
    ),
  ];
};

/** Tables other than `accounts` whose rows belong to one account and have no expiry, or a later one. */
const OWNED = [
  "keys",
  "key_quotas",
  "key_uses",
  "passkeys",
  "presets",
  "quotas",
  "sessions",
  "use_details",
  "uses",
] as const;

/** Uploads and jobs are kept until they expire, because a result may still be downloaded. */
const visitorDeletion = (database: Database): Deletion => {
  const expired = database.prepare(
    "SELECT id FROM accounts WHERE visitor_until <= :now ORDER BY visitor_until LIMIT :limit",
  );
  const owned = OWNED.map((table) =>
    database.prepare(`DELETE FROM ${table} WHERE account_id IN (SELECT value FROM json_each(?))`),
  );
  const accounts = database.prepare("DELETE FROM accounts WHERE id IN (SELECT value FROM json_each(?))");
  return (now, limit) => {
    const ids = JSON.stringify(expired.all({ now, limit }).map((row) => textOf(row, "id")));
    for (const remove of owned) {
      remove.run(ids);
    }
    return Number(accounts.run(ids).changes);
  };
};
