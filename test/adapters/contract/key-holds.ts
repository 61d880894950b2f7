import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { KeyHolds } from "../../../functions/domain/ports.ts";
import { idempotencyRecord, NOW } from "../../support/records.ts";

export interface KeyHoldsHarness {
  readonly holds: KeyHolds;
  /** Milliseconds after which a hold ends by itself; undefined: it ends with the process that holds. */
  readonly lapsesAfterMs?: number;
  close(): Promise<void>;
}

/** What all KeyHolds promise. `make` gives empty ones; it is called before each test. */
export const keyHoldsContract = (name: string, make: () => Promise<KeyHoldsHarness>): void => {
  describe(`${name} as KeyHolds`, () => {
    let harness: KeyHoldsHarness;
    let key: string;
    beforeEach(async () => {
      harness = await make();
      ({ key } = idempotencyRecord());
    });
    afterEach(() => harness.close());

    it("hold a key for one request of 20 at once, and other keys for others", async () => {
      const requests = Array.from({ length: 20 }, (_, index) => `request-${index}`);
      const held = await Promise.all(requests.map((request) => harness.holds.hold(key, request, NOW)));
      expect(held.filter(Boolean)).toHaveLength(1);
      expect(await harness.holds.hold(idempotencyRecord().key, "another", NOW)).toBe(true);
    });

    it("hold a key again when it was released", async () => {
      expect(await harness.holds.hold(key, "first", NOW)).toBe(true);
      expect(await harness.holds.hold(key, "second", NOW)).toBe(false);
      await harness.holds.release(key, "first");
      expect(await harness.holds.hold(key, "second", NOW)).toBe(true);
    });

    it("release a key for none but the request that holds it, and what is not held is no error", async () => {
      await harness.holds.release(key, "first");
      await harness.holds.hold(key, "first", NOW);
      await harness.holds.release(key, "second");
      expect(await harness.holds.hold(key, "second", NOW)).toBe(false);
    });

    it("let go of a key whose request never did", async (context) => {
      const { lapsesAfterMs } = harness;
      if (lapsesAfterMs === undefined) {
        context.skip("It ends with the process.");
        return;
      }
      await harness.holds.hold(key, "first", NOW);
      expect(await harness.holds.hold(key, "second", NOW + lapsesAfterMs - 1)).toBe(false);
      expect(await harness.holds.hold(key, "second", NOW + lapsesAfterMs)).toBe(true);
    });
  });
};
