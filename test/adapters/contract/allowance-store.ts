import { randomBytes } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { AllowanceStore } from "../../../functions/domain/accounts/account-ports.ts";
import { NOW } from "../../support/world/records.ts";

export interface AllowanceStoreHarness {
  readonly allowances: AllowanceStore;
  close(): Promise<void>;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** The contract of every AllowanceStore. `make` returns an empty store; it is called before each test. */
export const allowanceStoreContract = (name: string, make: () => Promise<AllowanceStoreHarness>): void => {
  describe(`${name} as AllowanceStore`, () => {
    let harness: AllowanceStoreHarness;
    let subject: string;
    beforeEach(async () => {
      harness = await make();
      subject = randomBytes(32).toString("hex");
    });
    afterEach(() => harness.close());
    const take = (limit: number, windowMs: number, now = NOW, of = subject) =>
      harness.allowances.take(of, { limit, windowMs }, now);

    it("allows exactly 5 of 100 concurrent requests under an allowance of 5", async () => {
      const left = await Promise.all(Array.from({ length: 100 }, () => take(5, HOUR_MS)));
      expect(left.filter((count) => count >= 0).sort()).toEqual([0, 1, 2, 3, 4]);
      expect(await take(5, HOUR_MS)).toBe(-1);
    });

    it("restarts with each window", async () => {
      expect([await take(1, HOUR_MS), await take(1, HOUR_MS, NOW + HOUR_MS - 1)]).toEqual([0, -1]);
      expect(await take(1, HOUR_MS, NOW + HOUR_MS)).toBe(0);
    });

    it("counts each subject and each window length separately", async () => {
      expect([await take(1, HOUR_MS), await take(1, DAY_MS)]).toEqual([0, 0]);
      expect(await take(1, HOUR_MS, NOW, `${subject}0`)).toBe(0);
      // A day and an hour that end at the same moment are two windows.
      const evening = NOW + 11 * HOUR_MS;
      expect([await take(2, HOUR_MS, evening), await take(2, DAY_MS, evening)]).toEqual([1, 0]);
    });

    it("rejects everything under an allowance of 0", async () => {
      expect(await take(0, HOUR_MS)).toBe(-1);
    });

    it("continues counting after the limit is raised", async () => {
      expect([await take(1, HOUR_MS), await take(3, HOUR_MS), await take(1, HOUR_MS)]).toEqual([0, 1, -1]);
    });
  });
};
