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

/**
 * Slots in the quotas table of DynamoDB. An account can hold the slots of the current window and those of the one
 * before, so at most twice the limit. Work that is interrupted never releases its slot: it is forgotten with its window.
 */
export const dynamoSlots = (dynamo: Dynamo): AccountSlots => ({
  take: async (accountId, kind, now) => {
    const { max, windowMs } = limits[kind];
    const window = Math.floor(now / windowMs);
    const count = { accountId, period: `${kind}#${window % 2}`, window };
    const taken = await countInWindow(dynamo, count, max);
    return taken === undefined ? undefined : () => countBack(dynamo, count);
  },
});
