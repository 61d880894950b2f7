import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as pause } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { JobMessage } from "../../../functions/domain/ports.ts";
import type { MessageOutcome } from "../../../functions/events/queue.ts";
import { type Dispatcher, dispatcher } from "../../../local/queue/dispatcher.ts";
import { type Database, openDatabase } from "../../../local/sqlite/database.ts";
import { sqliteJobs } from "../../../local/sqlite/jobs.ts";
import { sqliteQueue } from "../../../local/sqlite/queue.ts";
import { PATIENCE } from "../../support/patience.ts";
import { type TemporaryFolder, temporaryFolder } from "../../support/temporary-folder.ts";
import { completedOutcome, jobRecord, NOW } from "../../support/world/records.ts";

/** Outages while jobs are converted: their outcomes are kept, and no others are started. */

const SLOTS = 2;
const JOBS = 6;

let folder: TemporaryFolder;
let database: Database;
let jobs: ReturnType<typeof sqliteJobs>;
let work: Dispatcher;
let ids: readonly string[];
/** Ends the running conversions, in the order in which they started. */
let ending: (() => void)[];
let started: string[];
let errors: unknown[];

/** Converts by waiting for the test. */
const convert = async ({ jobId }: JobMessage): Promise<MessageOutcome> => {
  const job = await jobs.claim(jobId, NOW);
  if (job === undefined) {
    return "done";
  }
  started.push(jobId);
  await new Promise<void>((resolve) => ending.push(resolve));
  await jobs.finish(job.id, job.attempt, completedOutcome(job.id, job.attempt), NOW);
  return "done";
};

beforeEach(async () => {
  folder = temporaryFolder();
  database = openDatabase(folder.path);
  jobs = sqliteJobs(database);
  const queue = sqliteQueue(database, { receivesMax: 4 });
  [started, ending, errors] = [[], [], []];
  const records = Array.from({ length: JOBS }, () => jobRecord());
  ids = records.map(({ id }) => id);
  for (const record of records) {
    await jobs.createJob(record, undefined);
  }
  work = dispatcher({
    queue,
    slots: SLOTS,
    convert,
    fail: async () => "done",
    requeue: async () => {},
    clock: () => NOW,
    onError: (error) => errors.push(error),
  });
  for (const { id, accountId } of records) {
    await queue.send("fast", { jobId: id, accountId });
  }
  await vi.waitFor(() => expect(started).toHaveLength(SLOTS), PATIENCE);
});
afterEach(async () => {
  await work.drain(0);
  database.close();
  await folder.remove();
});

const statuses = () => Promise.all(ids.map(async (id) => (await jobs.getJob(id))?.status));
const attempts = () => Promise.all(ids.map(async (id) => (await jobs.getJob(id))?.attempt));
const endAll = (): void => {
  for (const end of ending.splice(0)) {
    end();
  }
};

describe.each<[string, () => () => void]>([
  [
    "a disk that cannot be written to",
    () => {
      database.prepare("PRAGMA query_only = ON").run();
      return () => void database.prepare("PRAGMA query_only = OFF").run();
    },
  ],
  [
    "a database that another process locks",
    () => {
      const other = new DatabaseSync(join(folder.path, "anyform.db"));
      other.exec("BEGIN IMMEDIATE");
      return () => other.close();
    },
  ],
])("with %s", (_, begin) => {
  it("outcomes are written when it ends, no job starts meanwhile, and the queue then continues at once", async () => {
    const end = begin();
    endAll();
    // The dispatcher polls every second.
    await pause(1_500);
    expect(started).toHaveLength(SLOTS);
    expect((await statuses()).filter((status) => status === "processing")).toHaveLength(SLOTS);
    expect(database.isStalled()).toBe(true);
    end();
    await vi.waitFor(async () => {
      endAll();
      expect(new Set(await statuses())).toEqual(new Set(["completed"]));
    }, PATIENCE);
    expect(await attempts()).toEqual(ids.map(() => 1));
    expect(database.isStalled()).toBe(false);
    expect(errors).toEqual([]);
  });
});

it("a claim waits for another process without blocking this one", async () => {
  const waiting = jobRecord();
  await jobs.createJob(waiting, undefined);
  const other = new DatabaseSync(join(folder.path, "anyform.db"));
  other.exec("BEGIN IMMEDIATE");
  const claimed = jobs.claim(waiting.id, NOW);
  // Only this process can release the lock, so a blocking wait would time out.
  await pause(50);
  other.exec("COMMIT");
  other.close();
  expect(await claimed).toMatchObject({ id: waiting.id, attempt: 1 });
});
