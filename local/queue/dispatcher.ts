import { laneIds } from "../../functions/domain/conversions/lanes.ts";
import type { Context, JobMessage } from "../../functions/domain/ports.ts";
import type { MessageOutcome } from "../../functions/events/queue.ts";
import type { Delivery, LocalQueue } from "../sqlite/queue.ts";
import { fairMessages } from "./fair-messages.ts";

/** Hands the messages of all lanes to their handlers, as SQS does with Lambda: at once when one is sent, and each second. */
export interface Dispatcher {
  /** Takes the messages that are visible now, as far as there are slots. */
  wake(): void;
  /** Takes no further message. Resolves when the ones in hand are done, or after `milliseconds`. */
  drain(milliseconds: number): Promise<void>;
}

type Handler = (message: JobMessage) => Promise<MessageOutcome>;

export interface DispatcherSettings extends Pick<Context, "clock"> {
  readonly queue: LocalQueue;
  /** Messages that are worked on at once. */
  readonly slots: number;
  readonly convert: Handler;
  /** Handles a dead letter. */
  readonly fail: Handler;
  /** Called when a message is done with. */
  readonly onEnd?: () => void;
  readonly onError: (error: unknown, about?: Readonly<Record<string, string>>) => void;
}

/** Milliseconds between two checks for messages whose hiding has ended, and for dead letters. */
const CHECK_MS = 1_000;
/** Milliseconds until a message comes again, for each time that it was delivered. */
const RETRY_MS = 500;

export const dispatcher = (settings: DispatcherSettings): Dispatcher => {
  const { queue, clock, slots, convert, fail, onError } = settings;
  const messages = fairMessages(queue, clock);
  const busy = new Set<Promise<void>>();
  let draining = false;
  const hasRoom = (): boolean => !draining && busy.size < slots;

  const start = (delivery: Delivery, handler: Handler): void => {
    const giveBack = messages.hold(delivery.message.accountId);
    const task = handle(settings, delivery, handler)
      .catch(onError)
      .finally(() => {
        busy.delete(task);
        giveBack();
        wake();
      });
    busy.add(task);
  };

  const startAll = (): void => {
    for (let delivery = hasRoom() && messages.next(); delivery; delivery = hasRoom() && messages.next()) {
      start(delivery, convert);
    }
  };

  const startDead = (): void => {
    for (const lane of laneIds) {
      const dead = hasRoom() ? queue.receiveDead(lane, clock()) : undefined;
      if (dead !== undefined) {
        start(dead, fail);
      }
    }
  };

  const wake = reporting(onError, startAll);
  const timer = setInterval(() => {
    wake();
    reporting(onError, startDead)();
  }, CHECK_MS);
  queue.onSend(wake);

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

/** A handler that throws has its message delivered again. */
const handle = async (
  { queue, clock, onEnd, onError }: DispatcherSettings,
  { messageId, message, receiveCount }: Delivery,
  handler: Handler,
): Promise<void> => {
  const outcome = await handler(message).catch((error: unknown): MessageOutcome => {
    onError(error, { job_id: message.jobId, account_id: message.accountId });
    return "retry";
  });
  if (outcome === "retry") {
    queue.retryAt(messageId, clock() + RETRY_MS * receiveCount);
    return;
  }
  queue.acknowledge(messageId);
  onEnd?.();
};

/** @returns the work, which reports what it throws: a busy database must not end the timer that calls it again */
const reporting = (onError: DispatcherSettings["onError"], work: () => void) => (): void => {
  try {
    work();
  } catch (error) {
    onError(error);
  }
};
