import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Database, openDatabase } from "../../../local/sqlite/database.ts";
import { type LocalQueue, sqliteQueue } from "../../../local/sqlite/queue.ts";
import { type TemporaryFolder, temporaryFolder } from "../../support/temporary-folder.ts";
import { NOW } from "../../support/world/records.ts";

const SHORT = 1_000;
const LONG = 10 * SHORT;
/** Longer than any test. */
const LEASE_MS = 60_000;
/** Tolerance for uncollected garbage. The IDs of the long queue alone would be 900 kB. */
const HEAP_NOISE_BYTES = 500_000;

setFlagsFromString("--expose-gc");
const collect: () => void = runInNewContext("gc");

let folder: TemporaryFolder;
let database: Database;
let queue: LocalQueue;
beforeEach(() => {
  folder = temporaryFolder();
  database = openDatabase(folder.path);
  queue = sqliteQueue(database, { receivesMax: 4 });
});
afterEach(async () => {
  database.close();
  await folder.remove();
});

const fill = async (jobs: number): Promise<void> => {
  const accounts = 10;
  for (let job = 0; job < jobs; job += 1) {
    await queue.send("fast", { jobId: `job_${job}_${"0".repeat(20)}`, accountId: `acc_${job % accounts}` });
  }
};
const heapBytes = (): number => {
  collect();
  return process.memoryUsage().heapUsed;
};
/** Receives and acknowledges all messages. @returns their number */
const drain = async (except?: ReadonlySet<string>): Promise<number> => {
  const acknowledged: Promise<boolean>[] = [];
  for (;;) {
    const delivery = queue.receive("fast", NOW, NOW + LEASE_MS, except);
    if (delivery === undefined) {
      return (await Promise.all(acknowledged)).filter(Boolean).length;
    }
    acknowledged.push(queue.acknowledge(delivery.messageId));
  }
};

describe("a queue of ten times the length", () => {
  it("uses no more memory", async () => {
    await fill(SHORT);
    const short = heapBytes();
    await fill(LONG - SHORT);
    expect(heapBytes() - short).toBeLessThan(HEAP_NOISE_BYTES);
    expect(queue.waiting.all()).toBe(LONG);
  });

  it("delivers every message once, and is empty afterwards", async () => {
    await fill(LONG);
    expect(await drain()).toBe(LONG);
    expect([queue.waiting.all(), queue.waiting.accounts().size]).toEqual([0, 0]);
    expect(database.prepare("SELECT count(*) AS rows FROM messages").get()).toEqual({ rows: 0 });
  });

  it("finds the next message by an index, independent of the queue length", () => {
    const searches = [
      "SELECT id, account_id FROM messages WHERE lane = ? AND state = 'ready' ORDER BY turn, id LIMIT 1",
      "SELECT id, turn FROM messages WHERE lane = ? AND account_id = ? AND state = 'ready' ORDER BY turn, id LIMIT 1",
      "SELECT 1 FROM messages WHERE lane = ? AND state = 'hidden' AND visible_at <= ? LIMIT 1",
      "SELECT max(turn) + 1 FROM messages WHERE lane = ? AND account_id = ?",
      "SELECT 1 FROM messages WHERE job_id = ? LIMIT 1",
      "SELECT body FROM jobs WHERE account_id = ? AND status = ? AND id < ? ORDER BY id DESC LIMIT ?",
      `SELECT body ->> 'accountId' FROM uploads WHERE waits = 1 AND body ->> 'accountId' > ?
        ORDER BY body ->> 'accountId' LIMIT 1`,
      "SELECT id FROM uploads WHERE waits = 1 AND body ->> 'accountId' = ? ORDER BY id LIMIT ?",
      `SELECT account_id, due_at FROM webhooks WHERE due_at IS NOT NULL AND account_id > ?
        ORDER BY account_id, due_at LIMIT 1`,
      "SELECT id FROM webhooks WHERE account_id = ? AND due_at <= ? ORDER BY due_at, id LIMIT ?",
    ];
    for (const search of searches) {
      const plan = database.prepare(`EXPLAIN QUERY PLAN ${search}`).all();
      const steps = plan.map(({ detail }) => String(detail));
      expect(steps, search).toEqual([expect.stringMatching(/^SEARCH \w+ USING (COVERING )?INDEX/)]);
    }
  });

  it("can deliver only the messages of some accounts", async () => {
    await fill(SHORT);
    const nine = new Set(Array.from({ length: 9 }, (_, index) => `acc_${index}`));
    expect(await drain(nine)).toBe(SHORT / 10);
    expect(await drain()).toBe((9 * SHORT) / 10);
  });
});

describe("a job that is queued for long", () => {
  it("gets no second message while it has one, and a new one if that is lost", async () => {
    const message = { jobId: "job_1", accountId: "acc_1" };
    await queue.send("fast", message);
    await queue.resend("fast", message);
    expect(queue.waiting.all()).toBe(1);
    const delivery = queue.receive("fast", NOW, NOW + LEASE_MS);
    await queue.resend("fast", message);
    expect(queue.waiting.all()).toBe(0);
    await queue.acknowledge(delivery?.messageId ?? "");
    await queue.resend("fast", message);
    expect(queue.waiting.all()).toBe(1);
  });
});
