import { setTimeout as pause } from "node:timers/promises";
import type { Random } from "../support/random.ts";
import type { Fault } from "./target.ts";

/** Makes trouble until it is stopped. */
export interface Monkey {
  /** How often each fault struck. */
  readonly struck: ReadonlyMap<string, number>;
  /** Resolves when the trouble in hand has ended. */
  stop(): Promise<void>;
}

/** Milliseconds between two troubles of one hand. */
const PAUSE_MS_MIN = 150;
const PAUSE_MS_RANGE = 900;

/** With two hands, so that troubles meet. */
const HANDS = 2;

export const monkey = (faults: readonly Fault[], random: Random): Monkey => {
  const struck = new Map(faults.map(({ name }) => [name, 0]));
  const pot = faults.flatMap((fault) => Array.from({ length: fault.weight }, () => fault));
  let stopped = false;
  const hand = async (): Promise<void> => {
    while (!stopped) {
      await pause(PAUSE_MS_MIN + random.below(PAUSE_MS_RANGE));
      const { name, strike } = random.pick(pot);
      if (!stopped && (await strike(random))) {
        struck.set(name, (struck.get(name) ?? 0) + 1);
      }
    }
  };
  const hands = Promise.all(Array.from({ length: HANDS }, hand));
  return {
    struck,
    stop: async () => {
      stopped = true;
      await hands;
    },
  };
};
