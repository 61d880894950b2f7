import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { KeyUses } from "../../../functions/domain/accounts/account-ports.ts";
import { keyRecord, NOW } from "../../support/world/records.ts";

export interface KeyUsesHarness {
  readonly keyUses: KeyUses;
  close(): Promise<void>;
}

const MINUTE_MS = 60_000;

/** The contract of every KeyUses. `make` returns an empty one; it is called before each test. */
export const keyUsesContract = (name: string, make: () => Promise<KeyUsesHarness>): void => {
  describe(`${name} as KeyUses`, () => {
    let harness: KeyUsesHarness;
    const { accountId, id } = keyRecord();
    beforeEach(async () => {
      harness = await make();
    });
    afterEach(() => harness.close());

    it("returns a key's last use to the minute, and undefined for an unused key", async () => {
      const { id: unused } = keyRecord();
      await harness.keyUses.note(accountId, id, NOW + 59_999);
      expect(await harness.keyUses.of(accountId, [id, unused])).toEqual(new Map([[id, NOW]]));
      await harness.keyUses.note(accountId, id, NOW + 5 * MINUTE_MS);
      expect(await harness.keyUses.of(accountId, [id])).toEqual(new Map([[id, NOW + 5 * MINUTE_MS]]));
      expect(await harness.keyUses.of(accountId, [])).toEqual(new Map());
    });

    it("never records an earlier time", async () => {
      await harness.keyUses.note(accountId, id, NOW);
      await harness.keyUses.note(accountId, id, NOW - MINUTE_MS);
      expect(await harness.keyUses.of(accountId, [id])).toEqual(new Map([[id, NOW]]));
    });

    it("returns the uses of one account's keys, each separately", async () => {
      const keys = Array.from({ length: 60 }, (_, index) => ({
        ...keyRecord({ accountId }),
        at: NOW + index * MINUTE_MS,
      }));
      for (const key of keys) {
        await harness.keyUses.note(accountId, key.id, key.at);
      }
      const { accountId: stranger, id: strange } = keyRecord();
      await harness.keyUses.note(stranger, strange, NOW);
      const ids = [...keys.map((key) => key.id), strange];
      expect(await harness.keyUses.of(accountId, ids)).toEqual(new Map(keys.map((key) => [key.id, key.at])));
      expect(await harness.keyUses.of(stranger, ids)).toEqual(new Map([[strange, NOW]]));
    });

    it("keeps the latest of 20 concurrent uses", async () => {
      const times = Array.from({ length: 20 }, (_, index) => NOW + index * MINUTE_MS);
      await Promise.all(times.toReversed().map((now) => harness.keyUses.note(accountId, id, now)));
      expect(await harness.keyUses.of(accountId, [id])).toEqual(new Map([[id, times.at(-1)]]));
    });
  });
};
