import { execFile } from "node:child_process";
import { constants, setPriority } from "node:os";
import { promisify } from "node:util";

/** Such programs take seconds of CPU time, but at the lowest priority, on a busy machine, some minutes. */
const BACKGROUND_MS_MAX = 600_000;

/**
 * Runs a program of Node at the lowest priority. Resolves when it has ended.
 *
 * @param environment @default that of this process
 * @throws Error if it fails, or takes longer than 10 minutes
 */
export const inBackground = async (
  programArguments: readonly string[],
  environment: NodeJS.ProcessEnv = process.env,
): Promise<void> => {
  const running = promisify(execFile)(process.execPath, programArguments, {
    env: environment,
    timeout: BACKGROUND_MS_MAX,
  });
  setPriority(running.child.pid ?? 0, constants.priority.PRIORITY_LOW);
  await running;
};
