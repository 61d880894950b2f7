import { cpuSecondsMax, DATA_BYTES_MAX, FILE_BYTES_MAX, OPEN_FILES_MAX, threadsMax } from "./limits.ts";

/** What POSIX counts the bytes of a file in. */
const BLOCK_BYTES = 512;

/**
 * Sets limits and becomes the program. The shell does it, and not prlimit(1), because every system has one. A limit that
 * is lower already stays: it cannot be raised. Last, the converter goes first when the machine runs out of memory, and
 * not the service (Linux).
 */
const script = (threads: string): string =>
  [
    "ulimit -c 0",
    `ulimit -n ${OPEN_FILES_MAX}`,
    `ulimit -f ${FILE_BYTES_MAX / BLOCK_BYTES}`,
    `ulimit -d ${DATA_BYTES_MAX / 1_000}`,
    `ulimit -t ${cpuSecondsMax()}`,
    threads,
    "echo 1000 >/proc/self/oom_score_adj",
  ]
    .map((command) => `{ ${command}; } 2>/dev/null`)
    // What shells add to the environment.
    .concat("unset PWD OLDPWD SHLVL", 'exec "$@"')
    .join("; ");

/**
 * @param countsThreads whether the converter has a count of threads of its own. Outside of a user namespace the kernel
 * counts those of the user, the service's too; root is never held to it.
 * @returns the command that starts the inner one within the limits
 */
export const limited = (
  inner: readonly string[],
  { countsThreads }: { readonly countsThreads: boolean },
): readonly [string, ...string[]] => {
  // Bash says -u, and dash says -p; each refuses the other's letter.
  const threads = countsThreads ? `ulimit -u ${threadsMax()} || ulimit -p ${threadsMax()}` : ":";
  return ["/bin/sh", "-c", script(threads), "sh", ...inner];
};
