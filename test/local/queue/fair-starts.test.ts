import { setImmediate as iteration } from "node:timers/promises";
import { expect, it } from "vitest";
import { fairStarts } from "../../../local/http/limits/fair-starts.ts";

/** Requests that note when they start. */
const requestsOf = () => {
  const starts = fairStarts();
  const log: string[] = [];
  const send = async (client: string): Promise<void> => {
    await starts.wait(client);
    log.push(client);
  };
  return { log, send };
};

it("a request starts at once while there are few", () => {
  const starts = fairStarts();
  expect([starts.wait("a"), starts.wait("a"), starts.wait("b")]).toEqual([undefined, undefined, undefined]);
});

it("a burst of one client delays a request of another one by a few requests only", async () => {
  const { log, send } = requestsOf();
  const flood = Promise.all(Array.from({ length: 1_000 }, () => send("203.0.113.9")));
  await iteration();
  await send("203.0.113.10");
  expect(log.length).toBeLessThan(20);
  await flood;
  expect(log).toHaveLength(1_001);
});

it("clients take turns, and the addresses of an IPv6 /48 are one client", async () => {
  const { log, send } = requestsOf();
  const all = Array.from({ length: 40 }, (_, index) => send(`2001:db8:0:${index.toString(16)}::1`));
  all.push(...Array.from({ length: 10 }, () => send("203.0.113.9")));
  await Promise.all(all);
  const lastOfSmall = log.lastIndexOf("203.0.113.9");
  expect(lastOfSmall).toBeLessThan(30);
});
