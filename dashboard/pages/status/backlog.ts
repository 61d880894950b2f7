import type { Schemas } from "../../api.ts";

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
