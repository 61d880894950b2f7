import { bubblewrapCommand } from "./bubblewrap.ts";
import { limited } from "./rlimits.ts";

/**
 * What stands between a converter, with all that it starts, and the machine:
 * - `limits` on open files, bytes of a file, CPU and memory of each process, and no core dumps;
 * - `network`: it has none, not even loopback of the machine;
 * - `processes`: it sees no others, cannot start more than so many threads, and none of its own outlives it;
 * - `files`: it sees the programs and its own code, which it cannot write, and the files of the one job in its hands.
 */
export type Wall = "files" | "limits" | "network" | "processes";

/** The folder of one converter, and what a converter is made of. */
export interface Inside {
  /** With `tmp`, `jobs` and `inputs` in it; see `place.ts`. */
  readonly folder: string;
  /** The converter's program. */
  readonly entry: string;
  /** The variables that it gets. */
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** A way to start a converter within walls. */
export interface Enclosure {
  readonly name: string;
  readonly walls: readonly Wall[];
  /** Processes that stand between the one that is started and the converter, each the first child of the one before. */
  readonly depth: number;
  /** @returns the program, and its arguments, that starts the inner one within the walls */
  command(inner: readonly string[], inside: Inside): readonly [string, ...string[]];
}

/**
 * By bubblewrap, which Flatpak uses for the same. Namespaces of the user's own have to be allowed, which a container
 * without rights and Lambda do not do.
 */
const bubblewrap: Enclosure = {
  name: "bwrap",
  walls: ["limits", "network", "processes", "files"],
  // The one that waits outside, and the first process inside, which ends all others with it.
  depth: 2,
  command: (inner, inside) => ["bwrap", ...bubblewrapCommand(inside), ...limited(inner, { countsThreads: true })],
};

/** By util-linux, which every Linux has: what needs no other file system. */
const unshare: Enclosure = {
  name: "unshare",
  walls: ["limits", "network", "processes"],
  depth: 2,
  command: (inner) => [
    ...(["setpriv", "--pdeathsig", "KILL", "--"] as const),
    ...["unshare", "--user", "--map-current-user", "--net", "--ipc", "--pid", "--mount-proc", "--fork"],
    // The shell is the first process inside: Node would be no good one, since signals do not end that.
    ...["--kill-child=KILL", "--", "/bin/sh", "-c", '"$@"; exit $?', "sh"],
    ...limited(inner, { countsThreads: true }),
  ],
};

/** What every system lets a program do to itself. */
export const limitsAlone: Enclosure = {
  name: "sh",
  walls: ["limits"],
  depth: 0,
  command: (inner) => limited(inner, { countsThreads: false }),
};

/** Best first. */
export const enclosures: readonly Enclosure[] = [bubblewrap, unshare, limitsAlone];
