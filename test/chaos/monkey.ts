import { setTimeout as pause } from "node:timers/promises";
import type { Random } from "../support/random.ts";
import type { Fault } from "./target.ts";

/** Causes faults until it is stopped. */
export interface Monkey {
  /** Allows this many more faults. */
  allow(troubles: number): void;
  /** How often each fault occurred. */
  readonly struck: ReadonlyMap<string, number>;
  /** Whether each fault occurred at least once. */
  hasDoneAll(): boolean;
  /** Resolves when the current fault has ended. */
  stop(): Promise<void>;
}

/** Milliseconds between two faults of one worker. */
const PAUSE_MS_MIN = 150;
const PAUSE_MS_RANGE = 900;

/** Two workers, so that faults overlap. */
const HANDS = 2;

/** How often a worker picks a fault that has not occurred yet, while there is one. */
const FRESH_SHARE = 0.9;

export const monkey = (faults: readonly Fault[], random: Random): Monkey => {
  const struck = new Map(faults.map(({ name }) => [name, 0]));
  const pot = faults.flatMap((fault) => Array.from({ length: fault.weight }, () => fault));
  const inHand = new Set<string>();
  let stopped = false;
  // Each may occur once before more are allowed.
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
