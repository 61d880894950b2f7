import { setImmediate } from "node:timers/promises";
import { FILE_RETENTION_MS } from "../../functions/domain/limits.ts";
import type { LocalContext } from "../context.ts";
import { eraseExpired, removeOrphans, sqliteRetention } from "./retention.ts";

const BATCH = 500;
/** Batches of one run: what is left is the next run's. */
const BATCHES_MAX = 100;
/** A transfer in which nothing arrives for a day: its upload has expired, or was never recorded. */
const ABANDONED_MS = FILE_RETENTION_MS;
/** A file whose record may still be on its way is younger than the longest request, six hours. */
const ORPHAN_AGE_MS = 12 * 3_600_000;

/** @returns a task that erases the files and records whose time is over, to be run every few minutes */
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
      // Others take their turn: a batch holds the database, and all of the process.
      await setImmediate();
    }
    await context.files.removeAbandoned(now - ABANDONED_MS);
    await removeOrphans(context, now - ORPHAN_AGE_MS);
  };
};
