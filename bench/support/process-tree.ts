import { readdirSync, readFileSync } from "node:fs";
import { residentBytes } from "../../functions/engines/core/memory.ts";

/** Resource usage of a process and all its descendants, from /proc (Linux). */
export interface Usage {
  readonly cpuSeconds: number;
  /** Sum of the resident sets. Shared memory counts in each process, so this is an upper bound. */
  readonly memoryBytes: number;
}

/** A clock tick of /proc/PID/stat in seconds; sysconf(_SC_CLK_TCK) is 100 on every Linux that runs Node. */
const TICK_SECONDS = 1 / 100;
/** Sampling costs CPU too, so the interval is only as short as needed to catch a peak. */
const SAMPLE_MS = 200;

/**
 * Monitors a process tree while the work runs. The CPU time of a sandboxed process that ends is lost to its parent, so the
 * increases between two samples are added up.
 *
 * @returns the result of the work, its CPU time and peak memory
 */
export const watched = async <T>(root: number, work: () => Promise<T>): Promise<{ result: T; usage: Usage }> => {
  let last = usageOf(root);
  let [cpuSeconds, memoryBytes] = [0, last.memoryBytes];
  const sample = (): void => {
    const now = usageOf(root);
    cpuSeconds += Math.max(0, now.cpuSeconds - last.cpuSeconds);
    memoryBytes = Math.max(memoryBytes, now.memoryBytes);
    last = now;
  };
  const timer = setInterval(sample, SAMPLE_MS);
  try {
    const result = await work();
    sample();
    return { result, usage: { cpuSeconds, memoryBytes } };
  } finally {
    clearInterval(timer);
  }
};

/** @returns the current usage of the tree. The CPU time of ended processes counts in their parent's. */
const usageOf = (root: number): Usage => {
  const tree = treeOf(root);
  return {
    cpuSeconds: secondsOf(tree.map((pid) => `/proc/${pid}/stat`)),
    memoryBytes: tree.reduce((sum, pid) => sum + residentBytes(pid), 0),
  };
};

/** CPU time in seconds. */
export interface CpuTime {
  /** Of the main threads. */
  readonly mainThreads: number;
  readonly processes: number;
}

/** @returns the CPU time of the processes of the tree until now */
export const cpuTimeOf = (root: number): CpuTime => {
  const tree = treeOf(root);
  return {
    mainThreads: secondsOf(tree.map((pid) => `/proc/${pid}/task/${pid}/stat`)),
    processes: secondsOf(tree.map((pid) => `/proc/${pid}/stat`)),
  };
};

const treeOf = (root: number): readonly number[] => {
  const tree = [root];
  for (const pid of tree) {
    tree.push(...childrenOf(pid));
  }
  return tree;
};

const childrenOf = (pid: number): number[] =>
  orNothing(() => readdirSync(`/proc/${pid}/task`), []).flatMap((task) =>
    textOf(`/proc/${pid}/task/${task}/children`).split(" ").filter(Boolean).map(Number),
  );

const secondsOf = (stats: readonly string[]): number =>
  stats.reduce((sum, path) => sum + ticksIn(path), 0) * TICK_SECONDS;

const ticksIn = (path: string): number => {
  const stat = textOf(path);
  // The program name is in parentheses and can contain anything, so fields are counted after it.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return [11, 12, 13, 14].reduce((sum, index) => sum + Number(fields[index] ?? 0), 0);
};

const textOf = (path: string): string => orNothing(() => readFileSync(path, "utf8"), "");

/** A process may end between two samples. */
const orNothing = <T>(read: () => T, nothing: T): T => {
  try {
    return read();
  } catch {
    return nothing;
  }
};
