import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { privateBytes, residentBytes } from "../memory.ts";

/** A process and all its descendants. */
export interface ProcessTree {
  /** Bytes of memory. Memory shared by the processes is counted once, with the largest. */
  readonly bytes: number;
  readonly processes: number;
}

/**
 * Measures a process tree that no process can leave: in a PID namespace, an orphaned process becomes a child of the
 * first process inside, whatever its process group or session.
 */
export const treeOf = (root: number | undefined): ProcessTree => {
  const all = root === undefined ? [] : [root, ...descendantsOf(root)];
  const own = all.map(privateBytes);
  const shared = all.map((pid, index) => residentBytes(pid) - (own[index] ?? 0));
  return { bytes: own.reduce((sum, bytes) => sum + bytes, Math.max(0, ...shared)), processes: all.length };
};

/** @returns the process that many first children below; undefined when there is none yet */
export const below = (pid: number | undefined, depth: number): number | undefined =>
  pid === undefined || depth === 0 ? pid : below(firstChildOf(pid), depth - 1);

const CHECK_MS = 5;
const GONE_MS_MAX = 5_000;

/**
 * Resolves when the process has ended, or after {@link GONE_MS_MAX}: a process that waits for a disk cannot end sooner.
 */
export const gone = async (pid: number | undefined): Promise<void> => {
  for (let waited = 0; isRunning(pid) && waited < GONE_MS_MAX; waited += CHECK_MS) {
    await pause(CHECK_MS);
  }
};

/** Zombie processes, and processes that are just ending, have no running threads. */
const isRunning = (pid: number | undefined): boolean => {
  try {
    const state = pid === undefined ? "X" : readFileSync(`/proc/${pid}/stat`, "latin1").split(") ").at(-1)?.[0];
    return state !== "Z" && state !== "X";
  } catch {
    return false;
  }
};

const descendantsOf = (pid: number): readonly number[] =>
  childrenOf(pid).flatMap((child) => [child, ...descendantsOf(child)]);

/** Children are listed per thread (proc(5), `/proc/pid/task/tid/children`). */
const childrenOf = (pid: number): readonly number[] => threadsOf(pid).flatMap((thread) => childrenIn(pid, thread));

const firstChildOf = (pid: number): number | undefined => childrenIn(pid, String(pid))[0];

const childrenIn = (pid: number, thread: string): readonly number[] => {
  try {
    return readFileSync(`/proc/${pid}/task/${thread}/children`, "latin1").split(" ").filter(Boolean).map(Number);
  } catch {
    // It has just ended.
    return [];
  }
};

const threadsOf = (pid: number): readonly string[] => {
  try {
    return readdirSync(`/proc/${pid}/task`);
  } catch {
    // It has just ended.
    return [];
  }
};

/** The position of the start in proc_pid_stat(5) (field 22), counted from the state, which follows the name. */
const START_INDEX = 19;

/** @returns when the process started, in clock ticks since boot; undefined if it is not visible */
export const startedAt = (pid: number): string | undefined => {
  try {
    return readFileSync(`/proc/${pid}/stat`, "latin1").split(") ").at(-1)?.split(" ")[START_INDEX];
  } catch {
    return undefined;
  }
};
