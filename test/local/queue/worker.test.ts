import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type LocalTasks, localTasks } from "../../../local/queue/tasks.ts";
import { type Worker, worker } from "../../../local/queue/worker.ts";
import { type Database, openDatabase } from "../../../local/sqlite/database.ts";
import { type LocalUploads, sqliteUploads } from "../../../local/sqlite/uploads.ts";
import { sqliteWebhooks } from "../../../local/sqlite/webhooks.ts";
import { type TemporaryFolder, temporaryFolder } from "../../support/temporary-folder.ts";
import { fetchedRecord, NOW, sentRecord, webhookRecord } from "../../support/world/records.ts";

/** The worker with real tables. The test decides when its tasks end. */
describe("the worker of one machine", () => {
  let folder: TemporaryFolder;
  let database: Database;
  let uploads: LocalUploads;
  let webhooks: ReturnType<typeof sqliteWebhooks>;
  let tasks: LocalTasks;
  let started: string[];
  let end: Map<string, (error?: Error) => void>;
  let errors: unknown[];
  let failed: string[];
  let running: Worker[];
  beforeEach(() => {
    folder = temporaryFolder();
    database = openDatabase(folder.path);
    [uploads, webhooks, tasks] = [sqliteUploads(database), sqliteWebhooks(database), localTasks()];
    [started, end, errors, failed, running] = [[], new Map(), [], [], []];
  });
  afterEach(async () => {
    for (const finish of end.values()) {
      finish();
    }
    await Promise.all(running.map((one) => one.drain(1_000)));
    database.close();
    await folder.remove();
  });

  const task = (id: string): Promise<void> => {
    started.push(id);
    return new Promise((resolve, reject) => end.set(id, (error) => (error === undefined ? resolve() : reject(error))));
  };
  const start = (): Worker => {
    const stores = { uploads, webhooks, tasks, clock: () => NOW };
    const made = worker(stores, {
      importUpload: task,
      failUpload: async (id) => {
        failed.push(id);
        await uploads.settle(id, { status: "failed", error: { code: "fetch_failed", detail: "It failed." } });
      },
      deliver: task,
      onError: (error) => errors.push(error),
    });
    running.push(made);
    return made;
  };
  const waiting = async (count: number): Promise<string[]> => {
    const records = Array.from({ length: count }, fetchedRecord);
    for (const record of records) {
      await uploads.createUpload(record, undefined);
    }
    return records.map(({ id }) => id);
  };

  it("processes pending tasks at startup: files to download, received files, due messages", async () => {
    const [fetched = ""] = await waiting(1);
    const [sent, unsent] = [sentRecord(), sentRecord()];
    await uploads.createUpload(sent, undefined);
    await uploads.createUpload(unsent, undefined);
    await uploads.markSent(sent.id, NOW);
    const [due, later] = [webhookRecord(), webhookRecord({ dueAt: NOW + 1 })];
    await webhooks.create(due);
    await webhooks.create(later);
    start().wake();
    await expect.poll(() => [...started].sort()).toEqual([due.id, fetched, sent.id].sort());
  });

  it("starts a task immediately, without waiting for its next poll", async () => {
    start();
    const [id = ""] = await waiting(1);
    expect(started).toEqual([]);
    await tasks.importUpload({ id, accountId: "acc_1" });
    expect(started).toEqual([id]);
  });

  it("fails an upload after four failed attempts, and does not retry it", async () => {
    const [id = ""] = await waiting(1);
    const one = start();
    for (let attempt = 1; attempt <= 4; attempt += 1) {
      one.wake();
      await expect.poll(() => started.length).toBe(attempt);
      expect(failed).toEqual([]);
      end.get(id)?.(new Error(`attempt ${attempt}`));
      await expect.poll(() => errors.length).toBe(attempt);
    }
    expect(failed).toEqual([id]);
    one.wake();
    expect(uploads.due.accountAfter("", NOW)).toBeUndefined();
    expect(started).toHaveLength(4);
  });

  it("finds a task by polling if nothing wakes it", async () => {
    start();
    const [id] = await waiting(1);
    await expect.poll(() => started).toEqual([id]);
  });

  it("downloads sixteen files of different accounts concurrently, none twice, and the next when one ends", async () => {
    const ids = await waiting(20);
    const one = start();
    for (let wakes = 0; wakes < 5; wakes += 1) {
      one.wake();
    }
    await expect.poll(() => started.length).toBe(16);
    expect(new Set(started).size).toBe(16);
    const [first = ""] = started;
    await uploads.settle(first, { status: "failed", error: { code: "empty", detail: "It is empty." } });
    end.get(first)?.();
    await expect.poll(() => started.length).toBe(17);
    expect(ids).toEqual(expect.arrayContaining(started));
  });

  it("delivers webhooks while all download slots are busy", async () => {
    await waiting(16);
    const one = start();
    one.wake();
    await expect.poll(() => started.length).toBe(16);
    const message = webhookRecord();
    await webhooks.create(message);
    one.wake();
    await expect.poll(() => started).toContain(message.id);
  });

  it("limits an account whose server never responds to half of the slots", async () => {
    const own = (accountId: string) => ({ ...fetchedRecord(), accountId });
    const slow = Array.from({ length: 40 }, () => own("acc_slow"));
    for (const record of slow) {
      await uploads.createUpload(record, undefined);
    }
    const one = start();
    one.wake();
    await expect.poll(() => started.length).toBe(8);
    const other = own("acc_other");
    await uploads.createUpload(other, undefined);
    one.wake();
    expect(started.at(-1)).toBe(other.id);
  });

  it("delivers webhooks of accounts in turn, without waiting for receivers that never respond", async () => {
    const own = (accountId: string) => webhookRecord({ accountId });
    const later = webhookRecord({ accountId: "acc_later", dueAt: NOW + 1 });
    const dead = Array.from({ length: 40 }, () => own("acc_dead"));
    const messages = [...dead, own("acc_live"), own("acc_live"), later];
    for (const message of messages) {
      await webhooks.create(message);
    }
    start().wake();
    const accountOf = (id: string) => messages.find((message) => message.id === id)?.accountId;
    expect(started.slice(0, 4).map(accountOf)).toEqual(["acc_dead", "acc_live", "acc_dead", "acc_live"]);
    expect(started.map(accountOf)).not.toContain("acc_later");
  });

  it("reports a failed task, and retries it", async () => {
    const [id = ""] = await waiting(1);
    start().wake();
    await expect.poll(() => started).toEqual([id]);
    end.get(id)?.(new Error("The disk is full."));
    await expect.poll(() => started).toEqual([id, id]);
    expect(errors).toEqual([new Error("The disk is full.")]);
  });

  it("starts no task while draining, and waits for running tasks up to a limit", async () => {
    const [id = ""] = await waiting(1);
    const one = start();
    one.wake();
    await expect.poll(() => started).toEqual([id]);
    await one.drain(10);
    await waiting(1);
    one.wake();
    const drained = one.drain(60_000);
    end.get(id)?.();
    await drained;
    expect(started).toEqual([id]);
  });
});
