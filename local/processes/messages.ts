import type { LaneId } from "../../functions/domain/conversions/lanes.ts";
import type { Measurement } from "../../functions/domain/metrics.ts";
import type { SlotKind } from "../../functions/domain/task-ports.ts";

/** The messages between the first process of the service and the further ones, which only serve requests. */

/** The argument of the program that makes it a further process. The next one is its name, which no other process has. */
export const FURTHER = "--further";

/** What a further process asks the first one. */
export interface Calls {
  /** As `BurstStore.take`. */
  takeBurst(accountId: string, now: number, limit: number): number;
  /** As `KeyHolds.hold`. */
  hold(key: string, requestId: string, now: number): boolean;
  /** As `KeyHolds.release`. A call, because the client's next request can reach another process. */
  releaseHold(key: string, requestId: string): void;
  /** @returns the number of the slot, with which it is released; undefined if the account has no free slot */
  takeSlot(accountId: string, kind: SlotKind, now: number): number | undefined;
  /** Writes the logged requests that all other processes have in memory. */
  flushOthers(): void;
  /** @returns the metrics of all processes, in the text format of Prometheus */
  metrics(): string;
}

/** What a further process reports to the first one. */
export interface Reports {
  releaseSlot(slot: number): void;
  /** A job or an upload may have changed. */
  changed(id: string): void;
  /** A message was sent to the queue of the lane. */
  sent(lane: LaneId): void;
  /** There may be new background tasks. */
  task(): void;
  measured(measurements: readonly Measurement[]): void;
  /** The logged requests are written that this process had in memory before the message with this number. */
  flushed(flush: number): void;
  /** The current gauges of the process, which replace its earlier ones. */
  gauges(measurements: readonly Measurement[]): void;
}

/** To the first process. A call has a number, which its reply repeats. */
export interface ToFirst {
  readonly name: keyof Calls | keyof Reports;
  readonly parameters: readonly unknown[];
  readonly call?: number;
}

/** To a further process. */
export type ToFurther =
  | { readonly reply: number; readonly value?: unknown; readonly error?: string }
  | { readonly changed: string }
  | { readonly flush: number }
  /** `accepting`: accept no more connections. `waiting`: end, without waiting for jobs any more. */
  | { readonly stop: "accepting" | "waiting" };

/**
 * Messages of the same turn of the event loop are sent together.
 *
 * @returns a function that sends a message
 */
export const batched = <Message>(send: (messages: readonly Message[]) => void): ((message: Message) => void) => {
  let waiting: Message[] = [];
  return (message) => {
    if (waiting.length === 0) {
      setImmediate(() => {
        const messages = waiting;
        waiting = [];
        send(messages);
      });
    }
    waiting.push(message);
  };
};
