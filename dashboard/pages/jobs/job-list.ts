import type { Schemas } from "../../api.ts";
import { queryOf } from "../../ui/paging.ts";
import { periodOf } from "../../ui/period.ts";

export type Job = Schemas["Job"];

/** The filters of the list. */
export const filters = ["all", "queued", "processing", "completed", "failed", "cancelled"] as const;

export type Filter = (typeof filters)[number];

export const filterOf = (text: string | null): Filter => filters.find((filter) => filter === text) ?? "all";

const PAGE_ITEMS = "20";

/** @param query the query of the page @returns the API's path of the page's jobs */
export const listPath = (query: URLSearchParams, after: string | undefined): string => {
  const status = filterOf(query.get("status"));
  const search = query.get("search") ?? "";
  return `convert${queryOf({
    limit: PAGE_ITEMS,
    after,
    status: status === "all" ? undefined : status,
    ...(/^job_\w+$/.test(search) ? { job_id: search } : { filename: search }),
    source_format: query.get("source") ?? undefined,
    target_format: query.get("target") ?? undefined,
    key_id: query.get("key") ?? undefined,
    ...periodOf(query),
  })}`;
};

export const isUnfinished = ({ status }: Pick<Job, "status">): boolean =>
  status === "queued" || status === "processing";

/** Changes of jobs since the list was read; null: the job was deleted. */
export type Changes = ReadonlyMap<string, Job | null>;

/** @returns the list with the changes; a job keeps its place even if it no longer matches the filter */
export const withChanges = (jobs: readonly Job[], changes: Changes): Job[] =>
  jobs.flatMap((job) => {
    const changed = changes.get(job.id);
    return changed === null ? [] : [changed ?? job];
  });

/** @returns the name of the result or of the file; if none is known, the formats and the end of the job's id */
export const nameOf = ({ result, source_filename, source_format, target_format, id }: Job): string =>
  fileNameOf({ result, source_filename }) ?? `${source_format} → ${target_format} …${id.slice(-4)}`;

/** @returns the name of the result; without a result, of the file; undefined for jobs of former releases */
export const fileNameOf = ({ result, source_filename }: Pick<Job, "result" | "source_filename">): string | undefined =>
  result?.filename ?? source_filename ?? undefined;

/** @returns milliseconds from the start of the latest attempt to the end; undefined while unfinished */
export const durationOf = ({ started_at, finished_at }: Job): number | undefined =>
  started_at === null || finished_at === null ? undefined : Date.parse(finished_at) - Date.parse(started_at);

/** @returns whether the error is the service's fault, so that the request is refunded */
export const isServiceFault = (code: string): boolean =>
  ["timed_out", "out_of_memory", "engine_failed", "engine_crashed"].includes(code);
