import { cpuSecondsMax, DATA_BYTES_MAX, FILE_BYTES_MAX, OPEN_FILES_MAX, threadsMax } from "./limits.ts";

/** POSIX's unit of the file size limit. */
const BLOCK_BYTES = 512;

/**
 * Sets limits and then executes the program. A shell does this instead of prlimit(1), because every system has one. A
 * limit that is already lower is kept, since it cannot be raised. Finally, the OOM score makes Linux kill the
 * converter, not the service, when the machine runs out of memory.
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
    // Variables that shells add to the environment.
    .concat("unset PWD OLDPWD SHLVL", 'exec "$@"')
    .join("; ");

/**
 * @param countsThreads whether the converter's threads are counted separately. Outside a user namespace, the kernel
 * counts all threads of the user, including the service's; for root, the limit is never enforced.
 * @returns the command that starts the inner one with the limits
 */
export const limited = (
  inner: readonly string[],
  { countsThreads }: { readonly countsThreads: boolean },
): readonly [string, ...string[]] => {
  // Bash uses -u, dash uses -p; each rejects the other option.
  const threads = countsThreads ? `ulimit -u ${threadsMax()} || ulimit -p ${threadsMax()}` : ":";
  return ["/bin/sh", "-c", script(threads), "sh", ...inner];
};
