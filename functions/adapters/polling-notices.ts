import { setTimeout } from "node:timers/promises";
import { JOB_POLL_MS } from "../domain/limits.ts";
import type { JobNotices } from "../domain/ports.ts";

/** Lambda functions are not notified of changes, so they poll. */
export const pollingNotices = (): JobNotices => ({
  changed: async (_jobId, milliseconds) => {
    await setTimeout(Math.max(0, Math.min(milliseconds, JOB_POLL_MS)));
  },
});
