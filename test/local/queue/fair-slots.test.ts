import { describe, expect, it } from "vitest";
import { type FairSlots, fairSlots } from "../../../local/queue/fair-slots.ts";
import { seeded } from "../../support/random.ts";

const SLOTS = 100;

/** Takes as many slots as the party gets. */
const fill = (slots: FairSlots, party: string): (() => void)[] => {
  const taken: (() => void)[] = [];
  for (let next = slots.take(party); next !== undefined; next = slots.take(party)) {
    taken.push(next);
  }
  return taken;
};

describe("fair slots", () => {
  it("give a party that wants all slots half of them, and keep the other half for others", () => {
    const slots = fairSlots(SLOTS);
    expect(fill(slots, "flood")).toHaveLength(SLOTS / 2);
    expect(fill(slots, "second")).toHaveLength(SLOTS / 4);
  });

  it("always give one to a party that holds none, while any is free", () => {
    const slots = fairSlots(SLOTS);
    for (const party of ["a", "b", "c", "d", "e"]) {
      expect(fill(slots, party).length).toBeGreaterThan(0);
    }
  });

  it("never exceed their number, in any order of taking and releasing", () => {
    const random = seeded(7);
    const slots = fairSlots(SLOTS);
    const taken: (() => void)[] = [];
    for (let step = 0; step < 20_000; step += 1) {
      const party = `p${random.below(150)}`;
      const release = random.chance(0.6) ? slots.take(party) : undefined;
      if (release !== undefined) {
        taken.push(release);
      } else if (taken.length > 0 && random.chance(0.5)) {
        taken.splice(random.below(taken.length), 1)[0]?.();
      }
      expect(taken.length).toBeLessThanOrEqual(SLOTS);
    }
    for (const release of taken) {
      release();
    }
    expect(fill(slots, "again")).toHaveLength(SLOTS / 2);
  });

  it("are released once, even by repeated calls", () => {
    const slots = fairSlots(2);
    const release = slots.take("a");
    release?.();
    release?.();
    slots.take("a");
    expect(slots.heldBy("a")).toBe(1);
    expect(slots.take("a")).toBeUndefined();
  });

  it("count slots that a party holds elsewhere", () => {
    const slots = fairSlots(10, { all: () => 6, heldBy: (party) => (party === "a" ? 6 : 0) });
    expect(slots.take("a")).toBeUndefined();
    expect(fill(slots, "b")).toHaveLength(2);
  });

  it("can be a single slot", () => {
    const slots = fairSlots(1);
    const release = slots.take("a");
    expect(slots.take("b")).toBeUndefined();
    release?.();
    expect(slots.take("b")).toBeDefined();
  });
});
