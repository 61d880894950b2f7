import { readdirSync, readFileSync } from "node:fs";

/** Bytes of a page of memory, as Linux has it on x86-64 and, by default, on arm64. */
const PAGE_BYTES = 4_096;

/** @returns the bytes of memory that the process holds; 0 where the system does not tell, or when it has ended */
export const residentBytes = (pid: number | undefined): number => PAGE_BYTES * (pagesOf(pid)[1] ?? 0);

/**
 * @param leader process id of the leader of a process group
 * @returns the bytes of memory that the group holds: what its processes share is counted once, with the leader
 */
export const groupBytes = (leader: number | undefined): number => {
  const own = residentBytes(leader);
  return leader === undefined || isAlone(leader)
    ? own
    : membersOf(leader).reduce((sum, pid) => sum + privateBytes(pid), own);
};

/** @returns the bytes of its resident pages without those of files and of memory that is shared */
export const privateBytes = (pid: number): number => {
  const [, resident = 0, shared = 0] = pagesOf(pid);
  return PAGE_BYTES * (resident - shared);
};

/** @returns the fields of `statm`, in pages (proc(5)); `status` says the same and costs five times as much */
const pagesOf = (pid: number | undefined): readonly number[] => read(`/proc/${pid}/statm`).split(" ", 3).map(Number);

/** Most conversions start no program, and looking at all processes costs a hundred times this. */
const isAlone = (pid: number): boolean => read(`/proc/${pid}/task/${pid}/children`, "?") === "";

const membersOf = (leader: number): number[] =>
  processes()
    .map(Number)
    .filter((pid) => pid !== leader && groupOf(pid) === leader);

/** The name of the program stands in brackets and may have any character: the fields begin behind the last one. */
const groupOf = (pid: number): number => Number(read(`/proc/${pid}/stat`).split(") ").at(-1)?.split(" ", 3)[2]);

const processes = (): string[] => {
  try {
    return readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  } catch {
    // No /proc on this system.
    return [];
  }
};

const read = (path: string, otherwise = ""): string => {
  try {
    return readFileSync(path, "latin1");
  } catch {
    // No /proc on this system, or the process has just ended.
    return otherwise;
  }
};
