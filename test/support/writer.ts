import { createHash } from "node:crypto";
import { join } from "node:path";
import { folderFiles } from "../../local/files/folder-files.ts";
import { lockFolder } from "../../local/files/folder-lock.ts";
import { openDatabase } from "../../local/sqlite/database.ts";
import { sqliteJobs } from "../../local/sqlite/jobs.ts";
import { sqliteQueue } from "../../local/sqlite/queue.ts";
import { sqliteUploads } from "../../local/sqlite/uploads.ts";
import { completedOutcome, idempotencyRecord, jobRecord, NOW, quotaRecord, uploadRecord } from "./world/records.ts";

/**
 * A process that writes to a data folder as fast as it can until it is killed, and prints a line for each confirmed
 * write: `upload ID SHA256`, `job ID UPLOAD`, `finished ID`.
 *
 * node writer.ts FOLDER ACCOUNT
 */
const [folder = "", accountId = ""] = process.argv.slice(2);
lockFolder(folder);
const database = openDatabase(folder);
const [uploads, jobs] = [sqliteUploads(database), sqliteJobs(database)];
const queue = sqliteQueue(database, { receivesMax: 3 });
const files = folderFiles({
  folder: join(folder, "files"),
  baseUrl: () => "",
  secret: Buffer.alloc(32),
  clock: () => NOW,
});
const claim = quotaRecord(accountId, 1_000_000);

const done = (...words: string[]): void => {
  process.stdout.write(`${words.join(" ")}\n`);
};

const content = async function* (index: number): AsyncGenerator<Uint8Array> {
  for (let chunk = 0; chunk <= index % 8; chunk += 1) {
    yield Buffer.alloc(80_000, index + chunk);
  }
};

const writeOne = async (index: number): Promise<void> => {
  const upload = uploadRecord({ accountId });
  const stored = await files.storeStream(upload.key, content(index), 1_000_000);
  await uploads.createUpload({ ...upload, ...stored }, claim);
  done("upload", upload.id, stored.sha256);
  const job = jobRecord({ accountId, uploadId: upload.id });
  await jobs.createJob(job, claim, idempotencyRecord({ key: createHash("sha256").update(job.id).digest("hex") }));
  done("job", job.id, upload.id);
  await queue.send("fast", { jobId: job.id, accountId });
  if (index % 2 === 0) {
    await jobs.claim(job.id, NOW);
    await jobs.finish(job.id, 1, completedOutcome(job.id, 1), NOW);
    done("finished", job.id);
  }
};

/** Far more than is written before the process is killed, or the test times out. */
const WRITES_MAX = 100_000;

for (let index = 0; index < WRITES_MAX; index += 4) {
  await Promise.all([0, 1, 2, 3].map((offset) => writeOne(index + offset)));
}
