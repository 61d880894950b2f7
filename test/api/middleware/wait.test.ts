import { describe, expect, it } from "vitest";
import { withinWaits } from "../../../functions/api/middleware/wait.ts";
import { memorySlots } from "../../../local/memory/slots.ts";
import { memoryStreams } from "../../../local/memory/streams.ts";

describe("requests that wait", () => {
  const record = { id: "job_a", accountId: "acc_a", isLatest: false };
  const waiting = (isLatest: Promise<boolean>, waitsMax = 1) => {
    const streams = memoryStreams();
    const slots = memorySlots({ wait: waitsMax });
    const wait = async () => ({ ...record, isLatest: await isLatest });
    return { streams, slots, answer: () => withinWaits({ slots, streams, clock: Date.now }, record, wait) };
  };
  const never = new Promise<boolean>(() => {});

  it("get the latest record", async () => {
    const { answer } = waiting(Promise.resolve(true));
    expect(await answer()).toEqual({ ...record, isLatest: true });
    expect(await answer()).toEqual({ ...record, isLatest: true });
  });

  it("get their record without a free slot", async () => {
    expect(await waiting(Promise.resolve(true), 0).answer()).toBe(record);
  });

  it("get their record when the service shuts down, and free their slot", async () => {
    const { answer, slots, streams } = waiting(never, 2);
    const answered = answer();
    streams.close();
    expect(await answered).toBe(record);
    expect(await answer()).toBe(record);
    const taken = [await slots.take("acc_a", "wait", 0), await slots.take("acc_a", "wait", 0)];
    expect(taken.map((slot) => typeof slot)).toEqual(["function", "function"]);
  });
});
