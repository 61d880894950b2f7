import { type LaneId, laneIds, leaseSeconds } from "../../functions/domain/conversions/lanes.ts";
import type { Delivery, LocalQueue } from "../sqlite/queue.ts";
import { slotsHeld } from "./slots-held.ts";

/** Chooses which message gets the next slot. */
export interface FairMessages {
  /** Takes the next message that is visible. @returns undefined when there is none */
  next(): Delivery | undefined;
  /** Notes that the account holds one more slot. @returns gives the slot back; call it once */
  hold(accountId: string): () => void;
}

const NOBODY: ReadonlySet<string> = new Set();

/**
 * Slots go to the accounts that hold the fewest, and among those by the queue's turns. Turns alone count messages: an
 * account with jobs of ten minutes would hold every slot most of the time against one with jobs of ten milliseconds.
 * The lane that has waited longest comes first, so that a busy lane does not hold up the others.
 */
export const fairMessages = (
  queue: Pick<LocalQueue, "nextVisibleAt" | "receive" | "waiting">,
  clock: () => number,
): FairMessages => {
  const held = slotsHeld();
  let lanes: readonly LaneId[] = laneIds;

  const receive = (lane: LaneId, except: ReadonlySet<string>): Delivery | undefined => {
    const now = clock();
    // A check is a read; taking is a write, which would be one too many for each lane that is empty.
    if ((queue.nextVisibleAt(lane) ?? Number.POSITIVE_INFINITY) > now) {
      return undefined;
    }
    return queue.receive(lane, now, now + leaseSeconds(lane) * 1_000, except);
  };

  const firstOf = (except: ReadonlySet<string>): Delivery | undefined => {
    for (const lane of lanes) {
      const delivery = receive(lane, except);
      if (delivery !== undefined) {
        lanes = [...lanes.filter((other) => other !== lane), lane];
        return delivery;
      }
    }
    return undefined;
  };

  return {
    next: () => {
      const later = held.byMoreThanLeast(queue.waiting.accounts());
      // A retried message may be of an account that is not counted as waiting, so the second round leaves nobody out.
      return firstOf(later) ?? (later.size > 0 ? firstOf(NOBODY) : undefined);
    },
    hold: held.take,
  };
};
