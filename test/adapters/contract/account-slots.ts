import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { AccountSlots, SlotKind } from "../../../functions/domain/task-ports.ts";
import { accountRecord, NOW } from "../../support/world/records.ts";

export interface AccountSlotsHarness {
  readonly slots: AccountSlots;
  readonly kind: SlotKind;
  /** Slots of this kind per account. */
  readonly max: number;
  close(): Promise<void>;
}

/** The contract of every AccountSlots. `make` returns one without taken slots; it is called before each test. */
export const accountSlotsContract = (name: string, make: () => Promise<AccountSlotsHarness>): void => {
  describe(`${name} as AccountSlots`, () => {
    let harness: AccountSlotsHarness;
    let accountId: string;
    beforeEach(async () => {
      harness = await make();
      accountId = accountRecord().id;
    });
    afterEach(() => harness.close());
    const takeAll = () =>
      Promise.all(Array.from({ length: 3 * harness.max }, () => harness.slots.take(accountId, harness.kind, NOW)));

    it("gives an account exactly the limit of concurrent slots, and other accounts theirs", async () => {
      expect((await takeAll()).filter((release) => release !== undefined)).toHaveLength(harness.max);
      expect(await harness.slots.take(accountRecord().id, harness.kind, NOW)).toBeDefined();
    });

    it("gives a slot again after it is released", async () => {
      const [first] = (await takeAll()).filter((release) => release !== undefined);
      await first?.();
      expect(await harness.slots.take(accountId, harness.kind, NOW)).toBeDefined();
      expect(await harness.slots.take(accountId, harness.kind, NOW)).toBeUndefined();
    });
  });
};
