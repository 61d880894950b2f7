import { setTimeout as pause } from "node:timers/promises";
import type { Random } from "../support/random.ts";
import type { Fault } from "./target.ts";

/** Makes trouble until it is stopped. */
export interface Monkey {
  /** Gives it leave for so many more troubles. */
  allow(troubles: number): void;
  /** How often each fault struck. */
  readonly struck: ReadonlyMap<string, number>;
  /** Whether each fault struck at least once. */
  hasDoneAll(): boolean;
  /** Resolves when the trouble in hand has ended. */
  stop(): Promise<void>;
}

/** Milliseconds between two troubles of one hand. */
const PAUSE_MS_MIN = 150;
const PAUSE_MS_RANGE = 900;

/** With two hands, so that troubles meet. */
const HANDS = 2;

/** How often a hand reaches for what has not struck yet, as long as there is such a fault. */
const FRESH_SHARE = 0.9;

export const monkey = (faults: readonly Fault[], random: Random): Monkey => {
  const struck = new Map(faults.map(({ name }) => [name, 0]));
  const pot = faults.flatMap((fault) => Array.from({ length: fault.weight }, () => fault));
  const inHand = new Set<string>();
  let stopped = false;
  // Each may come once before it has leave for more.
  let allowed = faults.length;
  const next = (): Fault => {
    const fresh = faults.filter(({ name }) => struck.get(name) === 0 && !inHand.has(name));
    return random.pick(fresh.length > 0 && random.chance(FRESH_SHARE) ? fresh : pot);
  };
  const hand = async (): Promise<void> => {
    while (!stopped) {
      await pause(PAUSE_MS_MIN + random.below(PAUSE_MS_RANGE));
      if (stopped || allowed < 1) {
        continue;
      }
      const { name, strike } = next();
      inHand.add(name);
      allowed -= 1;
      if (await strike(random)) {
        struck.set(name, (struck.get(name) ?? 0) + 1);
      } else {
        allowed += 1;
      }
      inHand.delete(name);
    }
  };
  const hands = Promise.all(Array.from({ length: HANDS }, hand));
  return {
    struck,
    allow: (troubles) => {
      allowed += troubles;
    },
    hasDoneAll: () => !Array.from(struck.values()).includes(0),
    stop: async () => {
      stopped = true;
      await hands;
    },
  };
};
