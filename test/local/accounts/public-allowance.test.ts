import { expect, it } from "vitest";
import { publicAllowance } from "../../../local/http/limits/public-allowance.ts";

const allowanceWith = (perMinute: number) => {
  const clock = { now: 1_000_000 };
  const { take } = publicAllowance({ perMinute, clock: () => clock.now });
  const takeMany = (address: string, count: number) => Array.from({ length: count }, () => take(address));
  return { clock, take, takeMany };
};

it("a network can send its requests of a minute at once, and then one for each part of a minute", () => {
  const { clock, take, takeMany } = allowanceWith(60);
  expect(new Set(takeMany("203.0.113.9", 60))).toEqual(new Set([0]));
  expect(take("203.0.113.9")).toBe(1);
  expect(take("203.0.113.10")).toBe(0);
  clock.now += 1_000;
  expect(takeMany("203.0.113.9", 2)).toEqual([0, 1]);
  clock.now += 3_600_000;
  expect(takeMany("203.0.113.9", 61).filter((seconds) => seconds === 0)).toHaveLength(60);
});

it("the owner of an IPv6 /48 has 16 times the requests of one /64, and not 65,536 times", () => {
  const { take, takeMany } = allowanceWith(10);
  expect(takeMany("2001:db8::1", 11).filter((seconds) => seconds === 0)).toHaveLength(10);
  let accepted = 0;
  for (let network = 0; network < 4_096; network += 1) {
    accepted += take(`2001:db8:0:${(network * 16).toString(16)}::1`) === 0 ? 1 : 0;
  }
  expect(accepted).toBe(16 * 10 - 10);
  expect(take("2001:db8:1::1")).toBe(0);
});

it("a clock that was set back does not block a network", () => {
  const { clock, takeMany } = allowanceWith(10);
  clock.now -= 3_600_000;
  expect(new Set(takeMany("203.0.113.9", 10))).toEqual(new Set([0]));
});
