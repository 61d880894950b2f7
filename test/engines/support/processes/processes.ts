import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";

/** @returns the IDs of running child processes of this process or the given one (Linux) */
export const childrenOf = (parent = process.pid): number[] =>
  readdirSync("/proc")
    .map(Number)
    .filter((pid) => Number.isInteger(pid) && parentOf(pid) === parent);

/** @returns the ID of the parent; undefined for a process that has ended or is a zombie */
const parentOf = (pid: number): number | undefined => {
  try {
    // The name is in parentheses and may contain anything, so count the fields after it.
    const [state, parent] = readFileSync(`/proc/${pid}/stat`, "latin1").split(") ").at(-1)?.split(" ") ?? [];
    return state === "Z" ? undefined : Number(parent);
  } catch {
    return undefined;
  }
};

export const isRunning = (pid: number): boolean => parentOf(pid) !== undefined;

const WAIT_MS_MAX = 60_000;
const LOOK_MS = 20;

/** Waits until the condition is true. @throws on timeout */
export const until = async (isSo: () => boolean): Promise<void> => {
  for (let waited = 0; !isSo(); waited += LOOK_MS) {
    if (waited > WAIT_MS_MAX) {
      throw new Error(`Timed out after ${WAIT_MS_MAX} ms: ${isSo}`);
    }
    await pause(LOOK_MS);
  }
};
