import type { Schemas } from "../../api.ts";

export type Job = Schemas["Job"];

/** What the list can be narrowed to. */
export const filters = ["all", "queued", "processing", "completed", "failed", "cancelled"] as const;

export type Filter = (typeof filters)[number];

export const filterOf = (asked: string | null): Filter => filters.find((filter) => filter === asked) ?? "all";

export const isUnfinished = ({ status }: Pick<Job, "status">): boolean =>
  status === "queued" || status === "processing";

/** What was learned of jobs after the list was read; null: the job is gone. */
export type Changes = ReadonlyMap<string, Job | null>;

/** @returns the list with what was learned since; a job stays where it is, also when it no longer fits the filter */
export const withChanges = (jobs: readonly Job[], changes: Changes): Job[] =>
  jobs.flatMap((job) => {
    const changed = changes.get(job.id);
    return changed === null ? [] : [changed ?? job];
  });

/** @returns what the job is called: the file that it made, else its formats, and the end of its id to tell it by */
export const nameOf = ({ result, source_format, target_format, id }: Job): string =>
  result?.filename ?? `${source_format} → ${target_format} …${id.slice(-4)}`;

/** @returns milliseconds from the beginning of the latest attempt to the end; undefined while it has none */
export const tookOf = ({ started_at, finished_at }: Job): number | undefined =>
  started_at === null || finished_at === null ? undefined : Date.parse(finished_at) - Date.parse(started_at);

/** @returns the codes of errors through the service's fault, for which a request is given back */
export const isServiceFault = (code: string): boolean =>
  ["timed_out", "out_of_memory", "engine_failed", "engine_crashed"].includes(code);
