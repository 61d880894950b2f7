import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { QuotaStore } from "../../../functions/domain/ports.ts";
import { accountRecord, quotaRecord } from "../../support/records.ts";

export interface QuotaStoreHarness {
  readonly quotas: QuotaStore;
  close(): Promise<void>;
}

/** What every QuotaStore promises. `make` gives an empty store; it is called before each test. */
export const quotaStoreContract = (name: string, make: () => Promise<QuotaStoreHarness>): void => {
  describe(`${name} as QuotaStore`, () => {
    let harness: QuotaStoreHarness;
    beforeEach(async () => {
      harness = await make();
    });
    afterEach(() => harness.close());

    it("counts requests up to the limit and refuses those beyond it", async () => {
      const claim = quotaRecord(accountRecord().id, 2);
      expect(await harness.quotas.take(claim)).toBe(true);
      expect(await harness.quotas.take(claim)).toBe(true);
      expect(await harness.quotas.take(claim)).toBe(false);
      expect(await harness.quotas.used(claim.accountId, claim.month)).toBe(2);
    });

    it("lets exactly 100 of 400 requests at once through a limit of 100", async () => {
      const claim = quotaRecord(accountRecord().id, 100);
      const taken = await Promise.all(Array.from({ length: 400 }, () => harness.quotas.take(claim)));
      expect(taken.filter(Boolean)).toHaveLength(100);
      expect(await harness.quotas.used(claim.accountId, claim.month)).toBe(100);
    });

    it("counts nothing under a limit of 0", async () => {
      const claim = quotaRecord(accountRecord().id, 0);
      expect(await harness.quotas.take(claim)).toBe(false);
      expect(await harness.quotas.used(claim.accountId, claim.month)).toBe(0);
    });

    it("counts on when the limit was raised, and stops when it was lowered", async () => {
      const claim = quotaRecord(accountRecord().id, 1);
      await harness.quotas.take(claim);
      expect(await harness.quotas.take({ ...claim, limit: 3 })).toBe(true);
      expect(await harness.quotas.take(claim)).toBe(false);
      expect(await harness.quotas.used(claim.accountId, claim.month)).toBe(2);
    });

    it("counts each account and each month apart", async () => {
      const claim = quotaRecord(accountRecord().id, 1, "2026-11");
      await harness.quotas.take(claim);
      expect(await harness.quotas.take({ ...claim, month: "2026-12" })).toBe(true);
      expect(await harness.quotas.take({ ...claim, accountId: accountRecord().id })).toBe(true);
      expect(await harness.quotas.used(claim.accountId, "2026-11")).toBe(1);
    });

    it("has no use for an account that made no request", async () => {
      expect(await harness.quotas.used(accountRecord().id, "2026-11")).toBe(0);
    });
  });
};
