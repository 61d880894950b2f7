import { Worker } from "node:worker_threads";

const LOOK_MS = 1_000;

/** Runs in a thread of its own; `process.ppid` asks the system each time. */
const WATCH = `
  const { workerData: parent } = require("node:worker_threads");
  const end = () => {
    try {
      process.kill(-process.pid, "SIGKILL");
    } catch {
      process.kill(process.pid, "SIGKILL");
    }
  };
  setInterval(() => process.ppid === parent || end(), ${LOOK_MS});
`;

/**
 * Ends this process when its parent is gone, even while an engine keeps the main thread busy, which then hears nothing
 * of a closed channel: without a parent nobody would ever end it. What it has started ends with it, where it leads a
 * process group.
 */
export const endWithParent = (): void => {
  const resourceLimits = { maxOldGenerationSizeMb: 8, maxYoungGenerationSizeMb: 1, codeRangeSizeMb: 4, stackSizeMb: 1 };
  new Worker(WATCH, { eval: true, workerData: process.ppid, resourceLimits }).unref();
};
