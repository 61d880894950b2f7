import { setImmediate } from "node:timers/promises";
import { FILE_RETENTION_MS } from "../../functions/domain/limits.ts";
import type { LocalContext } from "../context.ts";
import { eraseExpired, removeOrphans, sqliteRetention } from "./retention.ts";

const BATCH = 500;
/** Maximum number of batches per run. The next run continues. */
const BATCHES_MAX = 100;
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
    for (let batch = 0; batch < BATCHES_MAX; batch += 1) {
      if ((await eraseExpired(retention, context.files, { now, limit: BATCH })) < BATCH) {
        break;
      }
    }
    for (let batch = 0; batch < BATCHES_MAX && retention.deleteRecords(now, BATCH) >= BATCH; batch += 1) {
      // Lets other work run: a batch blocks the database and the process.
      await setImmediate();
    }
    await context.files.removeAbandoned(now - ABANDONED_MS);
    await removeOrphans(context, now - ORPHAN_AGE_MS);
  };
};
