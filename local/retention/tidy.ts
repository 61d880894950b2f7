import { setImmediate } from "node:timers/promises";
import { FILE_RETENTION_MS } from "../../functions/domain/limits.ts";
import type { LocalContext } from "../context.ts";
import { eraseExpired, removeOrphans, sqliteRetention } from "./retention.ts";

/** Files and records per batch. A batch blocks the process for a few milliseconds. */
const BATCH = 25;
/** Pages of the database, at 4 kB each: how many are given back per step, and how many are kept for new records. */
const [PAGES, FREE_PAGES] = [256, 2_048];
/** Age of an abandoned transfer: after a day without data, its upload has expired or was never recorded. */
const ABANDONED_MS = FILE_RETENTION_MS;
/** Age of an orphaned file: twice the longest request (six hours), which may not have written its record yet. */
const ORPHAN_AGE_MS = 12 * 3_600_000;

/** @returns a task that deletes expired files and records, to be run every few minutes */
export const tidying = (
  context: Pick<LocalContext, "clock" | "database" | "files" | "jobs" | "uploads">,
): (() => Promise<void>) => {
  const retention = sqliteRetention(context.database);
  return async () => {
    const now = context.clock();
    while ((await eraseExpired(retention, context.files, { now, limit: BATCH })) >= BATCH) {
      await setImmediate();
    }
    while ((await retention.deleteRecords(now, BATCH)) >= BATCH) {
      await setImmediate();
    }
    while (context.database.shrink(PAGES, FREE_PAGES) > 0) {
      await setImmediate();
    }
    await context.files.removeAbandoned(now - ABANDONED_MS);
    await removeOrphans(context, now - ORPHAN_AGE_MS);
  };
};
