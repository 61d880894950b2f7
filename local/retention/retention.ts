import { setImmediate } from "node:timers/promises";
import type { FileStore } from "../../functions/domain/file-ports.ts";
import { idAt } from "../../functions/domain/ids.ts";
import { isUnfinished } from "../../functions/domain/jobs/job.ts";
import { RECORD_RETENTION_MS, SIGNED_URL_SECONDS } from "../../functions/domain/limits.ts";
import type { JobStore, UploadStore } from "../../functions/domain/ports.ts";
import { REQUEST_RETENTION_MS } from "../../functions/domain/requests/logged-request.ts";
import type { FolderFiles } from "../files/folder-files.ts";
import type { Database } from "../sqlite/database.ts";
import { type Row, textOf } from "../sqlite/rows.ts";
import { accountDeletions, type Deletion } from "./account-retention.ts";

/** A record with an expired file. */
export interface ExpiredFile {
  readonly id: string;
  readonly key: string;
  /** The multipart transfer of the file, which may have ended already. */
  readonly transfer?: string;
}

/** Replaces the lifecycle rules of the bucket and the `ttl` of the tables on one machine. */
export interface Retention {
  /** @returns expired uploads that no unfinished job reads, longest expired first */
  expiredUploads(now: number, limit: number): readonly ExpiredFile[];
  /** @returns jobs whose result has expired, longest expired first */
  expiredResults(now: number, limit: number): readonly ExpiredFile[];
  /** Marks the files as deleted, so that they are not listed again. */
  uploadsErased(ids: readonly string[]): Promise<void>;
  resultsErased(ids: readonly string[]): Promise<void>;
  /**
   * Deletes expired records, at most `limit` of each kind. Each kind is a transaction, with other work in between.
   * @returns the number of deleted records
   */
  deleteRecords(now: number, limit: number): Promise<number>;
}

/** A file is kept after its expiry for the lifetime of a signed URL, which may have been created just before. */
const FILE_GRACE_MS = SIGNED_URL_SECONDS * 1_000;

export const sqliteRetention = (database: Database): Retention => {
  const uploads = database.prepare(`
    SELECT id, key, body ->> '$.source.parts.transfer' AS transfer FROM uploads
    WHERE erased = 0 AND expires_at <= :before
      AND NOT EXISTS (SELECT 1 FROM jobs WHERE upload_id = uploads.id AND due_at IS NOT NULL)
      AND NOT EXISTS (SELECT 1 FROM inputs WHERE upload_id = uploads.id)
    ORDER BY expires_at LIMIT :limit`);
  const results = database.prepare(`
    SELECT id, result_key AS key FROM jobs WHERE erased = 0 AND result_expires_at <= :before
    ORDER BY result_expires_at LIMIT :limit`);
  const eraseUploads = database.prepare(
    "UPDATE uploads SET erased = 1, waits = 0 WHERE id IN (SELECT value FROM json_each(?))",
  );
  const eraseResults = database.prepare("UPDATE jobs SET erased = 1 WHERE id IN (SELECT value FROM json_each(?))");
  const deletions = recordDeletions(database);
  return {
    expiredUploads: (now, limit) => uploads.all({ before: now - FILE_GRACE_MS, limit }).map(fileOf),
    expiredResults: (now, limit) => results.all({ before: now - FILE_GRACE_MS, limit }).map(fileOf),
    uploadsErased: (ids) => database.soon(() => void eraseUploads.run(JSON.stringify(ids))),
    resultsErased: (ids) => database.soon(() => void eraseResults.run(JSON.stringify(ids))),
    deleteRecords: async (now, limit) => {
      let deleted = 0;
      for (const remove of deletions) {
        deleted += await database.soon(() => remove(now, limit));
        await setImmediate();
      }
      return deleted;
    },
  };
};

