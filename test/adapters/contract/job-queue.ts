import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { JobMessage, JobQueue } from "../../../functions/domain/ports.ts";
import { jobRecord } from "../../support/world/records.ts";

export interface ReceivedMessage {
  /** The parameter of `acknowledge` and `returnNow`. */
  readonly handle: string;
  readonly message: JobMessage;
  /** 1 for the first delivery. */
  readonly receiveCount: number;
}

export interface JobQueueHarness {
  readonly queue: JobQueue;
  /** Deliveries of a fast-lane message before it becomes a dead letter. */
  readonly receivesMax: number;
  /** Receives from the fast lane. Undefined: no message is visible (a harness may wait a moment to be sure). */
  receive(): Promise<ReceivedMessage | undefined>;
  acknowledge(handle: string): Promise<void>;
  /** Makes a message that is in flight visible immediately. */
  returnNow(handle: string): Promise<void>;
  /** Lets the visibility timeout of all messages in flight expire: advances the clock, or waits. */
  lapse(): Promise<void>;
  /** The dead letters of the fast lane. */
  deadLetters(): Promise<readonly JobMessage[]>;
  close(): Promise<void>;
}

/** The contract of every JobQueue. `make` returns an empty queue; it is called before each test. */
export const jobQueueContract = (name: string, make: () => Promise<JobQueueHarness>): void => {
  describe(`${name} as JobQueue`, () => {
    let harness: JobQueueHarness;
    beforeEach(async () => {
      harness = await make();
    });
    afterEach(() => harness.close());

    describeDelivery(() => harness);
    describeRedelivery(() => harness);
  });
};

const describeDelivery = (harness: () => JobQueueHarness): void => {
  it("delivers a message as it was sent, with receive count 1", async () => {
    const message = messageOf();
    await harness().queue.send("fast", message);
    const received = await harness().receive();
    expect(received).toMatchObject({ receiveCount: 1 });
    expect(received?.message).toEqual(message);
  });

  it("delivers nothing from an empty queue", async () => {
    expect(await harness().receive()).toBeUndefined();
  });

  it("delivers every message of several accounts at least once", async () => {
    const accounts = [jobRecord().accountId, jobRecord().accountId, jobRecord().accountId];
    const sent = accounts.flatMap((accountId) => Array.from({ length: 5 }, () => messageOf(accountId)));
    await Promise.all(sent.map((message) => harness().queue.send("fast", message)));
    const seen = new Set<string>();
    for (let left = 2 * sent.length; left > 0 && seen.size < sent.length; left -= 1) {
      const received = await harness().receive();
      if (received !== undefined) {
        seen.add(received.message.jobId);
        await harness().acknowledge(received.handle);
      }
    }
    expect([...seen].sort()).toEqual(sent.map(({ jobId }) => jobId).sort());
  });

  it("delivers two messages of the same job separately", async () => {
    const message = messageOf();
    await harness().queue.send("fast", message);
    await harness().queue.send("fast", message);
    const [first, second] = [await harness().receive(), await harness().receive()];
    expect([first?.message, second?.message]).toEqual([message, message]);
  });
};

const describeRedelivery = (harness: () => JobQueueHarness): void => {
  it("hides a message in flight, and redelivers it if it is not acknowledged in time", async () => {
    const message = messageOf();
    await harness().queue.send("fast", message);
    await harness().receive();
    expect(await harness().receive()).toBeUndefined();
    await harness().lapse();
    expect(await harness().receive()).toMatchObject({ message, receiveCount: 2 });
  });

  it("never redelivers an acknowledged message", async () => {
    await harness().queue.send("fast", messageOf());
    const received = await harness().receive();
    await harness().acknowledge(received?.handle ?? "");
    await harness().lapse();
    expect(await harness().receive()).toBeUndefined();
    expect(await harness().deadLetters()).toEqual([]);
  });

  it("redelivers a returned message without waiting for the visibility timeout", async () => {
    const message = messageOf();
    await harness().queue.send("fast", message);
    const received = await harness().receive();
    await harness().returnNow(received?.handle ?? "");
    expect(await harness().receive()).toMatchObject({ message, receiveCount: 2 });
  });

  it("moves a message to the dead letters after the maximum number of deliveries", async () => {
    const message = messageOf();
    await harness().queue.send("fast", message);
    for (let count = 1; count <= harness().receivesMax; count += 1) {
      expect(await harness().receive()).toMatchObject({ message, receiveCount: count });
      await harness().lapse();
    }
    expect(await harness().receive()).toBeUndefined();
    expect(await harness().deadLetters()).toEqual([message]);
  });
};

/** A message arrives with the lane that it was sent to. */
const messageOf = (accountId: string = jobRecord().accountId): JobMessage => ({
  jobId: jobRecord().id,
  accountId,
  lane: "fast",
});
