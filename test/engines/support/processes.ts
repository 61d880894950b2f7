import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";

/** @returns the ids of the processes that this one, or the given one, has started and that still run (Linux) */
export const childrenOf = (parent = process.pid): number[] =>
  readdirSync("/proc")
    .map(Number)
    .filter((pid) => Number.isInteger(pid) && parentOf(pid) === parent);

/** @returns the id of the parent; undefined for a process that is gone or only waits to be buried */
const parentOf = (pid: number): number | undefined => {
  try {
    // The name stands in brackets and may hold anything, so the fields are counted from behind it.
    const [state, parent] = readFileSync(`/proc/${pid}/stat`, "latin1").split(") ").at(-1)?.split(" ") ?? [];
    return state === "Z" ? undefined : Number(parent);
  } catch {
    return undefined;
  }
};

export const isRunning = (pid: number): boolean => parentOf(pid) !== undefined;

const WAIT_MS_MAX = 20_000;
const LOOK_MS = 20;

/** Waits until it is so. @throws when it does not come to be so */
export const until = async (isSo: () => boolean): Promise<void> => {
  for (let waited = 0; !isSo(); waited += LOOK_MS) {
    if (waited > WAIT_MS_MAX) {
      throw new Error(`Still not so after ${WAIT_MS_MAX} ms: ${isSo}`);
    }
    await pause(LOOK_MS);
  }
};
