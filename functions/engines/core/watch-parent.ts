import { Worker } from "node:worker_threads";

const CHECK_MS = 1_000;

/** Runs in a separate thread. `process.ppid` queries the system on each access. */
const WATCH = `
  const { workerData: parent } = require("node:worker_threads");
  const end = () => {
    try {
      process.kill(-process.pid, "SIGKILL");
    } catch {
      process.kill(process.pid, "SIGKILL");
    }
  };
  setInterval(() => process.ppid === parent || end(), ${CHECK_MS});
`;

const VARIABLE = "ANYFORM_SANDBOX_ENDS_CONVERTER";

/**
 * @param isEndedBySandbox whether the sandbox kills the converter when the service exits
 * @returns environment variables of the converter
 */
export const parentVariables = (isEndedBySandbox: boolean): Readonly<Record<string, string>> =>
  isEndedBySandbox ? { [VARIABLE]: "1" } : {};

/**
 * Ends this process when its parent has exited, even while an engine blocks the main thread, which then does not detect
 * a closed channel. Otherwise the process would run forever. If it leads a process group, everything it started ends,
 * too. Does nothing if the sandbox does so: the thread uses 9 MB.
 */
export const endWithParent = (
  // biome-ignore lint/style/noProcessEnv: the pool sets the variable for the converter process
  environment: Readonly<Record<string, string | undefined>> = process.env,
): void => {
  if (environment[VARIABLE] !== undefined) {
    return;
  }
  const resourceLimits = { maxOldGenerationSizeMb: 8, maxYoungGenerationSizeMb: 1, codeRangeSizeMb: 4, stackSizeMb: 1 };
  new Worker(WATCH, { eval: true, workerData: process.ppid, resourceLimits }).unref();
};
