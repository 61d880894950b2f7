import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { dispatcher } from "../../../local/queue/dispatcher.ts";
import { type Database, openDatabase } from "../../../local/sqlite/database.ts";
import { type Delivery, type LocalQueue, sqliteQueue } from "../../../local/sqlite/queue.ts";
import { jobQueueContract } from "../../adapters/contract/job-queue.ts";
import { PATIENCE } from "../../support/patience.ts";
import { type TemporaryFolder, temporaryFolder } from "../../support/temporary-folder.ts";
import { NOW } from "../../support/world/records.ts";

const VISIBILITY_MS = 60_000;
const RECEIVES_MAX = 3;

jobQueueContract("SQLite", async () => {
  const folder = temporaryFolder();
  const database = openDatabase(folder.path);
  const queue = sqliteQueue(database, { receivesMax: RECEIVES_MAX });
  let now = NOW;
  /** More than any contract test creates. */
  const deadLettersMax = 10;
  return {
    queue,
    receivesMax: RECEIVES_MAX,
    receive: async () => {
      const delivery = queue.receive("fast", now, now + VISIBILITY_MS);
      return delivery && { ...delivery, handle: delivery.messageId };
    },
    acknowledge: async (handle) => {
      await queue.acknowledge(handle);
    },
    returnNow: async (handle) => {
      await queue.retryAt(handle, now);
    },
    lapse: async () => {
      now += VISIBILITY_MS + 1;
    },
    deadLetters: async () =>
      Array.from({ length: deadLettersMax }, () => queue.receiveDead("fast", now)).flatMap(
        (dead) => dead?.message ?? [],
      ),
    close: async () => {
      database.close();
      await folder.remove();
    },
  };
});

