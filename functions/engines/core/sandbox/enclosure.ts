import { bubblewrapCommand, hasFilter } from "./bubblewrap.ts";
import { limited } from "./rlimits.ts";

/**
 * Protections that separate a converter, and everything it starts, from the machine:
 * - `limits`: limits on open files, file size, CPU and memory of each process, and no core dumps;
 * - `network`: no network access, not even to the machine's loopback interface;
 * - `processes`: other processes are not visible, the number of threads is limited, and no process outlives the
 *   converter;
 * - `files`: only programs and the converter's code (read-only), and the files of its current job are visible;
 * - `kernel`: system calls that no engine makes are refused, and no user namespaces can be created.
 */
export type Protection = "files" | "kernel" | "limits" | "network" | "processes";

/** The folder of one converter, its entry point and its environment, and what it must not see. */
export interface Inside {
  /** Contains `tmp`, `jobs` and `inputs`; see `folder.ts`. */
  readonly folder: string;
  /** The converter's entry point. */
  readonly entry: string;
  /** The converter's environment variables. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Folders with data of the service. @default none */
  readonly hidden?: readonly string[];
}

/** A way to start a converter in a sandbox. */
export interface Enclosure {
  readonly name: string;
  readonly protections: readonly Protection[];
  /** Number of processes between the started one and the converter; each is the first child of the previous one. */
  readonly depth: number;
  /** @returns the program and arguments that start the inner command in the sandbox */
  command(inner: readonly string[], inside: Inside): readonly [string, ...string[]];
}

/**
 * Uses bubblewrap, like Flatpak. It requires unprivileged user namespaces, which unprivileged containers and Lambda do
 * not allow.
 */
const bubblewrap: Enclosure = {
  name: "bwrap",
  protections: ["limits", "network", "processes", "files", ...(hasFilter ? (["kernel"] as const) : [])],
  // The one that waits outside, and the first process inside. When that one ends, all others end.
  depth: 2,
  command: (inner, inside) => [...bubblewrapCommand(inside), ...limited(inner, { countsThreads: true })],
};

/** Uses util-linux, which every Linux has: all protections that work without a separate file system. */
const unshare: Enclosure = {
  name: "unshare",
  protections: ["limits", "network", "processes"],
  depth: 2,
  command: (inner) => [
    ...(["setpriv", "--pdeathsig", "KILL", "--"] as const),
    ...["unshare", "--user", "--map-current-user", "--net", "--ipc", "--pid", "--mount-proc", "--fork"],
    // The shell is the first process inside. Node would be a bad init process: signals do not end it.
    ...["--kill-child=KILL", "--", "/bin/sh", "-c", '"$@"; exit $?', "sh"],
    ...limited(inner, { countsThreads: true }),
  ],
};

/** Only the limits that any process can set on itself. */
export const limitsAlone: Enclosure = {
  name: "sh",
  protections: ["limits"],
  depth: 0,
  command: (inner) => limited(inner, { countsThreads: false }),
};

/** Best first. */
export const enclosures: readonly Enclosure[] = [bubblewrap, unshare, limitsAlone];
