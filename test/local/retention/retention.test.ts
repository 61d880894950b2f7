import { utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Job } from "../../../functions/domain/jobs/job.ts";
import { FILE_RETENTION_MS, RECORD_RETENTION_MS, SIGNED_URL_SECONDS } from "../../../functions/domain/limits.ts";
import type { ReadyUpload } from "../../../functions/domain/uploads/upload.ts";
import { type FolderFiles, folderFiles } from "../../../local/files/folder-files.ts";
import { eraseExpired, type Retention, removeOrphans, sqliteRetention } from "../../../local/retention/retention.ts";
import { tidying } from "../../../local/retention/tidy.ts";
import { type Database, openDatabase } from "../../../local/sqlite/database.ts";
import { type LocalJobs, sqliteJobs } from "../../../local/sqlite/jobs.ts";
import { type LocalUploads, sqliteUploads } from "../../../local/sqlite/uploads.ts";
import { sqliteWebhooks } from "../../../local/sqlite/webhooks.ts";
import { type TemporaryFolder, temporaryFolder } from "../../support/temporary-folder.ts";
import {
  completedOutcome,
  failedRecord,
  fetchedRecord,
  idempotencyRecord,
  jobRecord,
  NOW,
  quotaRecord,
  sentRecord,
  uploadRecord,
  webhookRecord,
} from "../../support/world/records.ts";

/** When files that were created at `NOW` are deleted, and their records. */
const FILES_GONE = NOW + FILE_RETENTION_MS + SIGNED_URL_SECONDS * 1_000;
const RECORDS_GONE = NOW + FILE_RETENTION_MS + RECORD_RETENTION_MS;

