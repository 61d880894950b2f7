import type { Job, JobList } from "../../api.ts";
import { AnyformError } from "../../http/errors.ts";
import type { Service } from "../../http/request.ts";

/** Detects the ends of jobs from repeated lists of the account's jobs. */
export interface JobEvents {
  /** @returns the jobs that have ended since the previous call, in the order of their ends; none in the first call */
  poll(signal: AbortSignal): Promise<readonly Job[]>;
}

export type EventType = "job.cancelled" | "job.completed" | "job.failed";

const types: Readonly<Record<Job["status"], EventType | undefined>> = {
  queued: undefined,
  processing: undefined,
  completed: "job.completed",
  // The result was deleted before the next poll.
  expired: "job.completed",
  failed: "job.failed",
  cancelled: "job.cancelled",
};

/** @returns the type of the event; undefined for a job that has not ended */
export const eventTypeOf = ({ status }: Pick<Job, "status">): EventType | undefined => types[status];

const PAGE_JOBS = 100;
/** Pages per poll. Jobs beyond them are found by the next polls. */
const PAGES_MAX = 10;
/** A job appears in lists within this time after its creation, in milliseconds. */
const LAG_MS = 60_000;
/** Old jobs in progress that are checked individually in each poll: an account has 20 requests per second. */
const CHECKS_MAX = 10;

export const jobEvents = (service: Service): JobEvents => {
  /** Jobs that have not ended, in the order of their last check. */
  const open = new Set<string>();
  /** Ended jobs that the next list may contain, with the time of their creation. */
  const ended = new Map<string, number>();
  let newest: number | undefined;
  const note = (job: Job): boolean => {
    const created = Date.parse(job.created_at);
    newest = Math.max(newest ?? created, created);
    if (eventTypeOf(job) === undefined) {
      open.add(job.id);
      return false;
    }
    open.delete(job.id);
    const isNew = !ended.has(job.id);
    ended.set(job.id, created);
    return isNew;
  };
  const forget = (): void => {
    for (const [id, created] of ended) {
      if (created < (newest ?? 0) - LAG_MS) {
        ended.delete(id);
      }
    }
  };
  const recent = () => (newest === undefined ? {} : { created_after: new Date(newest - LAG_MS).toISOString() });
  let isFirst = true;
  return {
    poll: async (signal) => {
      if (isFirst) {
        for (const filter of [{ limit: "1" }, { status: "queued" }, { status: "processing" }]) {
          (await listed(service, filter, signal)).forEach(note);
        }
      }
      const found = await listed(service, recent(), signal);
      const listedIds = new Set(found.map(({ id }) => id));
      const checked = await checkedOf(service, { open, listedIds }, signal);
      const ends = [...found, ...checked].filter(note);
      forget();
      const news = isFirst ? [] : ends;
      isFirst = false;
      return news.toSorted((a, b) => String(a.finished_at).localeCompare(String(b.finished_at)));
    },
  };
};

const listed = async (
  service: Service,
  filter: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<Job[]> => {
  const jobs: Job[] = [];
  const query = new URLSearchParams({ limit: String(PAGE_JOBS), ...filter });
  for (let page = 1; page <= PAGES_MAX; page += 1) {
    const list = await service.json<JobList>({ to: `convert?${query}`, signal });
    jobs.push(...list.jobs);
    if (list.next === null || filter.limit !== undefined) {
      break;
    }
    query.set("after", list.next);
  }
  return jobs;
};

/** @returns the current state of jobs in progress that are too old for the list */
const checkedOf = async (
  service: Service,
  { open, listedIds }: { readonly open: Set<string>; readonly listedIds: ReadonlySet<string> },
  signal: AbortSignal,
): Promise<Job[]> => {
  const jobs: Job[] = [];
  for (const id of [...open].filter((each) => !listedIds.has(each)).slice(0, CHECKS_MAX)) {
    // The next poll checks others first.
    open.delete(id);
    const job = await service.json<Job>({ to: `convert/${id}/status`, signal }).catch((error: unknown) => {
      if (error instanceof AnyformError && (error.status === 404 || error.status === 410)) {
        return undefined;
      }
      open.add(id);
      throw error;
    });
    jobs.push(...(job === undefined ? [] : [job]));
  }
  return jobs;
};
