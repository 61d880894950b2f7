import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { UNLIMITED_REQUESTS } from "../../../functions/domain/accounts/plans.ts";
import type { QuotaClaim } from "../../../functions/domain/accounts/quotas.ts";
import type { QuotaStore } from "../../../functions/domain/ports.ts";
import { accountRecord, keyRecord, quotaRecord } from "../../support/world/records.ts";

export interface QuotaStoreHarness {
  readonly quotas: QuotaStore;
  close(): Promise<void>;
}

/** The contract of every QuotaStore. `make` returns an empty store; it is called before each test. */
export const quotaStoreContract = (name: string, make: () => Promise<QuotaStoreHarness>): void => {
  describe(`${name} as QuotaStore`, () => {
    let harness: QuotaStoreHarness;
    beforeEach(async () => {
      harness = await make();
    });
    afterEach(() => harness.close());

    it("counts requests up to the limit and rejects further ones", async () => {
      const claim = quotaRecord(accountRecord().id, 2);
      expect(await harness.quotas.take(claim)).toBe(true);
      expect(await harness.quotas.take(claim)).toBe(true);
      expect(await harness.quotas.take(claim)).toBe(false);
      expect(await harness.quotas.used(claim.accountId, claim.month)).toBe(2);
    });

    it("allows exactly 100 of 400 concurrent requests under a limit of 100", async () => {
      const claim = quotaRecord(accountRecord().id, 100);
      const taken = await Promise.all(Array.from({ length: 400 }, () => harness.quotas.take(claim)));
      expect(taken.filter(Boolean)).toHaveLength(100);
      expect(await harness.quotas.used(claim.accountId, claim.month)).toBe(100);
    });

    it("counts the requests of an unlimited account, one by one and several at once, and refuses none", async () => {
      const claim = quotaRecord(accountRecord().id, UNLIMITED_REQUESTS);
      const taken = await Promise.all(Array.from({ length: 40 }, () => harness.quotas.take(claim)));
      expect([taken.every(Boolean), await harness.quotas.take({ ...claim, count: 20 })]).toEqual([true, true]);
      expect(await harness.quotas.used(claim.accountId, claim.month)).toBe(60);
      // The plan becomes a small one in the same month, and unlimited again.
      expect(await harness.quotas.take({ ...claim, limit: 60 })).toBe(false);
      expect(await harness.quotas.take(claim)).toBe(true);
    });

    it("counts nothing under a limit of 0", async () => {
      const claim = quotaRecord(accountRecord().id, 0);
      expect(await harness.quotas.take(claim)).toBe(false);
      expect(await harness.quotas.used(claim.accountId, claim.month)).toBe(0);
    });

    it("continues counting after the limit is raised, and stops after it is lowered", async () => {
      const claim = quotaRecord(accountRecord().id, 1);
      await harness.quotas.take(claim);
      expect(await harness.quotas.take({ ...claim, limit: 3 })).toBe(true);
      expect(await harness.quotas.take(claim)).toBe(false);
      expect(await harness.quotas.used(claim.accountId, claim.month)).toBe(2);
    });

    it("counts on when a small quota becomes large, and stops when it is small again", async () => {
      const claim = quotaRecord(accountRecord().id, 5);
      const take = (limit: number, count: number) =>
        Promise.all(Array.from({ length: count }, () => harness.quotas.take({ ...claim, limit })));
      expect(await take(5, 3)).toEqual([true, true, true]);
      expect(await take(1_000_000, 40)).not.toContain(false);
      expect(await take(43, 1)).toEqual([false]);
      expect((await take(45, 4)).filter(Boolean)).toHaveLength(2);
      expect(await take(1_000_000, 3)).not.toContain(false);
      const { used, days } = await harness.quotas.useOf(claim.accountId, claim.month);
      expect([used, days]).toEqual([48, new Map([[claim.day, { convert: 48 }]])]);
      expect(await harness.quotas.used(claim.accountId, claim.month)).toBe(48);
    });

    it("counts several requests together, or none of them", async () => {
      const claim = { ...quotaRecord(accountRecord().id, 5), count: 3 };
      expect(await harness.quotas.take({ ...claim, limit: 2 })).toBe(false);
      expect(await harness.quotas.take(claim)).toBe(true);
      expect(await harness.quotas.take(claim)).toBe(false);
      expect(await harness.quotas.take({ ...claim, count: 2 })).toBe(true);
      const { used, days } = await harness.quotas.useOf(claim.accountId, claim.month);
      expect([used, days]).toEqual([5, new Map([[claim.day, { convert: 5 }]])]);
    });

    it("counts several requests to the last one of a large quota, together with single ones", async () => {
      const claim = quotaRecord(accountRecord().id, 10_000);
      await harness.quotas.addMonth(claim.accountId, claim.month, { used: 9_900, days: new Map() });
      const single = await Promise.all(Array.from({ length: 20 }, () => harness.quotas.take(claim)));
      expect(single).not.toContain(false);
      for (let round = 0; round < 8; round += 1) {
        expect(await harness.quotas.take({ ...claim, count: 10 })).toBe(true);
      }
      expect(await harness.quotas.take({ ...claim, count: 2 })).toBe(false);
      expect(await harness.quotas.take(claim)).toBe(false);
      expect(await harness.quotas.used(claim.accountId, claim.month)).toBe(10_000);
    });

    it("counts a key with its account to the limit of the key, and both or neither", async () => {
      const claim = { ...quotaRecord(accountRecord().id, 10), key: { id: keyRecord().id, limit: 3 } };
      const usedBy = () => harness.quotas.usedByKeys(claim.accountId, claim.month, [claim.key.id, "key_other"]);
      expect(await usedBy()).toEqual(new Map());
      const taken = await Promise.all(Array.from({ length: 12 }, () => harness.quotas.take(claim)));
      expect(taken.filter(Boolean)).toHaveLength(3);
      expect(await harness.quotas.used(claim.accountId, claim.month)).toBe(3);
      expect(await usedBy()).toEqual(new Map([[claim.key.id, 3]]));
      const higher = { ...claim, key: { ...claim.key, limit: 100 } };
      expect(await harness.quotas.take({ ...higher, count: 8 })).toBe(false);
      expect(await harness.quotas.take({ ...higher, count: 7 })).toBe(true);
      expect(await harness.quotas.take(higher)).toBe(false);
      expect(await usedBy()).toEqual(new Map([[claim.key.id, 10]]));
      expect(await harness.quotas.take({ ...claim, month: "2026-12" })).toBe(true);
      const { used, days } = await harness.quotas.useOf(claim.accountId, claim.month);
      expect([used, days]).toEqual([10, new Map([[claim.day, { convert: 10 }]])]);
    });

    it("counts a key with the shards of a large quota", async () => {
      const claim = { ...quotaRecord(accountRecord().id, 1_000_000), key: { id: keyRecord().id, limit: 5 } };
      const taken = [];
      for (let request = 0; request < 7; request += 1) {
        taken.push(await harness.quotas.take(claim));
      }
      expect(taken).toEqual([true, true, true, true, true, false, false]);
      expect(await harness.quotas.used(claim.accountId, claim.month)).toBe(5);
    });

    it("counts each account and each month separately", async () => {
      const claim = quotaRecord(accountRecord().id, 1, "2026-11");
      await harness.quotas.take(claim);
      expect(await harness.quotas.take({ ...claim, month: "2026-12" })).toBe(true);
      expect(await harness.quotas.take({ ...claim, accountId: accountRecord().id })).toBe(true);
      expect(await harness.quotas.used(claim.accountId, "2026-11")).toBe(1);
    });

    it("reports no usage for an account without requests", async () => {
      const { id } = accountRecord();
      expect(await harness.quotas.used(id, "2026-11")).toBe(0);
      expect(await harness.quotas.useOf(id, "2026-11")).toEqual({ used: 0, days: new Map() });
    });

    it("reports the requests of each day by kind, without rejected ones", async () => {
      const claim = quotaRecord(accountRecord().id, 6);
      const asked: Partial<QuotaClaim>[] = [
        { day: 1, kind: "upload" },
        { day: 1, kind: "upload" },
        { day: 1, kind: "convert" },
        { day: 9, kind: "download" },
        { day: 31, kind: "convert" },
        { month: "2026-12", day: 1, kind: "convert" },
      ];
      for (const change of asked) {
        expect(await harness.quotas.take({ ...claim, ...change })).toBe(true);
      }
      expect(await harness.quotas.take({ ...claim, limit: 5 })).toBe(false);
      expect(await harness.quotas.useOf(claim.accountId, "2026-11")).toEqual({
        used: 5,
        days: new Map([
          [1, { upload: 2, convert: 1 }],
          [9, { download: 1 }],
          [31, { convert: 1 }],
        ]),
      });
    });

    it("adds the usage of a month from another deployment once, and counts on from there", async () => {
      const claim = quotaRecord(accountRecord().id, 9);
      const days = new Map([
        [1, { upload: 4, convert: 3, failed: 1 }],
        [20, { convert: 1 }],
      ]);
      expect(await harness.quotas.addMonth(claim.accountId, claim.month, { used: 7, days })).toBe(true);
      expect(await harness.quotas.useOf(claim.accountId, claim.month)).toEqual({ used: 7, days });
      expect(await harness.quotas.addMonth(claim.accountId, claim.month, { used: 1, days })).toBe(false);
      expect([await harness.quotas.take(claim), await harness.quotas.take(claim)]).toEqual([true, true]);
      expect(await harness.quotas.take(claim)).toBe(false);
      expect(await harness.quotas.take({ ...claim, limit: 1_000_000 })).toBe(true);
      expect(await harness.quotas.used(claim.accountId, claim.month)).toBe(10);
    });

    it("counts 100 concurrent requests on their day", async () => {
      const claim = quotaRecord(accountRecord().id, 100);
      await Promise.all(Array.from({ length: 120 }, () => harness.quotas.take(claim)));
      const { used, days } = await harness.quotas.useOf(claim.accountId, claim.month);
      expect([used, days]).toEqual([100, new Map([[claim.day, { convert: 100 }]])]);
    });
  });
};
