import {
  CHECKS_PER_ACCOUNT_MAX,
  DELIVERIES_PER_ACCOUNT_MAX,
  IMPORT_MARGIN_MS,
  IMPORT_MS_MAX,
  IMPORTS_PER_ACCOUNT_MAX,
  WAITS_PER_ACCOUNT_MAX,
  WEBHOOK_ATTEMPT_MS_MAX,
} from "../../domain/limits.ts";
import type { AccountSlots, SlotKind } from "../../domain/task-ports.ts";
import type { Dynamo } from "./records.ts";
import { countBack, countInWindow } from "./windows.ts";

interface SlotLimit {
  /** Slots that an account can take in a window. */
  readonly max: number;
  /** Length of a window in milliseconds: longer than any work that holds a slot. */
  readonly windowMs: number;
}

/** A request and a delivery end after 30 s, the function of imports and checks after 11 minutes. */
const limits: Readonly<Record<SlotKind, SlotLimit>> = {
  wait: { max: WAITS_PER_ACCOUNT_MAX, windowMs: 30_000 },
  import: { max: IMPORTS_PER_ACCOUNT_MAX, windowMs: IMPORT_MS_MAX + IMPORT_MARGIN_MS },
  check: { max: CHECKS_PER_ACCOUNT_MAX, windowMs: IMPORT_MS_MAX + IMPORT_MARGIN_MS },
  webhook: { max: DELIVERIES_PER_ACCOUNT_MAX, windowMs: 2 * WEBHOOK_ATTEMPT_MS_MAX },
};

/** The waits of a function at the same time, of all accounts. */
export interface FunctionWaits {
  readonly functionName: string;
  readonly max: number;
}

/** A record counts at most this many waits, so that it is written a few hundred times per second even if they are short. */
const WAITS_PER_RECORD = 100;

/**
 * Slots in the quotas table of DynamoDB. An account can hold the slots of the current window and those of the one
 * before, so at most twice the limit. Work that is interrupted never releases its slot: it is forgotten with its window. The same holds for the waits of a function.
 */
export const dynamoSlots = (dynamo: Dynamo, waits?: FunctionWaits): AccountSlots => ({
  take: async (accountId, kind, now) => {
    const { max, windowMs } = limits[kind];
    const release = await takeSlot(dynamo, { holder: accountId, kind, windowMs, max }, now);
    if (release === undefined || kind !== "wait" || waits === undefined) {
      return release;
    }
    const releaseWait = await takeSlot(dynamo, { ...sharedWaits(waits), kind, windowMs }, now);
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

const takeSlot = async (
  dynamo: Dynamo,
  { holder, kind, windowMs, max }: SlotLimit & { readonly holder: string; readonly kind: SlotKind },
  now: number,
): Promise<(() => Promise<void>) | undefined> => {
  const window = Math.floor(now / windowMs);
  const count = { accountId: holder, period: `${kind}#${window % 2}`, window };
  const taken = await countInWindow(dynamo, count, max);
  return taken === undefined ? undefined : () => countBack(dynamo, count);
};
