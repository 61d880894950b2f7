import { readdirSync, readFileSync } from "node:fs";

/** The processes of this machine, as Linux shows them. */

/** @returns the processes that a process has started and that run */
export const childrenOf = (pid: number | undefined): number[] =>
  threadsOf(pid).flatMap((thread) =>
    readProcess(pid, `task/${thread}/children`).split(" ").filter(Boolean).map(Number),
  );

const threadsOf = (pid: number | undefined): string[] => {
  try {
    return readdirSync(`/proc/${pid}/task`);
  } catch {
    // It has ended in the meantime, and its children with it.
    return [];
  }
};

/** @returns the content of a file of the process in `/proc`; empty if it has ended */
export const readProcess = (pid: number | undefined, name: string): string => {
  try {
    return readFileSync(`/proc/${pid}/${name}`, "utf8");
  } catch {
    // It has ended in the meantime.
    return "";
  }
};
