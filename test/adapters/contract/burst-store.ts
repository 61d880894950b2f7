import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { BurstStore } from "../../../functions/domain/ports.ts";
import { accountRecord, NOW } from "../../support/world/records.ts";

export interface BurstStoreHarness {
  readonly bursts: BurstStore;
  close(): Promise<void>;
}

/** The contract of every BurstStore. `make` returns an empty store; it is called before each test. */
export const burstStoreContract = (name: string, make: () => Promise<BurstStoreHarness>): void => {
  describe(`${name} as BurstStore`, () => {
    let harness: BurstStoreHarness;
    beforeEach(async () => {
      harness = await make();
    });
    afterEach(() => harness.close());

    it("allows as many requests per second as the limit, and returns the remaining number", async () => {
      const { id } = accountRecord();
      expect(await harness.bursts.take(id, NOW, 2)).toBe(1);
      expect(await harness.bursts.take(id, NOW + 999, 2)).toBe(0);
      expect(await harness.bursts.take(id, NOW + 999, 2)).toBe(-1);
    });

    it("restarts with the next second", async () => {
      const { id } = accountRecord();
      await harness.bursts.take(id, NOW, 1);
      expect(await harness.bursts.take(id, NOW, 1)).toBe(-1);
      expect(await harness.bursts.take(id, NOW + 1_000, 1)).toBe(0);
    });

    it("does not restart when a request of an earlier second comes late", async () => {
      const { id } = accountRecord();
      expect(await harness.bursts.take(id, NOW + 1_000, 1)).toBe(0);
      await harness.bursts.take(id, NOW, 1);
      expect(await harness.bursts.take(id, NOW + 1_000, 1)).toBe(-1);
    });

    it("restarts when the clock was set back", async () => {
      const { id } = accountRecord();
      expect(await harness.bursts.take(id, NOW, 1)).toBe(0);
      expect(await harness.bursts.take(id, NOW - 3_600_000, 1)).toBe(0);
    });

    it("counts each account separately", async () => {
      expect(await harness.bursts.take(accountRecord().id, NOW, 1)).toBe(0);
      expect(await harness.bursts.take(accountRecord().id, NOW, 1)).toBe(0);
    });

    it("allows exactly 20 of 60 concurrent requests under a limit of 20", async () => {
      const { id } = accountRecord();
      const left = await Promise.all(Array.from({ length: 60 }, () => harness.bursts.take(id, NOW, 20)));
      expect(left.filter((count) => count >= 0)).toHaveLength(20);
    });
  });
};
