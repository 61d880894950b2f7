import type { PackageRow } from "./packages.ts";

/** What is known of a machine before anything is installed on it. */
export interface Machine {
  readonly platform: NodeJS.Platform;
  /** The text of `/etc/os-release`; empty where there is none. */
  readonly osRelease: string;
  readonly isRoot: boolean;
  /** @returns whether a program can be started by its name */
  has(program: string): boolean;
}

/** What is to be run, in order, and what the user is told besides. */
export interface Installation {
  readonly commands: readonly Command[];
  readonly advice: readonly string[];
}

export type Command = readonly [program: string, ...args: string[]];

/** A system whose packages we know. */
export interface System {
  readonly name: "apt" | "brew";
  /** @returns what the system calls what the list names */
  packages(list: readonly PackageRow[]): readonly string[];
  install(missing: readonly string[], machine: Machine): Installation;
}

/** @returns how packages come onto the machine; undefined where nobody has told us */
export const systemOf = ({ platform, osRelease, has }: Machine): System | undefined => {
  if (platform === "darwin" && has("brew")) {
    return brew;
  }
  if (platform === "linux" && idsOf(osRelease).includes("debian") && has("apt-get")) {
    return idsOf(osRelease).includes("ubuntu") ? ubuntu : apt;
  }
  return undefined;
};

/** @returns the names of the system and of those that it comes from: `ID=linuxmint`, `ID_LIKE="ubuntu debian"` */
const idsOf = (osRelease: string): readonly string[] =>
  [...osRelease.matchAll(/^ID(?:_LIKE)?="?([^"\n]*)"?$/gm)].flatMap(([, ids = ""]) => ids.split(" "));

const named = (list: readonly PackageRow[], name: keyof PackageRow): readonly string[] =>
  list.flatMap((row) => row[name] ?? []);

const apt: System = {
  name: "apt",
  packages: (list) => named(list, "apt"),
  install: (missing, { isRoot, has }) => {
    const commands: readonly Command[] = [
      ["apt-get", "update", "-qq"],
      [
        "env",
        "DEBIAN_FRONTEND=noninteractive",
        "apt-get",
        "install",
        "-y",
        "-qq",
        "--no-install-recommends",
        ...missing,
      ],
    ];
    if (isRoot) {
      return { commands, advice: [] };
    }
    return has("sudo")
      ? { commands: commands.map((command): Command => ["sudo", ...command]), advice: [] }
      : { commands: [], advice: [`Run this as root: apt-get install --no-install-recommends ${missing.join(" ")}`] };
  },
};

/** What Ubuntu has only as a snap: a snap sees neither the folder of a job nor the rest of the machine. */
const SNAPS: readonly string[] = ["chromium-headless-shell"];

const ubuntu: System = {
  ...apt,
  packages: (list) => apt.packages(list).filter((name) => !SNAPS.includes(name)),
  install: (missing, machine) => {
    const { commands, advice } = apt.install(missing, machine);
    return { commands, advice: machine.has("google-chrome") ? advice : [...advice, CHROMIUM_ON_UBUNTU] };
  },
};

/** @returns what the user is told of Chromium where the package manager's own cannot be used */
const CHROMIUM_ON_UBUNTU =
  "Ubuntu has Chromium only as a snap, which cannot read a job's files: install Google Chrome's own .deb, or use the " +
  "container image (docker compose up). Without it no web page becomes a PDF.";

const CASK = "cask/";

const brew: System = {
  name: "brew",
  packages: (list) => named(list, "brew"),
  install: (missing) => {
    const casks = missing.filter((name) => name.startsWith(CASK)).map((name) => name.slice(CASK.length));
    const formulas = missing.filter((name) => !name.startsWith(CASK));
    const commands: readonly Command[] = [
      ["brew", "install", "--formula", ...formulas],
      ["brew", "install", "--cask", ...casks],
    ];
    const counts = [formulas.length, casks.length];
    return { commands: commands.filter((_, index) => counts[index] !== 0), advice: [] };
  },
};
