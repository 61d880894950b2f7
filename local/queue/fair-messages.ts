import { type LaneId, laneIds, leaseSeconds } from "../../functions/domain/conversions/lanes.ts";
import type { Delivery } from "../sqlite/queue.ts";
import type { DispatcherSettings } from "./dispatcher.ts";
import type { SlotsHeld } from "./slots-held.ts";

/** Chooses which message gets the next slot. */
export interface FairMessages {
  /** Receives the next ready message. @returns undefined if there is none */
  next(): Delivery | undefined;
}

const NONE: ReadonlySet<string> = new Set();

/**
 * Slots go to the accounts that hold the fewest, and among those by the queue's turns. Turns alone only count messages:
 * an account with jobs of ten minutes would hold almost all slots against an account with jobs of ten milliseconds. The
 * lane that has waited longest comes first, so that a busy lane does not delay the others.
 */
export const fairMessages = (
  queue: Pick<DispatcherSettings["queue"], "receive" | "waiting">,
  { clock, held }: { readonly clock: () => number; readonly held: Pick<SlotsHeld, "byMoreThanLeast"> },
): FairMessages => {
  let lanes: readonly LaneId[] = laneIds;

  const firstOf = (except: ReadonlySet<string>): Delivery | undefined => {
    const now = clock();
    for (const lane of lanes.filter(queue.waiting.has)) {
      const delivery = queue.receive(lane, now, now + leaseSeconds(lane) * 1_000, except);
      if (delivery !== undefined) {
        lanes = [...lanes.filter((other) => other !== lane), lane];
        return delivery;
      }
    }
    return undefined;
  };

  return {
    next: () => {
      const excluded = held.byMoreThanLeast(queue.waiting.accounts());
      // A retried message can belong to an account that is not counted as waiting, so the second attempt excludes none.
      return firstOf(excluded) ?? (excluded.size > 0 ? firstOf(NONE) : undefined);
    },
  };
};
