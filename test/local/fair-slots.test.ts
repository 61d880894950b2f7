import { describe, expect, it } from "vitest";
import { type FairSlots, fairSlots } from "../../local/queue/fair-slots.ts";
import { seeded } from "../support/random.ts";

const PLACES = 100;

/** Takes as many slots as the party gets. */
const fill = (places: FairSlots, party: string): (() => void)[] => {
  const taken: (() => void)[] = [];
  for (let next = places.take(party); next !== undefined; next = places.take(party)) {
    taken.push(next);
  }
  return taken;
};

describe("fair slots", () => {
  it("give a party that wants all slots half of them, and keep the other half for others", () => {
    const places = fairSlots(PLACES);
    expect(fill(places, "flood")).toHaveLength(PLACES / 2);
    expect(fill(places, "second")).toHaveLength(PLACES / 4);
  });

  it("always give one to a party that holds none, while any is free", () => {
    const places = fairSlots(PLACES);
    for (const party of ["a", "b", "c", "d", "e"]) {
      expect(fill(places, party).length).toBeGreaterThan(0);
    }
  });

  it("never exceed their number, in any order of taking and releasing", () => {
    const random = seeded(7);
    const places = fairSlots(PLACES);
    const taken: (() => void)[] = [];
    for (let step = 0; step < 20_000; step += 1) {
      const party = `p${random.below(150)}`;
      const giveBack = random.chance(0.6) ? places.take(party) : undefined;
      if (giveBack !== undefined) {
        taken.push(giveBack);
      } else if (taken.length > 0 && random.chance(0.5)) {
        taken.splice(random.below(taken.length), 1)[0]?.();
      }
      expect(taken.length).toBeLessThanOrEqual(PLACES);
    }
    for (const giveBack of taken) {
      giveBack();
    }
    expect(fill(places, "again")).toHaveLength(PLACES / 2);
  });

  it("are released once, even by repeated calls", () => {
    const places = fairSlots(2);
    const giveBack = places.take("a");
    giveBack?.();
    giveBack?.();
    places.take("a");
    expect(places.heldBy("a")).toBe(1);
    expect(places.take("a")).toBeUndefined();
  });

  it("count slots that a party holds elsewhere", () => {
    const places = fairSlots(10, { all: () => 6, heldBy: (party) => (party === "a" ? 6 : 0) });
    expect(places.take("a")).toBeUndefined();
    expect(fill(places, "b")).toHaveLength(2);
  });

  it("can be a single slot", () => {
    const places = fairSlots(1);
    const giveBack = places.take("a");
    expect(places.take("b")).toBeUndefined();
    giveBack?.();
    expect(places.take("b")).toBeDefined();
  });
});
