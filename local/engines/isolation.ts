import { chooseEnclosure } from "../../functions/engines/core/sandbox/choose.ts";
import { type Enclosure, enclosures, type Protection } from "../../functions/engines/core/sandbox/enclosure.ts";
import { scrubbedEnvironment } from "../../functions/engines/core/sandbox/environment.ts";
import type { Isolation } from "../../functions/engines/core/sandbox/isolation.ts";
import type { Reached } from "../../functions/engines/core/sandbox/reach.ts";
import { SettingsError } from "../setting-values.ts";

/** The sandbox of converters on this machine, and its summary for the operator. */
export interface Sandbox {
  readonly enclosure: Enclosure;
  readonly summary: string;
}

interface Converters {
  readonly scratchFolder: string;
  readonly converterEntry: string;
  /** Folders with data of the service, which converters must not see. @default none */
  readonly hidden?: readonly string[];
}

/**
 * @param offered the candidates
 * @throws SettingsError if a complete sandbox is required but not available, or does not restrict what it should
 */
export const sandboxFor = async (
  isolation: Isolation,
  converters: Converters,
  offered: readonly Enclosure[] = enclosures,
): Promise<Sandbox> => {
  const { scratchFolder, converterEntry: entry, hidden = [] } = converters;
  const surroundings = { scratchFolder, entry, hidden, environment: scrubbedEnvironment("/tmp") };
  const { enclosure, refused, reached } = await chooseEnclosure(isolation, surroundings, offered);
  const leaks = reached === undefined ? [] : leaksOf(reached);
  const missing = ALL.filter((part) => !enclosure.protections.includes(part));
  if (isolation === "require" && missing.length > 0) {
    throw new SettingsError(
      `ANYFORM_ISOLATION is "require", but the sandbox cannot restrict ${listed(missing)}. ${HOW}\n${refused.join("\n")}`,
    );
  }
  if (isolation === "require" && leaks.length > 0) {
    throw new SettingsError(
      `ANYFORM_ISOLATION is "require", but a program in the sandbox (${enclosure.name}) reached: ${leaks.join(", ")}.`,
    );
  }
  return {
    enclosure,
    summary: [...summaryOf({ enclosure, missing, refused, isolation }), ...checked(leaks, reached)].join("\n"),
  };
};

/** What each part of the sandbox restricts. */
const RESTRICTS: Readonly<Record<Protection, string>> = {
  files: "files",
  network: "network",
  processes: "other processes",
  limits: "memory and CPU",
  kernel: "system calls",
};

const ALL: readonly Protection[] = ["files", "network", "processes", "limits", "kernel"];

const FILES_NAMED_MAX = 3;

/** @returns what a program in the sandbox reached, for the operator */
const leaksOf = ({ files, network, processes, kernel }: Reached): readonly string[] => [
  ...files.slice(0, FILES_NAMED_MAX),
  ...(files.length > FILES_NAMED_MAX ? [`${files.length - FILES_NAMED_MAX} more files`] : []),
  ...(network ? ["the network"] : []),
  ...(processes ? ["other processes"] : []),
  ...(kernel ? ["new user namespaces"] : []),
];

const checked = (leaks: readonly string[], reached: Reached | undefined): readonly string[] => {
  if (reached === undefined) {
    return [];
  }
  return leaks.length === 0
    ? ["Checked from inside: data, network, other processes and user namespaces cannot be reached."]
    : [`REACHED from inside: ${leaks.join(", ")}.`];
};

const HOW =
  "Requires bubblewrap (installed by `npm run engines`) and a Linux with unprivileged user namespaces: see docs/operations.md.";

const listed = (parts: readonly Protection[]): string => parts.map((part) => RESTRICTS[part]).join(", ");

interface SummaryInput {
  readonly enclosure: Enclosure;
  readonly missing: readonly Protection[];
  readonly refused: readonly string[];
  readonly isolation: Isolation;
}

const summaryOf = ({ enclosure, missing, refused, isolation }: SummaryInput): readonly string[] => {
  const restricted = `Sandbox (${enclosure.name}) restricts: ${listed(enclosure.protections.toSorted(inOrder))}.`;
  if (missing.length === 0) {
    return [restricted];
  }
  const why = isolation === "none" ? ['ANYFORM_ISOLATION is "none".'] : [HOW, ...refused];
  return [`${restricted} NOT restricted: ${listed(missing)}.`, ...why];
};

const inOrder = (one: Protection, other: Protection): number => ALL.indexOf(one) - ALL.indexOf(other);
