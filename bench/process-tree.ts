import { readdirSync, readFileSync } from "node:fs";

/** What a process and all its descendants use, read from /proc (Linux). */
export interface Usage {
  readonly cpuSeconds: number;
  /** Proportional set size: memory that processes share counts once. */
  readonly memoryBytes: number;
}

/** A clock tick of /proc/PID/stat in seconds; sysconf(_SC_CLK_TCK) is 100 on every Linux that runs Node. */
const TICK_SECONDS = 1 / 100;
const SAMPLE_MS = 50;

/** @returns what the tree uses now. Processes that have ended no longer count, but their CPU counts in their parent's. */
const usageOf = (root: number): Usage => {
  const rows = processes();
  const tree = [root];
  for (const pid of tree) {
    tree.push(...rows.filter(({ parent }) => parent === pid).map((row) => row.pid));
  }
  const members = rows.filter(({ pid }) => tree.includes(pid));
  return {
    cpuSeconds: members.reduce((sum, { ticks }) => sum + ticks, 0) * TICK_SECONDS,
    memoryBytes: members.reduce((sum, { pid }) => sum + proportionalBytes(pid), 0),
  };
};

/** Watches a tree while the work runs. @returns what the work gave, the CPU it took, and the peak of memory */
export const watched = async <T>(root: number, work: () => Promise<T>): Promise<{ result: T; usage: Usage }> => {
  const before = usageOf(root);
  let peak = before.memoryBytes;
  const timer = setInterval(() => {
    peak = Math.max(peak, usageOf(root).memoryBytes);
  }, SAMPLE_MS);
  try {
    const result = await work();
    const after = usageOf(root);
    const memoryBytes = Math.max(peak, after.memoryBytes);
    return { result, usage: { cpuSeconds: after.cpuSeconds - before.cpuSeconds, memoryBytes } };
  } finally {
    clearInterval(timer);
  }
};

const processes = () =>
  readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      const stat = readOrEmpty(`/proc/${name}/stat`);
      // The name of the program stands in brackets and may hold anything, so fields are counted from behind it.
      const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      const ticks = [11, 12, 13, 14].reduce((sum, index) => sum + Number(fields[index] ?? 0), 0);
      return stat === "" ? [] : [{ pid: Number(name), parent: Number(fields[1]), ticks }];
    });

const proportionalBytes = (pid: number): number =>
  1_024 * Number(/^Pss: +(\d+)/m.exec(readOrEmpty(`/proc/${pid}/smaps_rollup`))?.[1] ?? 0);

/** A process may end between two looks. */
const readOrEmpty = (path: string): string => {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
};
