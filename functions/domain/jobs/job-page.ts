import { filteredPage, type ReadRange } from "../filtered-page.ts";
import type { JobQuery, Page } from "../ports.ts";
import type { Job } from "./job.ts";
import { idRange, matchesAll, matchesFilter } from "./job-filter.ts";

/**
 * @param read returns the newest `limit` entries of the range; fewer only if there are no more
 * @returns a page of the jobs that match the query, of a limited number of jobs that are read
 */
export const jobPage = (query: JobQuery, read: ReadRange<Job>): Promise<Page<Job>> =>
  filteredPage(
    {
      ...idRange(query),
      limit: query.limit,
      matches: (job) => matchesFilter(job, query, query.now),
      isNarrow: !matchesAll(query),
    },
    read,
  );
