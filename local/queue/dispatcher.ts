import { laneIds } from "../../functions/domain/conversions/lanes.ts";
import type { Context, JobMessage } from "../../functions/domain/ports.ts";
import type { MessageOutcome } from "../../functions/events/queue.ts";
import type { Delivery, LocalQueue } from "../sqlite/queue.ts";
import { fairMessages } from "./fair-messages.ts";
import { slotsHeld } from "./slots-held.ts";
import { waitingLine } from "./waiting-line.ts";

/**
 * Delivers the messages of all lanes to their handlers, as SQS does with Lambda: when one is sent, and every second.
 */
export interface Dispatcher {
  /** Starts handling visible messages while slots are free. */
  wake(): void;
  /**
   * Waits for a slot for other work than messages, which takes turns with them.
   * @returns a function that releases the slot; undefined if none became free within the milliseconds
   */
  slot(accountId: string, milliseconds: number): Promise<(() => void) | undefined>;
  /** Whether all slots are taken, so that further conversions wait. */
  isFull(): boolean;
  /** Receives no further messages. Resolves when the handlers have ended, or after `milliseconds`. */
  drain(milliseconds: number): Promise<void>;
}

/** The slot of a message. */
export interface MessageSlot {
  /** Frees the slot: the outcome is recorded while the next conversion runs. @default it is free at the end */
  readonly free: () => void;
  /** Counts the message as other work, because its conversion takes milliseconds: further slots are for these too. */
  readonly countAsBrief: () => void;
}

type Handler = (message: JobMessage, slot: MessageSlot) => Promise<MessageOutcome>;

export interface DispatcherSettings extends Pick<Context, "clock"> {
  readonly queue: Pick<LocalQueue, "acknowledge" | "onSend" | "receive" | "receiveDead" | "refresh" | "retryAt"> & {
    readonly waiting: Pick<LocalQueue["waiting"], "accounts" | "has">;
  };
  /** Maximum number of messages that are converted at the same time. As many more can be handled that need no slot any more. */
  readonly slots: number;
  /** Further slots, for other work and brief messages: see `warm-up.ts`. @default 0 */
  readonly furtherSlots?: number;
  readonly convert: Handler;
  /** Handles a dead letter. */
  readonly fail: Handler;
  /** Sends a message for a job that has moved to another lane. */
  readonly requeue: (jobId: string) => Promise<void>;
  /** Called when a message was handled. */
  readonly onEnd?: () => void;
  readonly onError: (error: unknown, about?: Readonly<Record<string, string>>) => void;
}

/** Milliseconds between two polls, for messages that have become visible again and for dead letters. */
const POLL_MS = 1_000;
/** Milliseconds until a retry, multiplied by the number of deliveries. */
const RETRY_MS = 500;

export const dispatcher = (settings: DispatcherSettings): Dispatcher => {
  const { queue, clock, slots, furtherSlots = 0, convert, fail, onError } = settings;
  const held = slotsHeld();
  const messages = fairMessages(queue, { clock, held });
  const line = waitingLine<() => void>();
  const busy = new Set<Promise<void>>();
  let draining = false;
  const occupied = { message: 0, other: 0 };
  const isFull = (): boolean => occupied.message + occupied.other >= slots + furtherSlots;
  const hasFreeSlot = (): boolean => !draining && !isFull() && busy.size < 2 * slots + furtherSlots;
  const hasFreeMessageSlot = (): boolean => hasFreeSlot() && occupied.message < slots;

  const occupy = (first: "message" | "other", accountId: string, work: (slot: MessageSlot) => Promise<void>): void => {
    const release = held.take(accountId);
    let kind = first;
    occupied[kind] += 1;
    let isHeld = true;
    const countAsBrief = (): void => {
      if (isHeld) {
        occupied[kind] -= 1;
        kind = "other";
        occupied[kind] += 1;
        wake();
      }
    };
    const free = (): void => {
      if (isHeld) {
        isHeld = false;
        occupied[kind] -= 1;
        release();
        wake();
      }
    };
    const task = work({ free, countAsBrief })
      .catch(onError)
      .finally(() => {
        busy.delete(task);
        free();
        wake();
      });
    busy.add(task);
  };
  const start = (delivery: Delivery, handler: Handler): void =>
    occupy("message", delivery.message.accountId, (slot) =>
      handle(settings, delivery, (message) => handler(message, slot)),
    );

  const startMessage = (): boolean => {
    const delivery = hasFreeMessageSlot() ? messages.next() : undefined;
    if (delivery !== undefined) {
      start(delivery, convert);
    }
    return delivery !== undefined;
  };
  const startWaiting = (): boolean => {
    const excluded = held.byMoreThanLeast(line.accounts);
    const accountId = [...line.accounts.keys()].find((account) => !excluded.has(account));
    if (accountId !== undefined) {
      const { promise, resolve } = Promise.withResolvers<void>();
      occupy("other", accountId, () => promise);
      line.give(accountId, resolve);
    }
    return accountId !== undefined;
  };

  /** Messages and other work take turns, so that neither waits for all of the other. */
  let kinds = [startWaiting, startMessage];
  const startAll = (): void => {
    for (let started = true; started && hasFreeSlot(); ) {
      const kind = kinds.find((startOne) => startOne());
      started = kind !== undefined;
      kinds = kind === kinds[0] ? kinds.toReversed() : kinds;
    }
  };

  const startDead = (): void => {
    for (const lane of laneIds) {
      const dead = hasFreeMessageSlot() ? queue.receiveDead(lane, clock()) : undefined;
      if (dead !== undefined) {
        start(dead, fail);
      }
    }
  };

  const wake = reporting(onError, startAll);
  const poll = (): void => {
    reporting(onError, () => queue.refresh(clock()))();
    wake();
  };
  const timer = setInterval(() => {
    poll();
    reporting(onError, startDead)();
  }, POLL_MS);
  queue.onSend(wake);

  return {
    wake: poll,
    slot: async (accountId, milliseconds) => {
      if (draining) {
        return undefined;
      }
      const slot = line.wait(accountId, milliseconds);
      wake();
      return slot;
    },
    isFull,
    drain: async (milliseconds) => {
      draining = true;
      clearInterval(timer);
      const late = new Promise<void>((resolve) => setTimeout(resolve, milliseconds).unref());
      await Promise.race([Promise.allSettled(busy), late]);
    },
  };
};

/** If the handler throws, the message is delivered again. */
const handle = async (
  { queue, clock, requeue, onEnd, onError }: DispatcherSettings,
  { messageId, message, receiveCount }: Delivery,
  handler: (message: JobMessage) => Promise<MessageOutcome>,
): Promise<void> => {
  const outcome = await handler(message).catch((error: unknown): MessageOutcome => {
    onError(error, { job_id: message.jobId, account_id: message.accountId });
    return "retry";
  });
  if (outcome === "retry") {
    await queue.retryAt(messageId, clock() + RETRY_MS * receiveCount);
    return;
  }
  if (outcome === "moved") {
    await requeue(message.jobId);
  }
  queue.acknowledge(messageId).catch(onError);
  onEnd?.();
};

/** @returns the function with its errors reported: a busy database must not stop the timer */
const reporting = (onError: DispatcherSettings["onError"], work: () => void) => (): void => {
  try {
    work();
  } catch (error) {
    onError(error);
  }
};
