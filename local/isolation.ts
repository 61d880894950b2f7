import { chooseEnclosure } from "../functions/engines/walls/choose.ts";
import type { Enclosure, Wall } from "../functions/engines/walls/enclosure.ts";
import { scrubbedEnvironment } from "../functions/engines/walls/environment.ts";
import type { Isolation } from "../functions/engines/walls/isolation.ts";
import { SettingsError } from "./settings.ts";

/** The walls that converters stand within on this machine, and what the operator is told of them. */
export interface Walls {
  readonly enclosure: Enclosure;
  readonly told: string;
}

interface Converters {
  readonly scratchFolder: string;
  readonly converterEntry: string;
}

/** @throws SettingsError when all walls are required, and cannot be had */
export const wallsAround = async (isolation: Isolation, converters: Converters): Promise<Walls> => {
  const { enclosure, refused } = await chooseEnclosure(isolation, {
    scratchFolder: converters.scratchFolder,
    entry: converters.converterEntry,
    environment: scrubbedEnvironment("/tmp"),
  });
  const missing = ALL.filter((wall) => !enclosure.walls.includes(wall));
  if (isolation === "require" && missing.length > 0) {
    throw new SettingsError(
      `ANYFORM_ISOLATION is "require", and converters cannot be kept from ${listed(missing)}. ${HOW}\n${refused.join("\n")}`,
    );
  }
  return { enclosure, told: telling({ enclosure, missing, refused, isolation }) };
};

/** What each wall keeps a converter from. */
const KEEPS_FROM: Readonly<Record<Wall, string>> = {
  files: "the files of this machine",
  network: "the network",
  processes: "other processes",
  limits: "taking more than its share",
};

const ALL: readonly Wall[] = ["files", "network", "processes", "limits"];

const HOW =
  "It takes bubblewrap (`npm run engines` installs it) and a Linux that lets its users make namespaces: docs/runbook.md.";

const listed = (walls: readonly Wall[]): string => walls.map((wall) => KEEPS_FROM[wall]).join(", ");

interface Telling {
  readonly enclosure: Enclosure;
  readonly missing: readonly Wall[];
  readonly refused: readonly string[];
  readonly isolation: Isolation;
}

const telling = ({ enclosure, missing, refused, isolation }: Telling): string => {
  const kept = `Converters are kept from ${listed(enclosure.walls.toSorted(inOrder))} (${enclosure.name}).`;
  if (missing.length === 0) {
    return kept;
  }
  const why = isolation === "none" ? ['ANYFORM_ISOLATION is "none".'] : [HOW, ...refused];
  return [`${kept} They are NOT kept from ${listed(missing)}.`, ...why].join("\n");
};

const inOrder = (one: Wall, other: Wall): number => ALL.indexOf(one) - ALL.indexOf(other);