/** Upload records are kept as long as job records, to distinguish `expired` from `not_found`. */
const recordDeletions = (database: Database): readonly Deletion[] => {
  const requests = database.prepare(`DELETE FROM requests WHERE (account_id, id) IN (
    SELECT account_id, id FROM requests WHERE id < :before ORDER BY id LIMIT :limit)`);
  const [uploads, jobs, pipelines, idempotency, webhooks] = [
    database.prepare(`DELETE FROM uploads WHERE id IN (
      SELECT id FROM uploads WHERE erased = 1 AND expires_at <= :time ORDER BY expires_at LIMIT :limit)`),
    database.prepare(`DELETE FROM jobs WHERE id IN (
      SELECT id FROM jobs WHERE record_expires_at <= :time AND due_at IS NULL AND (result_key IS NULL OR erased = 1)
      ORDER BY record_expires_at LIMIT :limit)`),
    database.prepare(`DELETE FROM pipelines WHERE id IN (
      SELECT id FROM pipelines WHERE record_expires_at <= :time ORDER BY record_expires_at LIMIT :limit)`),
    database.prepare(`DELETE FROM idempotency WHERE key IN (
      SELECT key FROM idempotency WHERE expires_at <= :time ORDER BY expires_at LIMIT :limit)`),
    database.prepare(`DELETE FROM webhooks WHERE id IN (
      SELECT id FROM webhooks WHERE record_expires_at <= :time ORDER BY record_expires_at LIMIT :limit)`),
  ];
  return [
    ...accountDeletions(database),
    (now, limit) => Number(uploads.run({ time: now - RECORD_RETENTION_MS, limit }).changes),
    (now, limit) => Number(jobs.run({ time: now, limit }).changes),
    (now, limit) => Number(pipelines.run({ time: now, limit }).changes),
    (now, limit) => Number(idempotency.run({ time: now, limit }).changes),
    (now, limit) => Number(webhooks.run({ time: now, limit }).changes),
    (now, limit) => Number(requests.run({ before: idAt("request", now - REQUEST_RETENTION_MS), limit }).changes),
  ];
};

/** Deletes one batch of expired files. @returns the number of files; if it is `limit` or more, there may be others */
export const eraseExpired = async (
  retention: Retention,
  files: FileStore,
  { now, limit }: { readonly now: number; readonly limit: number },
): Promise<number> => {
  const [uploads, results] = [retention.expiredUploads(now, limit), retention.expiredResults(now, limit)];
  // Files are deleted first: if the process ends in between, they are listed and deleted again, which is harmless.
  await files.remove([...uploads, ...results].map(({ key }) => key));
  for (const { key, transfer } of uploads) {
    await (transfer === undefined ? undefined : files.abortParts(key, transfer));
  }
  await retention.uploadsErased(uploads.map(({ id }) => id));
  await retention.resultsErased(results.map(({ id }) => id));
  return uploads.length + results.length;
};

/**
 * Deletes files without a record: those of a process that ended before it wrote the record, and results of attempts
 * that did not finish their job. Files are checked one at a time.
 *
 * @param before files that were changed later are kept, because their record may not have been written yet
 * @returns the number of deleted files
 */
export const removeOrphans = async (
  { files, uploads, jobs }: { files: FolderFiles; uploads: UploadStore; jobs: JobStore },
  before: number,
): Promise<number> => {
  let removed = 0;
  for await (const { key, changedAt } of files.list()) {
    if (changedAt < before && !(await isKnown(key, uploads, jobs))) {
      await files.remove([key]);
      removed += 1;
    }
  }
  return removed;
};

const isKnown = async (key: string, uploads: UploadStore, jobs: JobStore): Promise<boolean> => {
  const [kind, id = ""] = key.split("/");
  if (kind === "uploads") {
    return (await uploads.getUpload(id)) !== undefined;
  }
  const job = await jobs.getJob(id);
  return job !== undefined && (isUnfinished(job) || job.result?.key === key);
};

const fileOf = (row: Row): ExpiredFile => ({
  id: textOf(row, "id"),
  key: textOf(row, "key"),
  ...(typeof row.transfer === "string" && { transfer: row.transfer }),
});
