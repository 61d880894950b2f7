import type { Measurement } from "../../functions/domain/metrics.ts";
import type { LocalQueue } from "../sqlite/queue.ts";
import type { Calls, Reports, ToFirst, ToFurther } from "./messages.ts";
import type { SharedState } from "./shared-state.ts";

/** What the first process does for one further process. */
export interface ServedState {
  receive(message: ToFirst): Promise<void>;
  /** Resolves when the process has written the logged requests that it had in memory, or has ended. */
  flush(): Promise<void>;
  /** The latest gauges that the process has reported. */
  gauges(): readonly Measurement[];
  /** Releases what the process held, when it has ended. */
  release(): void;
}

type Handlers = Reports & {
  readonly [Name in keyof Calls]: (...parameters: Parameters<Calls[Name]>) => Promise<ReturnType<Calls[Name]>>;
};

interface Served {
  readonly state: SharedState;
  readonly queue: Pick<LocalQueue, "sentElsewhere">;
  readonly send: (message: ToFurther) => void;
  /** Writes the logged requests that all processes but this further one have in memory. */
  readonly flushOthers: () => Promise<void>;
  readonly onError: (error: unknown) => void;
}

/** Serves the state of this process to one further process. */
export const servedState = ({ state, queue, send, flushOthers, onError }: Served): ServedState => {
  const holds = new Map<string, string>();
  const slots = new Map<number, () => Promise<void>>();
  const flushes = new Map<number, () => void>();
  let [lastSlot, lastFlush] = [0, 0];
  let gauges: readonly Measurement[] = [];
  const releaseSlot = (slot: number): void => {
    void slots.get(slot)?.();
    slots.delete(slot);
  };
  const releaseHold = async (key: string, requestId: string): Promise<void> => {
    if (holds.get(key) === requestId) {
      holds.delete(key);
      await state.holds.release(key, requestId);
    }
  };
  const handlers: Handlers = {
    takeBurst: state.bursts.take,
    hold: async (key, requestId, now) => {
      const isHeld = await state.holds.hold(key, requestId, now);
      if (isHeld) {
        holds.set(key, requestId);
      }
      return isHeld;
    },
    takeSlot: async (...taken) => {
      const release = await state.slots.take(...taken);
      if (release === undefined) {
        return undefined;
      }
      lastSlot += 1;
      slots.set(lastSlot, release);
      return lastSlot;
    },
    flushOthers,
    metrics: state.metrics.text,
    releaseHold,
    releaseSlot,
    changed: state.notifications.notify,
    sent: queue.sentElsewhere,
    task: state.tasks.wake,
    measured: state.metrics.record,
    flushed: (flush) => {
      flushes.get(flush)?.();
      flushes.delete(flush);
    },
    gauges: (measurements) => {
      gauges = measurements;
    },
  };
  return {
    receive: async ({ name, parameters, call }) => {
      const handler = handlers[name] as (...all: readonly unknown[]) => unknown;
      try {
        const value = await handler(...parameters);
        if (call !== undefined) {
          send({ reply: call, value });
        }
      } catch (error) {
        onError(error);
        if (call !== undefined) {
          send({ reply: call, error: String(error) });
        }
      }
    },
    flush: () =>
      new Promise((resolve) => {
        lastFlush += 1;
        flushes.set(lastFlush, resolve);
        send({ flush: lastFlush });
      }),
    gauges: () => gauges,
    release: () => {
      for (const [key, requestId] of holds) {
        void releaseHold(key, requestId);
      }
      for (const slot of slots.keys()) {
        releaseSlot(slot);
      }
      for (const resolve of flushes.values()) {
        resolve();
      }
    },
  };
};
