import { readdirSync, readFileSync } from "node:fs";

/** Size of a memory page on Linux: always on x86-64, by default on arm64. */
const PAGE_BYTES = 4_096;

/**
 * @returns the resident memory of the process in bytes; 0 when the system does not report it, or after the process has
 * ended
 */
export const residentBytes = (pid: number | undefined): number => PAGE_BYTES * (pagesOf(pid)[1] ?? 0);

/**
 * @param leader process id of the leader of a process group
 * @returns the resident memory of the group in bytes; memory shared by its processes is counted once, with the leader
 */
export const groupBytes = (leader: number | undefined): number => {
  const own = residentBytes(leader);
  return leader === undefined || isAlone(leader)
    ? own
    : membersOf(leader).reduce((sum, pid) => sum + privateBytes(pid), own);
};

/** @returns the bytes of resident pages, without file-backed and shared memory */
export const privateBytes = (pid: number): number => {
  const [, resident = 0, shared = 0] = pagesOf(pid);
  return PAGE_BYTES * (resident - shared);
};

/** @returns the fields of `statm`, in pages (proc(5)); `status` has the same data, but takes five times as long */
const pagesOf = (pid: number | undefined): readonly number[] => read(`/proc/${pid}/statm`).split(" ", 3).map(Number);

/** Most conversions start no program, and scanning all processes takes a hundred times as long as this check. */
const isAlone = (pid: number): boolean => read(`/proc/${pid}/task/${pid}/children`, "?") === "";

const membersOf = (leader: number): number[] =>
  processes()
    .map(Number)
    .filter((pid) => pid !== leader && groupOf(pid) === leader);

/** The program name is in parentheses and may contain any character, so the fields start after the last parenthesis. */
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

/** Small conversions change the memory of a process little, and measuring it costs as much as a tenth of one. */
const MEASURED_USES = 16;

/** @returns the bytes as they were measured after the last change, or {@link MEASURED_USES} uses ago at most */
export const measuredRarely = (measure: () => number) => {
  let [bytes, uses] = [0, MEASURED_USES];
  return {
    changed: (): void => {
      uses = MEASURED_USES;
    },
    bytes: (): number => {
      uses += 1;
      if (uses > MEASURED_USES) {
        [bytes, uses] = [measure(), 0];
      }
      return bytes;
    },
  };
};
