import type { BurstStore } from "../../domain/ports.ts";
import type { Dynamo } from "./records.ts";
import { countInWindow } from "./windows.ts";

const SECOND_MS = 1_000;
/** Records per account: each counts one second of a minute and is reused in the next minute. */
const RECORDS = 60;

/** Counts in the quotas table of DynamoDB. */
export const dynamoBursts = (dynamo: Dynamo): BurstStore => ({
  take: async (accountId, now, limit) => {
    const window = Math.floor(now / SECOND_MS);
    const taken = await countInWindow(dynamo, { accountId, period: `burst#${window % RECORDS}`, window }, limit);
    return taken === undefined ? -1 : limit - taken;
  },
});
