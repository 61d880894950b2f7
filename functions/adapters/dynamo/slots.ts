import {
  CHECKS_PER_ACCOUNT_MAX,
  DELIVERIES_PER_ACCOUNT_MAX,
  EXPORTS_PER_ACCOUNT_MAX,
  IMPORTS_PER_ACCOUNT_MAX,
  WAITS_PER_ACCOUNT_MAX,
} from "../../domain/limits.ts";
import type { AccountSlots, SlotKind } from "../../domain/task-ports.ts";
import type { Dynamo } from "./records.ts";
import { countBack, countInWindow, type WindowCount } from "./windows.ts";

/** Slots that an account can take in a window. */
const limits: Readonly<Record<SlotKind, number>> = {
  wait: WAITS_PER_ACCOUNT_MAX,
  import: IMPORTS_PER_ACCOUNT_MAX,
  check: CHECKS_PER_ACCOUNT_MAX,
  webhook: DELIVERIES_PER_ACCOUNT_MAX,
  export: EXPORTS_PER_ACCOUNT_MAX,
};

/** Length of a window in milliseconds: the time after which the slots of a killed function are free again, at most twice. */
const WINDOW_MS = 30_000;

/** The waits of a function at the same time, of all accounts. */
export interface FunctionWaits {
  readonly functionName: string;
  readonly max: number;
}

/** A record counts at most this many waits, so that it is written a few hundred times per second even if they are short. */
const WAITS_PER_RECORD = 100;

/**
 * Slots in the quotas table of DynamoDB. Work in progress is counted again in each window. Interrupted work never
 * releases its slot: it is forgotten with its window. Work that starts before the rest is counted again makes an account
 * hold at most twice the limit for a moment. The same holds for the waits of a function.
 */
export const dynamoSlots = (dynamo: Dynamo, waits?: FunctionWaits): AccountSlots => ({
  take: async (accountId, kind, now) => {
    const release = await takeSlot(dynamo, { holder: accountId, kind, max: limits[kind] }, now);
    if (release === undefined || kind !== "wait" || waits === undefined) {
      return release;
    }
    const releaseWait = await takeSlot(dynamo, { ...sharedWaits(waits), kind }, now);
    if (releaseWait === undefined) {
      await release();
      return undefined;
    }
    return async () => {
      await Promise.all([release(), releaseWait()]);
    };
  },
});

/** @returns one of the records that count the waits of a function, with its share of them */
const sharedWaits = ({ functionName, max }: FunctionWaits): { readonly holder: string; readonly max: number } => {
  const records = Math.ceil(max / WAITS_PER_RECORD);
  const record = Math.floor(Math.random() * records);
  return { holder: `waits#${functionName}#${record}`, max: Math.floor(max / records) };
};

interface Slot {
  readonly holder: string;
  readonly kind: SlotKind;
  readonly max: number;
}

const takeSlot = async (dynamo: Dynamo, slot: Slot, now: number): Promise<(() => Promise<void>) | undefined> => {
  const first = countAt(slot, now);
  if ((await countInWindow(dynamo, first, slot.max)) === undefined) {
    return undefined;
  }
  const kept = keptCounted(dynamo, slot, now);
  return async () => {
    const counts = await kept.stop();
    await countBack(dynamo, counts.findLast((count) => "window" in count) ?? first);
    const failed = counts.find((count) => "error" in count);
    if (failed !== undefined) {
      throw failed.error;
    }
  };
};

const countAt = ({ holder, kind }: Slot, now: number): WindowCount => {
  const window = Math.floor(now / WINDOW_MS);
  return { accountId: holder, period: `${kind}#${window % 2}`, window };
};

/** The work goes on, and its slot may be taken by other work; the error is thrown by the release. */
interface FailedCount {
  readonly error: unknown;
}

/** Counts work in progress again at the start of each window, whatever the limit: it is not interrupted. */
const keptCounted = (dynamo: Dynamo, slot: Slot, now: number) => {
  const offset = now - performance.now();
  const counts: Promise<WindowCount | FailedCount>[] = [];
  const again = async (at: number): Promise<WindowCount | FailedCount> => {
    const count = countAt(slot, at);
    try {
      await countInWindow(dynamo, count, Number.MAX_SAFE_INTEGER);
      return count;
    } catch (error) {
      return { error };
    }
  };
  /** @param at a time in the window that was counted last */
  const nextWindow = (at: number): NodeJS.Timeout => {
    const start = (Math.floor(at / WINDOW_MS) + 1) * WINDOW_MS;
    return setTimeout(
      () => {
        // Timers can be early, so the clock alone could name the window that is counted already.
        const time = Math.max(start, offset + performance.now());
        counts.push(again(time));
        timer = nextWindow(time);
      },
      start - (offset + performance.now()),
    ).unref();
  };
  let timer = nextWindow(now);
  return {
    stop: () => {
      clearTimeout(timer);
      return Promise.all(counts);
    },
  };
};
