import { type LaneId, laneIds, leaseSeconds } from "../functions/domain/lanes.ts";
import type { Context, JobMessage } from "../functions/domain/ports.ts";
import type { MessageOutcome } from "../functions/events/queue.ts";
import type { Delivery, LocalQueue } from "./sqlite-queue.ts";

/** Hands the messages of all lanes to their handlers, as SQS does with Lambda. */
export interface Dispatcher {
  /** Looks for messages now; call it when one may have become visible. */
  wake(): void;
  /** Takes no further message. Resolves when the ones in hand are done, or after `milliseconds`. */
  drain(milliseconds: number): Promise<void>;
}

/** Milliseconds between two looks for messages whose visibility has lapsed, if nothing wakes it before. */
const LOOK_MS = 1_000;
/** Milliseconds until a message comes again, for each time that it was delivered. */
const RETRY_MS = 500;

export const dispatcher = ({
  queue,
  clock,
  slots,
  convert,
  fail,
  onError,
}: Pick<Context, "clock"> & {
  readonly queue: LocalQueue;
  /** Messages that are worked on at once. */
  readonly slots: number;
  readonly convert: (message: JobMessage) => Promise<MessageOutcome>;
  /** Handles a dead letter. */
  readonly fail: (message: JobMessage) => Promise<MessageOutcome>;
  readonly onError: (error: unknown) => void;
}): Dispatcher => {
  const busy = new Set<Promise<void>>();
  let draining = false;

  const work = async ({ messageId, message, receiveCount }: Delivery, handle: typeof convert): Promise<void> => {
    const outcome = await handle(message).catch((error: unknown): MessageOutcome => {
      onError(error);
      return "retry";
    });
    if (outcome === "done") {
      queue.acknowledge(messageId);
    } else {
      queue.retryAt(messageId, clock() + RETRY_MS * receiveCount);
    }
  };

  const start = (delivery: Delivery, handle: typeof convert): void => {
    const task = work(delivery, handle)
      .catch(onError)
      .finally(() => {
        busy.delete(task);
        wake();
      });
    busy.add(task);
  };

  const next = (lane: LaneId): boolean => {
    const now = clock();
    // A look is a read; taking is a write, which would be one too many for each lane that is empty.
    if ((queue.nextVisibleAt(lane) ?? Number.POSITIVE_INFINITY) > now) {
      return false;
    }
    const delivery = queue.receive(lane, now, now + leaseSeconds(lane) * 1_000);
    if (delivery !== undefined) {
      start(delivery, convert);
    }
    return delivery !== undefined;
  };

  /** The lane that has waited longest is asked first, so that a busy one does not hold up the others. */
  let turn: readonly LaneId[] = laneIds;
  const nextOfAny = (): boolean => {
    const found = turn.find(next);
    turn = found === undefined ? turn : [...turn.filter((lane) => lane !== found), found];
    return found !== undefined;
  };

  const wake = (): void => {
    try {
      while (!draining && busy.size < slots && nextOfAny()) {
        // Each turn of the loop takes one message; it ends when the slots are full or the lanes are empty.
      }
    } catch (error) {
      onError(error);
    }
  };

  const look = (): void => {
    wake();
    for (const lane of draining ? [] : laneIds) {
      const dead = busy.size < slots ? queue.receiveDead(lane, clock()) : undefined;
      if (dead !== undefined) {
        start(dead, fail);
      }
    }
  };

  const timer = setInterval(() => {
    try {
      look();
    } catch (error) {
      onError(error);
    }
  }, LOOK_MS);

  return {
    wake,
    drain: async (milliseconds) => {
      draining = true;
      clearInterval(timer);
      const late = new Promise<void>((resolve) => setTimeout(resolve, milliseconds).unref());
      await Promise.race([Promise.allSettled(busy), late]);
    },
  };
};
