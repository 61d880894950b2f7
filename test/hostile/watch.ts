import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { privateBytes, residentBytes } from "../../functions/engines/core/memory.ts";

/** Memory of the processes of a service, and contents of folders. */

const POLL_MS = 50;

/** The peak memory of one process group below the service. */
export interface Peak {
  readonly bytes: number;
  /** The conversions in progress at that time. */
  readonly during: readonly string[];
}

export interface MemoryWatch {
  /** @returns the peak of any group since the last call */
  take(): Peak;
  stop(): void;
}

/**
 * Watches the process groups that a process has started (Linux): converters, with the programs that they run.
 *
 * @param underWay returns the conversions in progress
 */
export const watchGroups = (service: number, underWay: () => readonly string[]): MemoryWatch => {
  let peak: Peak = { bytes: 0, during: [] };
  const timer = setInterval(() => {
    const bytes = largestGroup(service);
    peak = bytes > peak.bytes ? { bytes, during: underWay() } : peak;
  }, POLL_MS);
  return {
    take: () => {
      const most = peak;
      peak = { bytes: 0, during: [] };
      return most;
    },
    stop: () => clearInterval(timer),
  };
};

interface Process {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
}

const largestGroup = (service: number): number => {
  const all = processes();
  const below = new Set([service]);
  for (let size = 0; size !== below.size; ) {
    size = below.size;
    for (const { pid, parent } of all) {
      if (below.has(parent)) {
        below.add(pid);
      }
    }
  }
  const own = all.find(({ pid }) => pid === service)?.group;
  const groups = Map.groupBy(
    all.filter(({ pid, group }) => below.has(pid) && group !== own),
    ({ group }) => group,
  );
  return Math.max(0, ...[...groups.values()].map(bytesOf));
};

/** Shared memory is counted once, with the largest process. */
const bytesOf = (group: readonly Process[]): number => {
  const sizes = group.map(({ pid }) => ({ own: privateBytes(pid), all: residentBytes(pid) }));
  return sizes.reduce((sum, { own }) => sum + own, 0) + Math.max(0, ...sizes.map(({ own, all }) => all - own));
};

const processes = (): Process[] =>
  readdirSync("/proc").flatMap((name) => {
    const stat = /^\d+$/.test(name) ? readOrNothing(`/proc/${name}/stat`) : "";
    // The program name is in parentheses and may contain any character: the fields start after the last parenthesis.
    const [, parent, group] = stat.split(") ").at(-1)?.split(" ") ?? [];
    return stat === "" ? [] : [{ pid: Number(name), parent: Number(parent), group: Number(group) }];
  });

/** A process may end between two polls. */
const readOrNothing = (path: string): string => {
  try {
    return readFileSync(path, "latin1");
  } catch {
    return "";
  }
};

/** @returns the paths of all files in a folder */
export const listing = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true }).map((entry) => join(entry.parentPath, entry.name));
