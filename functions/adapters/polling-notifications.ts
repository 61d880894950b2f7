import { setTimeout } from "node:timers/promises";
import { JOB_POLL_MS } from "../domain/limits.ts";
import type { JobNotifications } from "../domain/ports.ts";

/** Lambda functions are not notified of changes, so they poll. */
export const pollingNotifications = (): JobNotifications => ({
  changed: async (_jobId, milliseconds) => {
    await setTimeout(Math.max(0, Math.min(milliseconds, JOB_POLL_MS)));
  },
});
