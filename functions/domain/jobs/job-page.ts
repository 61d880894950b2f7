import type { JobQuery, Page } from "../ports.ts";
import type { Job } from "./job.ts";
import { idRange, matchesAll, matchesFilter } from "./job-filter.ts";

/** Jobs that one request for a page reads. With a filter that few jobs match, a page is shorter, or even empty. */
export const LIST_JOBS_READ_MAX = 2_000;

/** Jobs that are read at once, when not all of them match. */
const JOBS_AT_ONCE = 100;

/** A range of an account's jobs: from an inclusive ID to an exclusive newer one. */
export interface JobRange {
  readonly from: string;
  readonly before: string;
  readonly limit: number;
}

/** Entries of an index, newest first. The job of an entry can be gone. */
export type ReadRange = (range: JobRange) => Promise<readonly { readonly id: string; readonly job: Job | undefined }[]>;

/**
 * Reads jobs until the page is full, there are no more, or {@link LIST_JOBS_READ_MAX} have been read.
 * @param read returns the newest `limit` entries of the range; fewer only if there are no more
 * @returns a page of the jobs that match the query
 */
export const jobPage = async (query: JobQuery, read: ReadRange): Promise<Page<Job>> => {
  const { limit, now } = query;
  const { from, before } = idRange(query);
  const items: Job[] = [];
  let last = before;
  let more = from < before;
  for (let entries = 0; more && items.length <= limit && entries < LIST_JOBS_READ_MAX; ) {
    const wanted = matchesAll(query) ? limit - items.length + 1 : JOBS_AT_ONCE;
    const found = await read({ from, before: last, limit: wanted });
    items.push(...found.flatMap(({ job }) => (job !== undefined && matchesFilter(job, query, now) ? [job] : [])));
    last = found.at(-1)?.id ?? last;
    more = found.length === wanted;
    entries += wanted;
  }
  const page = items.slice(0, limit);
  const next = items.length > limit ? page.at(-1)?.id : more ? last : undefined;
  return { items: page, ...(next !== undefined && { next }) };
};
