import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { MessageOutcome } from "../../../functions/events/queue.ts";
import { type Dispatcher, dispatcher } from "../../../local/queue/dispatcher.ts";
import { type Database, openDatabase } from "../../../local/sqlite/database.ts";
import { sqliteQueue } from "../../../local/sqlite/queue.ts";
import { PATIENCE } from "../../support/patience.ts";
import { type TemporaryFolder, temporaryFolder } from "../../support/temporary-folder.ts";
import { NOW } from "../../support/world/records.ts";

/** Slots of conversions, which end before the outcome is recorded. */

const SLOTS = 2;
const FURTHER_SLOTS = 1;
const MESSAGES = 10;

let folder: TemporaryFolder;
let database: Database;
let work: Dispatcher;
/** The messages that are handled: each can end its conversion, and then itself. */
let handled: { readonly converted: () => void; readonly countAsBrief: () => void; readonly end: () => void }[];

beforeEach(async () => {
  folder = temporaryFolder();
  database = openDatabase(folder.path);
  handled = [];
  const queue = sqliteQueue(database, { receivesMax: 4 });
  work = dispatcher({
    queue,
    slots: SLOTS,
    furtherSlots: FURTHER_SLOTS,
    convert: (_, { free, countAsBrief }) =>
      new Promise<MessageOutcome>((resolve) =>
        handled.push({ converted: free, countAsBrief, end: () => resolve("done") }),
      ),
    fail: async () => "done",
    requeue: async () => {},
    clock: () => NOW,
    onError: (error) => expect.unreachable(String(error)),
  });
  for (let index = 0; index < MESSAGES; index += 1) {
    await queue.send("fast", { jobId: `job_${index}`, accountId: "acc_1" });
  }
});
afterEach(async () => {
  for (const { end } of handled) {
    end();
  }
  await work.drain(0);
  database.close();
  await folder.remove();
});

describe("a slot", () => {
  it("is free when the conversion has ended, before its outcome is recorded", () => {
    expect(handled).toHaveLength(SLOTS);
    handled[0]?.converted();
    expect(handled).toHaveLength(SLOTS + 1);
  });

  it("is freed once, also when the engine ran again, or the message ends", async () => {
    handled[0]?.converted();
    handled[0]?.converted();
    handled[0]?.end();
    await expect.poll(() => database.prepare("SELECT count(*) AS left FROM messages").get()?.left).toBe(MESSAGES - 1);
    expect(handled).toHaveLength(SLOTS + 1);
  });

  it("is lent to other work than messages as well, and further slots only to it", async () => {
    expect(handled).toHaveLength(SLOTS);
    expect(work.isFull()).toBe(false);
    const release = await work.slot("acc_2", 10);
    expect(release).toBeTypeOf("function");
    expect(work.isFull()).toBe(true);
    expect(await work.slot("acc_3", 10)).toBeUndefined();
    release?.();
    expect(handled).toHaveLength(SLOTS);
    handled[0]?.converted();
    expect(handled).toHaveLength(SLOTS + 1);
  });

  it("is free for the next message when its conversion is brief, which then has a further slot", () => {
    handled[0]?.countAsBrief();
    expect(handled).toHaveLength(SLOTS + 1);
    handled[1]?.countAsBrief();
    expect(handled).toHaveLength(SLOTS + FURTHER_SLOTS);
    handled[0]?.converted();
    handled[0]?.countAsBrief();
    expect(handled).toHaveLength(SLOTS + FURTHER_SLOTS + 1);
  });

  it("is lent to messages while other work holds the further slots", async () => {
    const [first, second] = [await work.slot("acc_2", 10), work.slot("acc_3", 1_000)];
    expect(first).toBeTypeOf("function");
    // They take turns.
    handled[0]?.converted();
    handled[1]?.converted();
    expect(await second).toBeTypeOf("function");
    expect(handled).toHaveLength(SLOTS + 1);
  });

  it("is not lent while as many outcomes as there are slots wait for the disk", async () => {
    const handledMax = 2 * SLOTS + FURTHER_SLOTS;
    for (let index = 0; index < handledMax; index += 1) {
      handled[index]?.converted();
    }
    expect(handled).toHaveLength(handledMax);
    handled[0]?.end();
    await vi.waitFor(() => expect(handled).toHaveLength(handledMax + 1), PATIENCE);
  });
});
