import { type LaneId, laneIds, leaseSeconds } from "../functions/domain/lanes.ts";
import type { Context, JobMessage } from "../functions/domain/ports.ts";
import type { MessageOutcome } from "../functions/events/queue.ts";
import { slotsHeld } from "./slots-held.ts";
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

const NOBODY: ReadonlySet<string> = new Set();

/**
 * Slots go to the accounts that hold the fewest, and among those by the queue's turns. Turns alone count messages: an
 * account with jobs of ten minutes would hold every slot most of the time, beside one with jobs of ten milliseconds.
 */
export const dispatcher = ({
  queue,
  clock,
  slots,
  convert,
  fail,
  onEnd = () => {},
  onError,
}: Pick<Context, "clock"> & {
  readonly queue: LocalQueue;
  /** Messages that are worked on at once. */
  readonly slots: number;
  readonly convert: (message: JobMessage) => Promise<MessageOutcome>;
  /** Handles a dead letter. */
  readonly fail: (message: JobMessage) => Promise<MessageOutcome>;
  /** Called when a message is done with. */
  readonly onEnd?: () => void;
  readonly onError: (error: unknown, about?: Readonly<Record<string, string>>) => void;
}): Dispatcher => {
  const busy = new Set<Promise<void>>();
  const held = slotsHeld();
  let draining = false;

  const work = async ({ messageId, message, receiveCount }: Delivery, handle: typeof convert): Promise<void> => {
    const outcome = await handle(message).catch((error: unknown): MessageOutcome => {
      onError(error, { job_id: message.jobId, account_id: message.accountId });
      return "retry";
    });
    if (outcome === "done") {
      queue.acknowledge(messageId);
      onEnd();
    } else {
      queue.retryAt(messageId, clock() + RETRY_MS * receiveCount);
    }
  };

  const start = (delivery: Delivery, handle: typeof convert): void => {
    const giveBack = held.take(delivery.message.accountId);
    const task = work(delivery, handle)
      .catch(onError)
      .finally(() => {
        busy.delete(task);
        giveBack();
        wake();
      });
    busy.add(task);
  };

  const next = (lane: LaneId, except: ReadonlySet<string>): boolean => {
    const now = clock();
    // A look is a read; taking is a write, which would be one too many for each lane that is empty.
    if ((queue.nextVisibleAt(lane) ?? Number.POSITIVE_INFINITY) > now) {
      return false;
    }
    const delivery = queue.receive(lane, now, now + leaseSeconds(lane) * 1_000, except);
    if (delivery !== undefined) {
      start(delivery, convert);
    }
    return delivery !== undefined;
  };

  /** The lane that has waited longest is asked first, so that a busy one does not hold up the others. */
  let turn: readonly LaneId[] = laneIds;
  const nextOfAny = (): boolean => {
    const later = held.byMoreThanLeast(queue.waiting.accounts());
    // A message that comes again may be of an account that no line tells of, so the second look leaves nobody out.
    const found = turn.find((lane) => next(lane, later)) ?? turn.find((lane) => later.size > 0 && next(lane, NOBODY));
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
