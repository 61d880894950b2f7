import { chooseEnclosure } from "../../functions/engines/core/sandbox/choose.ts";
import type { Enclosure, Protection } from "../../functions/engines/core/sandbox/enclosure.ts";
import { scrubbedEnvironment } from "../../functions/engines/core/sandbox/environment.ts";
import type { Isolation } from "../../functions/engines/core/sandbox/isolation.ts";
import { SettingsError } from "../settings.ts";

/** The sandbox of converters on this machine, and its summary for the operator. */
export interface Sandbox {
  readonly enclosure: Enclosure;
  readonly summary: string;
}

interface Converters {
  readonly scratchFolder: string;
  readonly converterEntry: string;
}

/** @throws SettingsError if a complete sandbox is required but not available */
export const sandboxFor = async (isolation: Isolation, converters: Converters): Promise<Sandbox> => {
  const { enclosure, refused } = await chooseEnclosure(isolation, {
    scratchFolder: converters.scratchFolder,
    entry: converters.converterEntry,
    environment: scrubbedEnvironment("/tmp"),
  });
  const missing = ALL.filter((part) => !enclosure.protections.includes(part));
  if (isolation === "require" && missing.length > 0) {
    throw new SettingsError(
      `ANYFORM_ISOLATION is "require", but the sandbox cannot restrict ${listed(missing)}. ${HOW}\n${refused.join("\n")}`,
    );
  }
  return { enclosure, summary: summaryOf({ enclosure, missing, refused, isolation }) };
};

/** What each part of the sandbox restricts. */
const RESTRICTS: Readonly<Record<Protection, string>> = {
  files: "files",
  network: "network",
  processes: "other processes",
  limits: "memory and CPU",
};

const ALL: readonly Protection[] = ["files", "network", "processes", "limits"];

const HOW =
  "Requires bubblewrap (installed by `npm run engines`) and a Linux with unprivileged user namespaces: see docs/operations.md.";

const listed = (parts: readonly Protection[]): string => parts.map((part) => RESTRICTS[part]).join(", ");

interface SummaryInput {
  readonly enclosure: Enclosure;
  readonly missing: readonly Protection[];
  readonly refused: readonly string[];
  readonly isolation: Isolation;
}

const summaryOf = ({ enclosure, missing, refused, isolation }: SummaryInput): string => {
  const restricted = `Sandbox (${enclosure.name}) restricts: ${listed(enclosure.protections.toSorted(inOrder))}.`;
  if (missing.length === 0) {
    return restricted;
  }
  const why = isolation === "none" ? ['ANYFORM_ISOLATION is "none".'] : [HOW, ...refused];
  return [`${restricted} NOT restricted: ${listed(missing)}.`, ...why].join("\n");
};

const inOrder = (one: Protection, other: Protection): number => ALL.indexOf(one) - ALL.indexOf(other);
