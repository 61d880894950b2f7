import { setTimeout } from "node:timers/promises";
import { JOB_POLL_MS } from "../domain/limits.ts";
import type { JobNotices } from "../domain/ports.ts";

/** Nothing tells a Lambda function of a change, so it looks again after a moment. */
export const pollingNotices = (): JobNotices => ({
  changed: async (_jobId, milliseconds) => {
    await setTimeout(Math.max(0, Math.min(milliseconds, JOB_POLL_MS)));
  },
});