describe("the queue of one machine", () => {
  let folder: TemporaryFolder;
  let database: Database;
  let queue: LocalQueue;
  const sent: string[] = [];
  beforeEach(() => {
    folder = temporaryFolder();
    database = openDatabase(folder.path);
    sent.length = 0;
    queue = sqliteQueue(database, { receivesMax: RECEIVES_MAX });
    queue.onSend((lane) => sent.push(lane));
  });
  afterEach(async () => {
    database.close();
    await folder.remove();
  });

  const send = (jobId: string, accountId: string) => queue.send("fast", { jobId, accountId });
  const receive = (now = NOW) => queue.receive("fast", now, now + VISIBILITY_MS);
  const taken = (now = NOW): Delivery => {
    const delivery = receive(now);
    if (delivery === undefined) {
      throw new Error("No message is visible.");
    }
    return delivery;
  };

  it("finds the messages that another process has sent, and counts those that it has received", async () => {
    const elsewhere = openDatabase(folder.path);
    const other = sqliteQueue(elsewhere, { receivesMax: RECEIVES_MAX });
    await send("job_a", "acc_a");
    await other.send("fast", { jobId: "job_b", accountId: "acc_b" });
    queue.sentElsewhere("fast");
    expect([queue.waiting.all(), queue.waiting.of("acc_b"), sent]).toEqual([2, 1, ["fast", "fast"]]);
    other.recount();
    expect(other.waiting.all()).toBe(2);
    taken();
    other.recount();
    expect([other.waiting.all(), other.waiting.of("acc_a")]).toEqual([1, 0]);
    elsewhere.close();
  });

  it("delays an account by at most one of another account's thousand messages", async () => {
    for (let index = 0; index < 1_000; index += 1) {
      await send(`flood-${index}`, "acc_flood");
    }
    for (const wanted of ["single-1", "single-2", "single-3"]) {
      taken();
      await send(wanted, "acc_single");
      const next = [taken(), taken()].map(({ message }) => message.jobId);
      expect(next).toContain(wanted);
    }
  });

  it("serves accounts in turn, each in its own order", async () => {
    for (const account of ["a", "b", "c"]) {
      for (const index of [1, 2, 3]) {
        await send(`${account}${index}`, `acc_${account}`);
      }
    }
    const order = Array.from({ length: 9 }, () => taken().message.jobId);
    expect(order).toEqual(["a1", "b1", "c1", "a2", "b2", "c2", "a3", "b3", "c3"]);
  });

  it("gives a previously idle account no more than its turn", async () => {
    for (let index = 0; index < 20; index += 1) {
      await send(`busy-${index}`, "acc_busy");
    }
    for (let index = 0; index < 10; index += 1) {
      await queue.acknowledge(taken().messageId);
    }
    for (let index = 0; index < 10; index += 1) {
      await send(`idle-${index}`, "acc_idle");
    }
    const next = Array.from({ length: 10 }, () => taken().message.accountId);
    expect(next.filter((account) => account === "acc_busy").length).toBeGreaterThanOrEqual(4);
  });

  it("delivers a message that another process sent to an idle lane", async () => {
    const other = openDatabase(folder.path);
    const delivered: string[] = [];
    const work = dispatcher({
      queue,
      clock: Date.now,
      slots: 1,
      convert: async ({ jobId }) => {
        delivered.push(jobId);
        return "done";
      },
      fail: async () => "done",
      requeue: async () => {},
      onError: (error) => {
        throw error;
      },
    });
    await sqliteQueue(other, { receivesMax: RECEIVES_MAX }).send("fast", { jobId: "job_other", accountId: "acc_a" });
    other.close();
    await vi.waitFor(() => expect(delivered).toEqual(["job_other"]), PATIENCE);
    await work.drain(10_000);
  });

  it("reports when the next message becomes visible: now, at a time, never", async () => {
    expect(queue.nextVisibleAt("fast")).toBeUndefined();
    await send("job_1", "acc_a");
    expect(queue.nextVisibleAt("fast")).toBe(0);
    const { messageId } = taken();
    expect(queue.nextVisibleAt("fast")).toBe(NOW + VISIBILITY_MS);
    await queue.retryAt(messageId, NOW + 500);
    expect(queue.nextVisibleAt("fast")).toBe(NOW + 500);
    expect(receive(NOW + 499)).toBeUndefined();
    await queue.acknowledge(taken(NOW + 500).messageId);
    expect(queue.nextVisibleAt("fast")).toBeUndefined();
  });

  it("wakes its dispatcher when a message can be received", async () => {
    const received: unknown[] = [];
    const waking = sqliteQueue(database, { receivesMax: RECEIVES_MAX });
    waking.onSend((lane) => received.push(waking.receive(lane, NOW, NOW + 1)?.message.jobId));
    await waking.send("fast", { jobId: "job_1", accountId: "acc_a" });
    await waking.send("fast", { jobId: "job_2", accountId: "acc_a" });
    expect(received).toEqual(["job_1", "job_2"]);
  });

  it("prevents an expired delivery from ending or delaying the next one", async () => {
    await send("job_1", "acc_a");
    const first = taken();
    const second = taken(NOW + VISIBILITY_MS);
    expect(await queue.acknowledge(first.messageId)).toBe(false);
    expect(await queue.retryAt(first.messageId, NOW)).toBe(false);
    expect(receive(NOW + VISIBILITY_MS + 1)).toBeUndefined();
    expect(await queue.acknowledge(second.messageId)).toBe(true);
    expect(await queue.acknowledge(second.messageId)).toBe(false);
    expect(await queue.acknowledge("nonsense")).toBe(false);
  });

  it("hides a received dead letter for a minute, and deletes it when it is acknowledged", async () => {
    await send("job_1", "acc_a");
    const dead = NOW + RECEIVES_MAX * VISIBILITY_MS;
    for (let now = NOW; now < dead; now += VISIBILITY_MS) {
      taken(now);
    }
    expect(queue.receiveDead("fast", dead - 1)).toBeUndefined();
    expect(queue.receiveDead("fast", dead)?.message.jobId).toBe("job_1");
    expect(queue.receiveDead("fast", dead + 59_999)).toBeUndefined();
    const again = queue.receiveDead("fast", dead + 60_000);
    expect(await queue.acknowledge(again?.messageId ?? "")).toBe(true);
    expect(queue.receiveDead("fast", dead + 600_000)).toBeUndefined();
    expect(receive(dead + 600_000)).toBeUndefined();
  });

  it("makes in-flight messages visible after a restart", async () => {
    await send("job_1", "acc_a");
    await send("job_2", "acc_b");
    taken();
    taken();
    database.close();
    database = openDatabase(folder.path);
    queue = sqliteQueue(database, { receivesMax: RECEIVES_MAX });
    expect(receive()).toBeUndefined();
    expect(queue.reviveAll()).toBe(2);
    expect([taken(), taken()].map(({ receiveCount }) => receiveCount)).toEqual([2, 2]);
  });
});
