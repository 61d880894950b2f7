import type { PackageRow } from "./packages.ts";

/** The state of a machine before the installation. */
export interface Machine {
  readonly platform: NodeJS.Platform;
  /** The text of `/etc/os-release`; empty if there is none. */
  readonly osRelease: string;
  readonly isRoot: boolean;
  /** @returns whether a program can be started by its name */
  has(program: string): boolean;
}

/** The commands to run, in order, and messages for the user. */
export interface Installation {
  readonly commands: readonly Command[];
  readonly advice: readonly string[];
}

export type Command = readonly [program: string, ...args: string[]];

/** A system with a known package manager. */
export interface System {
  readonly name: "apt" | "brew";
  /** @returns the system's names of the packages in the list */
  packages(list: readonly PackageRow[]): readonly string[];
  install(missing: readonly string[], machine: Machine): Installation;
}

/** @returns the system of the machine; undefined if it is unknown */
export const systemOf = ({ platform, osRelease, has }: Machine): System | undefined => {
  if (platform === "darwin" && has("brew")) {
    return brew;
  }
  if (platform === "linux" && idsOf(osRelease).includes("debian") && has("apt-get")) {
    return idsOf(osRelease).includes("ubuntu") ? ubuntu : apt;
  }
  return undefined;
};

/** @returns the IDs of the system and of those it derives from: `ID=linuxmint`, `ID_LIKE="ubuntu debian"` */
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
      : { commands: [], advice: [`Run as root: apt-get install --no-install-recommends ${missing.join(" ")}`] };
  },
};

/** Packages that Ubuntu provides only as a snap. A snap cannot access the folder of a job. */
const SNAPS: readonly string[] = ["chromium-headless-shell"];

const ubuntu: System = {
  ...apt,
  packages: (list) => apt.packages(list).filter((name) => !SNAPS.includes(name)),
  install: (missing, machine) => {
    const { commands, advice } = apt.install(missing, machine);
    return { commands, advice: machine.has("google-chrome") ? advice : [...advice, CHROMIUM_ON_UBUNTU] };
  },
};

/** The message for the user when the package manager's Chromium cannot be used. */
const CHROMIUM_ON_UBUNTU =
  "Ubuntu provides Chromium only as a snap, which cannot read a job's files. Install the .deb of Google Chrome, or use the " +
  "container image (docker compose up). Without it, HTML cannot be converted to PDF.";

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
