import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { privateBytes, residentBytes } from "../io/memory.ts";

/** A process with all that it has started, and what they have started. */
export interface ProcessTree {
  /** Bytes of memory: what its processes share is counted once, with the largest. */
  readonly bytes: number;
  readonly processes: number;
}

/**
 * Looks at a tree that nothing leaves: in a namespace of its own a process whose parent has ended becomes the child of
 * the first one inside, whatever group or session it made for itself.
 */
export const treeOf = (root: number | undefined): ProcessTree => {
  const all = root === undefined ? [] : [root, ...descendantsOf(root)];
  const own = all.map(privateBytes);
  const shared = all.map((pid, index) => residentBytes(pid) - (own[index] ?? 0));
  return { bytes: own.reduce((sum, bytes) => sum + bytes, Math.max(0, ...shared)), processes: all.length };
};

/** @returns the process so many first children below; undefined while it is not there */
export const below = (pid: number | undefined, depth: number): number | undefined =>
  pid === undefined || depth === 0 ? pid : below(firstChildOf(pid), depth - 1);

const LOOK_MS = 5;
const GONE_MS_MAX = 5_000;

/** Resolves when the process has ended, or after {@link GONE_MS_MAX}: one that waits for a disk cannot end before. */
export const gone = async (pid: number | undefined): Promise<void> => {
  for (let waited = 0; isRunning(pid) && waited < GONE_MS_MAX; waited += LOOK_MS) {
    await pause(LOOK_MS);
  }
};

/** A process that nobody has buried yet, or that is just ending, has no threads that run. */
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

/** Each thread has children of its own (proc(5), `/proc/pid/task/tid/children`). */
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
