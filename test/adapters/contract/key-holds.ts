import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { KeyHolds } from "../../../functions/domain/ports.ts";
import { idempotencyRecord, NOW } from "../../support/world/records.ts";

export interface KeyHoldsHarness {
  readonly holds: KeyHolds;
  close(): Promise<void>;
}

/**
 * The contract of every KeyHolds.
 *
 * @param make returns an empty one; it is called before each test
 * @param lapsesAfterMs milliseconds after which a hold expires; undefined: it ends with the process that holds it
 */
export const keyHoldsContract = (name: string, make: () => Promise<KeyHoldsHarness>, lapsesAfterMs?: number): void => {
  describe(`${name} as KeyHolds`, () => {
    let harness: KeyHoldsHarness;
    let key: string;
    beforeEach(async () => {
      harness = await make();
      ({ key } = idempotencyRecord());
    });
    afterEach(() => harness.close());

    it("gives a key to one of 20 concurrent requests, and other keys to others", async () => {
      const requests = Array.from({ length: 20 }, (_, index) => `request-${index}`);
      const held = await Promise.all(requests.map((request) => harness.holds.hold(key, request, NOW)));
      expect(held.filter(Boolean)).toHaveLength(1);
      expect(await harness.holds.hold(idempotencyRecord().key, "another", NOW)).toBe(true);
    });

    it("gives a key again after it is released", async () => {
      expect(await harness.holds.hold(key, "first", NOW)).toBe(true);
      expect(await harness.holds.hold(key, "second", NOW)).toBe(false);
      await harness.holds.release(key, "first");
      expect(await harness.holds.hold(key, "second", NOW)).toBe(true);
    });

    it("releases a key only for the request that holds it; releasing a free key is not an error", async () => {
      await harness.holds.release(key, "first");
      await harness.holds.hold(key, "first", NOW);
      await harness.holds.release(key, "second");
      expect(await harness.holds.hold(key, "second", NOW)).toBe(false);
    });

    if (lapsesAfterMs !== undefined) {
      it("releases a key whose request never released it", async () => {
        await harness.holds.hold(key, "first", NOW);
        expect(await harness.holds.hold(key, "second", NOW + lapsesAfterMs - 1)).toBe(false);
        expect(await harness.holds.hold(key, "second", NOW + lapsesAfterMs)).toBe(true);
      });
    }
  });
};
