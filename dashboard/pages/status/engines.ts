import type { Schemas } from "../../api.ts";

/** An engine of this deployment, and what hangs on it. */
export interface EngineRow {
  readonly name: string;
  /** Undefined for a program of the system, which brings its own. */
  readonly version: string | undefined;
  /** How many formats of each family it reads or writes, the most first. */
  readonly families: readonly (readonly [family: string, formats: number])[];
}

/** @returns the engines by name, each with the families whose formats it reads or writes */
export const engineRows = (
  engines: Schemas["Health"]["engines"],
  formats: readonly Schemas["Format"][],
): readonly EngineRow[] =>
  Object.entries(engines)
    .map(([name, version]) => ({
      name,
      version: version === "system" ? undefined : version.replace(/^v/, ""),
      families: counted(formats.filter((format) => format.engines.includes(name)).map(({ family }) => family)),
    }))
    .sort((one, other) => one.name.localeCompare(other.name));

const counted = (families: readonly string[]): EngineRow["families"] =>
  [...Map.groupBy(families, (family) => family)]
    .map(([family, of]) => [family, of.length] as const)
    .sort(([, one], [, other]) => other - one);

/** How the conversions of an account go. */
export interface Pace {
  /** Those that have waited for longer than {@link LONG_WAIT_MS}. */
  readonly late: number;
  /** Those that wait or run. */
  readonly unfinished: number;
  /** When the last of them ended; undefined when none has. */
  readonly lastEnd: string | undefined;
}

/** A minute: what waits longer than this waits for more than its turn. */
export const LONG_WAIT_MS = 60_000;

export const paceOf = (
  jobs: readonly Pick<Schemas["Job"], "created_at" | "finished_at" | "status">[],
  now: number,
): Pace => ({
  late: jobs.filter(({ status, created_at }) => status === "queued" && now - Date.parse(created_at) > LONG_WAIT_MS)
    .length,
  unfinished: jobs.filter(({ status }) => status === "queued" || status === "processing").length,
  lastEnd: jobs
    .map(({ finished_at }) => finished_at ?? "")
    .filter((time) => time !== "")
    .reduce<string | undefined>((latest, time) => (latest === undefined || time > latest ? time : latest), undefined),
});
