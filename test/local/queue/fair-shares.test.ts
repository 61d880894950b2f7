import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type LaneId, laneIds } from "../../../functions/domain/conversions/lanes.ts";
import type { JobMessage } from "../../../functions/domain/ports.ts";
import type { MessageOutcome } from "../../../functions/events/queue.ts";
import { type Dispatcher, dispatcher } from "../../../local/queue/dispatcher.ts";
import { type Database, openDatabase } from "../../../local/sqlite/database.ts";
import { type LocalQueue, sqliteQueue } from "../../../local/sqlite/queue.ts";
import { type TemporaryFolder, temporaryFolder } from "../../support/temporary-folder.ts";
import { NOW } from "../../support/world/records.ts";

const SLOTS = 2;

/** A job that occupies a slot until the test ends it. */
interface Running {
  readonly message: JobMessage;
  end(outcome?: MessageOutcome): Promise<void>;
}

let folder: TemporaryFolder;
let database: Database;
let queue: LocalQueue;
let work: Dispatcher;
/** The running jobs, in the order in which they started. */
let running: Running[];
/** The accounts of all jobs that started. */
let began: string[];

/** Event loop turns until the next job starts after one has ended. */
const TURNS = 10;
const settle = async (): Promise<void> => {
  for (let turn = 0; turn < TURNS; turn += 1) {
    await new Promise((resolve) => setImmediate(resolve));
  }
};

const hold = (message: JobMessage): Promise<MessageOutcome> => {
  began.push(message.accountId);
  return new Promise((resolve) => {
    const own: Running = {
      message,
      end: async (outcome = "done") => {
        running = running.filter((other) => other !== own);
        resolve(outcome);
        await settle();
      },
    };
    running.push(own);
  });
};

beforeEach(() => {
  folder = temporaryFolder();
  database = openDatabase(folder.path);
  queue = sqliteQueue(database, { receivesMax: 4 });
  [running, began] = [[], []];
  work = dispatcher({
    queue,
    slots: SLOTS,
    convert: hold,
    fail: hold,
    requeue: async () => {},
    clock: () => NOW,
    onError: (error) => expect.unreachable(String(error)),
  });
});
afterEach(async () => {
  await work.drain(0);
  database.close();
  await folder.remove();
});

const send = async (accountId: string, jobs: number, lane: LaneId = "fast"): Promise<void> => {
  for (let job = 0; job < jobs; job += 1) {
    await queue.send(lane, { jobId: `${accountId}-${lane}-${job}`, accountId });
  }
};
const holders = (): string[] => running.map(({ message }) => message.accountId);
const runningOf = (accountId: string): Running => {
  const own = running.find(({ message }) => message.accountId === accountId);
  if (own === undefined) {
    throw new Error(`Nothing of ${accountId} is running: ${holders()}`);
  }
  return own;
};

describe("an account that arrives while another floods the queue", () => {
  it("gets the next free slot, after the end of one job", async () => {
    await send("flood", 500);
    expect(holders()).toEqual(["flood", "flood"]);
    await send("other", 1);
    await runningOf("flood").end();
    expect(holders().sort()).toEqual(["flood", "other"]);
  });

  it("keeps a slot while it has jobs, however long the flood's jobs take", async () => {
    await send("flood", 500);
    await send("other", 100);
    await runningOf("flood").end();
    for (let job = 0; job < 100; job += 1) {
      expect(holders().sort()).toEqual(["flood", "other"]);
      await runningOf("other").end();
    }
    expect(holders()).toEqual(["flood", "flood"]);
    expect(began.filter((account) => account === "other")).toHaveLength(100);
  });

  it("does not wait longer if the flood is in all lanes and its job is in the last lane checked", async () => {
    for (const flooded of laneIds) {
      await send("flood", 50, flooded);
    }
    for (const lane of laneIds) {
      await send("other", 1, lane);
    }
    await runningOf("flood").end();
    for (const _ of laneIds) {
      await runningOf("other").end();
    }
    expect(began.filter((account) => account === "other")).toHaveLength(laneIds.length);
  });

  it("does not wait longer if jobs of the flood are retried", async () => {
    await send("flood", 50);
    await send("other", 1);
    await runningOf("flood").end("retry");
    expect(holders()).toContain("other");
  });

  it("shares the slots with a third account in turn", async () => {
    await send("flood", 500);
    await send("second", 20);
    await send("third", 20);
    await runningOf("flood").end();
    for (let job = 0; job < 40; job += 1) {
      const next = running.find(({ message }) => message.accountId !== "flood");
      await next?.end();
    }
    const others = began.filter((account) => account !== "flood");
    expect(others.slice(0, 20).filter((account) => account === "second")).toHaveLength(10);
    expect(others).toHaveLength(40);
  });
});

describe("a single account", () => {
  it("has all slots", async () => {
    await send("flood", 10);
    for (let job = 0; job < 9; job += 1) {
      expect(holders().length).toBe(SLOTS);
      await running[0]?.end();
    }
    await running[0]?.end();
    expect(began).toHaveLength(10);
    await expect.poll(() => queue.nextVisibleAt("fast")).toBeUndefined();
  });

  it("is served if another process queued its messages without a notification", async () => {
    const other = sqliteQueue(database, { receivesMax: 4 });
    await other.send("fast", { jobId: "job_1", accountId: "acc_quiet" });
    await send("flood", 1);
    expect(holders().sort()).toEqual(["acc_quiet", "flood"]);
  });
});