describe("retention on one machine", () => {
  let folder: TemporaryFolder;
  let database: Database;
  let files: FolderFiles;
  let retention: Retention;
  let uploads: LocalUploads;
  let jobs: LocalJobs;
  beforeEach(() => {
    folder = temporaryFolder();
    database = openDatabase(folder.path);
    files = folderFiles({
      folder: join(folder.path, "files"),
      baseUrl: () => "",
      secret: Buffer.alloc(32),
      clock: () => NOW,
    });
    retention = sqliteRetention(database);
    uploads = sqliteUploads(database);
    jobs = sqliteJobs(database);
  });
  afterEach(async () => {
    database.close();
    await folder.remove();
  });

  const uploaded = async (overrides: Partial<ReadyUpload> = {}): Promise<ReadyUpload> => {
    const upload = uploadRecord(overrides);
    await files.storeStream(upload.key, content(), 100);
    await uploads.createUpload(upload, quotaRecord(upload.accountId, 1_000));
    return upload;
  };
  const accepted = async (overrides: Partial<Job> = {}): Promise<Job> => {
    const job = jobRecord(overrides);
    await jobs.createJob(job, quotaRecord(job.accountId, 1_000));
    return job;
  };
  /** A job that was completed by its first attempt, with its result in the store. */
  const completed = async (now = NOW): Promise<Job> => {
    const job = await accepted();
    await jobs.claim(job.id, now);
    const outcome = completedOutcome(job.id, 1, now);
    await files.storeStream(outcome.result.key, content(), 100);
    await jobs.finish(job.id, 1, outcome, now);
    return { ...job, ...outcome };
  };
  const erase = (now: number, limit = 100) => eraseExpired(retention, files, { now, limit });
  const isStored = async (key = "") => (await files.fetch(key, "")) !== undefined;

  it("deletes an expired upload after its signed URLs expire, and keeps its record", async () => {
    const upload = await uploaded();
    expect(await erase(FILES_GONE - 1)).toBe(0);
    expect(await isStored(upload.key)).toBe(true);
    expect(await erase(FILES_GONE)).toBe(1);
    expect(await isStored(upload.key)).toBe(false);
    expect(await uploads.getUpload(upload.id)).toEqual(upload);
    expect(await erase(FILES_GONE)).toBe(0);
  });

  it("keeps the upload of an unfinished job until the job ends", async () => {
    const upload = await uploaded();
    const job = await accepted({ uploadId: upload.id });
    await jobs.claim(job.id, FILES_GONE);
    expect(await erase(FILES_GONE)).toBe(0);
    expect(await isStored(upload.key)).toBe(true);
    await jobs.finish(job.id, 1, failedRecord(false), FILES_GONE);
    expect(await erase(FILES_GONE)).toBe(1);
    expect(await isStored(upload.key)).toBe(false);
  });

  it("deletes an expired result, and its job is still found by its token", async () => {
    const [old, young] = [await completed(NOW), await completed(NOW + 1)];
    expect(await erase(FILES_GONE)).toBe(1);
    expect([await isStored(old.result?.key), await isStored(young.result?.key)]).toEqual([false, true]);
    expect((await jobs.findByToken(old.result?.token ?? ""))?.id).toBe(old.id);
    expect(await erase(FILES_GONE)).toBe(0);
  });

  it("works in batches, longest expired first", async () => {
    const added: string[] = [];
    for (let index = 0; index < 5; index += 1) {
      added.push((await uploaded({ expiresAt: NOW + FILE_RETENTION_MS - index })).key);
    }
    expect([await erase(FILES_GONE, 2), await Promise.all(added.map(isStored))]).toEqual([
      2,
      [true, true, true, false, false],
    ]);
    expect([await erase(FILES_GONE, 2), await erase(FILES_GONE, 2), await erase(FILES_GONE, 2)]).toEqual([2, 1, 0]);
  });

  it("repeats a deletion if the process ended before it was recorded", async () => {
    const upload = await uploaded();
    await files.remove([upload.key]);
    expect(await erase(FILES_GONE)).toBe(1);
    expect(await erase(FILES_GONE)).toBe(0);
  });

  it("deletes expired records, except those with an existing file or an unfinished job", async () => {
    const [upload, job, failed, waiting] = [await uploaded(), await completed(), await accepted(), await accepted()];
    await jobs.finish(failed.id, 0, failedRecord(true), NOW);
    expect(await retention.deleteRecords(RECORDS_GONE, 100)).toBe(1);
    expect(await jobs.getJob(failed.id)).toBeUndefined();
    await erase(FILES_GONE);
    expect(await retention.deleteRecords(NOW + RECORD_RETENTION_MS - 1, 100)).toBe(0);
    expect(await retention.deleteRecords(RECORDS_GONE, 100)).toBe(2);
    expect([await uploads.getUpload(upload.id), await jobs.getJob(job.id)]).toEqual([undefined, undefined]);
    expect(await jobs.getJob(waiting.id)).toEqual(waiting);
  });

  it("deletes records in batches", async () => {
    for (let index = 0; index < 5; index += 1) {
      const { id } = await accepted();
      await jobs.finish(id, 0, failedRecord(true), NOW);
    }
    const counts: number[] = [];
    for (let batch = 0; batch < 4; batch += 1) {
      counts.push(await retention.deleteRecords(RECORDS_GONE, 2));
    }
    expect(counts).toEqual([2, 2, 1, 0]);
  });

  it("deletes an idempotency record when it expires, and not before", async () => {
    const idempotency = idempotencyRecord({ expiresAt: NOW + 1_000 });
    const job = jobRecord();
    await jobs.createJob(job, quotaRecord(job.accountId, 5), idempotency);
    const count = database.prepare("SELECT count(*) AS count FROM idempotency");
    expect([await retention.deleteRecords(NOW + 999, 100), count.get()?.count]).toEqual([0, 1]);
    expect([await retention.deleteRecords(NOW + 1_000, 100), count.get()?.count]).toEqual([1, 0]);
  });

  it("deletes an incomplete upload with its received parts, and no worker processes it afterwards", async () => {
    const [parted, fetched] = [sentRecord(), fetchedRecord()];
    const transfer = await files.beginParts(parted.key);
    const upload = { ...parted, source: { ...parted.source, parts: { bytes: 50, transfer } } };
    await uploads.createUpload(upload, undefined);
    await uploads.createUpload(fetched, undefined);
    expect(uploads.due.tasksOf(fetched.accountId, NOW, 10)).toEqual([fetched.id]);
    expect(await erase(FILES_GONE - 1)).toBe(0);
    expect(await files.partsOf(upload.key, transfer)).toEqual([]);
    expect(await erase(FILES_GONE)).toBe(2);
    expect(await files.partsOf(upload.key, transfer)).toBeUndefined();
    expect(uploads.due.accountAfter("", NOW)).toBeUndefined();
  });

  it("keeps each upload of a merge until its job ends", async () => {
    const [first, second] = [await uploaded(), await uploaded()];
    const further = [{ uploadId: second.id, inputKey: second.key, inputBytes: 1 }];
    const job = await accepted({ uploadId: first.id, further });
    expect(await erase(FILES_GONE)).toBe(0);
    await jobs.finish(job.id, 0, failedRecord(false), FILES_GONE);
    expect(await erase(FILES_GONE)).toBe(2);
  });

  it("keeps the upload of an option until its job ends", async () => {
    const [first, second] = [await uploaded(), await uploaded()];
    const { id: uploadId, key: inputKey, format, filename } = second;
    const file = { uploadId, inputKey, inputBytes: 1, format, filename, option: "watermark_upload_id" } as const;
    const job = await accepted({ uploadId: first.id, optionFiles: [file] });
    expect(await erase(FILES_GONE)).toBe(0);
    await jobs.finish(job.id, 0, failedRecord(false), FILES_GONE);
    expect(await erase(FILES_GONE)).toBe(2);
  });

  it("deletes a result whose retention was shortened by its first download", async () => {
    const job = await completed();
    await jobs.expireResult(job.id, NOW + 1_000);
    const gone = NOW + 1_000 + SIGNED_URL_SECONDS * 1_000;
    expect([await erase(gone - 1), await isStored(job.result?.key)]).toEqual([0, true]);
    expect([await erase(gone), await isStored(job.result?.key)]).toEqual([1, false]);
  });

  it("deletes a webhook message record when it expires, and not before", async () => {
    const webhooks = sqliteWebhooks(database);
    const message = webhookRecord();
    await webhooks.create(message);
    expect(await retention.deleteRecords(NOW + RECORD_RETENTION_MS - 1, 100)).toBe(0);
    expect(await retention.deleteRecords(NOW + RECORD_RETENTION_MS, 100)).toBe(1);
    expect(await webhooks.get(message.id)).toBeUndefined();
  });

  it("deletes transfers without data for a day, all in one run", async () => {
    const upload = await uploaded();
    const [old, young] = [await files.beginParts("uploads/upl_old"), await files.beginParts("uploads/upl_young")];
    const now = FILES_GONE + 24 * 3_600_000;
    const dayBefore = (now - FILE_RETENTION_MS) / 1_000;
    utimesSync(join(folder.path, "files/parts", old), dayBefore - 1, dayBefore - 1);
    utimesSync(join(folder.path, "files/parts", young), dayBefore, dayBefore);
    await tidying({ clock: () => now, database, files, jobs, uploads })();
    expect(await files.partsOf("uploads/upl_old", old)).toBeUndefined();
    expect(await files.partsOf("uploads/upl_young", young)).toEqual([]);
    expect(await isStored(upload.key)).toBe(false);
  });

  it("deletes only files without a record and results of unfinished attempts", async () => {
    const [upload, done, running] = [await uploaded(), await completed(), await accepted()];
    await jobs.claim(running.id, NOW);
    const kept = [upload.key, done.result?.key ?? "", `results/${running.id}/1`];
    const orphans = ["uploads/upl_unknown", "results/job_unknown/1", `results/${done.id}/2`];
    for (const key of [kept[2] ?? "", ...orphans]) {
      await files.storeStream(key, content(), 100);
    }
    expect(await removeOrphans({ files, uploads, jobs }, Date.now() + 1_000)).toBe(3);
    expect(await Promise.all(kept.map(isStored))).toEqual([true, true, true]);
    expect(await Promise.all(orphans.map(isStored))).toEqual([false, false, false]);
  });

  it("deletes all results of a failed job", async () => {
    const job = await accepted();
    await files.storeStream(`results/${job.id}/1`, content(), 100);
    await jobs.finish(job.id, 0, failedRecord(true), NOW);
    expect(await removeOrphans({ files, uploads, jobs }, Date.now() + 1_000)).toBe(1);
  });

  it("keeps a recent file whose record may not be written yet", async () => {
    const path = join(folder.path, "files", "uploads", "upl_new");
    writeFileSync(path, "content");
    utimesSync(path, NOW / 1_000, NOW / 1_000);
    expect(await removeOrphans({ files, uploads, jobs }, NOW)).toBe(0);
    expect(await removeOrphans({ files, uploads, jobs }, NOW + 1)).toBe(1);
  });
});

const content = async function* (): AsyncGenerator<Uint8Array> {
  yield Buffer.from("content");
};
