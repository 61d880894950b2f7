import type { Schemas } from "../../api.ts";

/** An installed engine, and the formats that depend on it. */
export interface EngineRow {
  readonly name: string;
  /** Undefined for a program of the operating system, which has its own version. */
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

/** The unfinished conversions of an account. */
export interface Backlog {
  /** Conversions that have been queued for more than {@link LONG_WAIT_MS}. */
  readonly delayed: number;
  /** Conversions that are queued or running. */
  readonly unfinished: number;
  /** When the last conversion ended; undefined if none has. */
  readonly lastEnd: string | undefined;
}

/** One minute. A conversion that is queued for longer is delayed. */
export const LONG_WAIT_MS = 60_000;

export const backlogOf = (
  jobs: readonly Pick<Schemas["Job"], "created_at" | "finished_at" | "status">[],
  now: number,
): Backlog => ({
  delayed: jobs.filter(({ status, created_at }) => status === "queued" && now - Date.parse(created_at) > LONG_WAIT_MS)
    .length,
  unfinished: jobs.filter(({ status }) => status === "queued" || status === "processing").length,
  lastEnd: jobs
    .map(({ finished_at }) => finished_at ?? "")
    .filter((time) => time !== "")
    .reduce<string | undefined>((latest, time) => (latest === undefined || time > latest ? time : latest), undefined),
});
