import { expect, it } from "vitest";
import { pendingSyncs } from "../../../local/files/pending-syncs.ts";

it("waits for all syncs that were added before, also for those that fail, which are reported", async () => {
  const errors: unknown[] = [];
  const pending = pendingSyncs((error) => errors.push(error));
  await pending.ended();
  const first = Promise.withResolvers<void>();
  const second = Promise.withResolvers<void>();
  const later = Promise.withResolvers<void>();
  const order: string[] = [];
  pending.add(first.promise);
  pending.add(second.promise);
  const ended = pending.ended().then(() => order.push("ended"));
  pending.add(later.promise);
  first.resolve();
  await new Promise((resolve) => setImmediate(resolve));
  expect(order).toEqual([]);
  second.reject(new Error("EIO"));
  await ended;
  expect([order, errors.map(String)]).toEqual([["ended"], ["Error: EIO"]]);
  later.resolve();
  await pending.ended();
});
