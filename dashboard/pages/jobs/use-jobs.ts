import { useEffect, useState } from "preact/hooks";
import { api, type Schemas } from "../../api.ts";
import { texts } from "../../text.ts";
import { announce } from "../../ui/live.tsx";
import { useReturn } from "../../ui/on-return.ts";
import { type Remote, useRemote } from "../../ui/remote.ts";
import { followJobs, readJob } from "./follow.ts";
import { type Changes, isUnfinished, type Job, listPath, nameOf, withChanges } from "./job-list.ts";

const NONE: readonly Job[] = [];

export interface ShownJobs {
  /** Undefined until the first page is loaded. */
  readonly jobs: readonly Job[] | undefined;
  readonly next: string | undefined;
  readonly list: Remote<Schemas["JobList"]>;
  /** Stores a job's new state; null: it was deleted. */
  readonly onChange: (id: string, job: Job | null) => void;
}

/** @param search the query of the page, with its filters @returns a page of jobs that stays up to date: unfinished jobs are polled, and new ones appear when the user returns. */
export const useJobs = (search: string, after: string | undefined): ShownJobs => {
  const path = listPath(new URLSearchParams(search), after);
  const list = useRemote(() => api.get<Schemas["JobList"]>(path), [path]);
  const [changes, setChanges] = useState<Changes>(new Map());
  const onChange = (id: string, job: Job | null): void => setChanges((before) => new Map(before).set(id, job));
  useReturn(list.reload);
  // A reloaded list includes earlier changes.
  useEffect(() => setChanges(new Map()), [list.data]);
  useFollow(list.data?.jobs ?? NONE, onChange);
  return {
    jobs: list.data && withChanges(list.data.jobs, changes),
    next: list.data?.next ?? undefined,
    list,
    onChange,
  };
};

/** Polls unfinished jobs while the page is visible. */
const useFollow = (jobs: readonly Job[], onChange: ShownJobs["onChange"]): void => {
  const isVisible = useVisible();
  // Restarts with each list that is read, not with each change.
  useEffect(() => {
    const unfinished = jobs.filter(isUnfinished);
    if (!isVisible || unfinished.length === 0) {
      return;
    }
    const controller = new AbortController();
    const onJob = (job: Job): void => {
      onChange(job.id, job);
      announceEnd(job);
    };
    void followJobs({
      jobs: unfinished,
      read: readJob,
      onJob,
      onGone: (id) => onChange(id, null),
      signal: controller.signal,
    });
    return () => controller.abort();
  }, [jobs, isVisible]);
};

const announceEnd = (job: Job): void => {
  const { jobs } = texts.value;
  if (!isUnfinished(job)) {
    announce(jobs.ended(nameOf(job), jobs.states[job.status]));
  }
};

const useVisible = (): boolean => {
  const [isVisible, setVisible] = useState(document.visibilityState === "visible");
  useEffect(() => {
    const update = (): void => setVisible(document.visibilityState === "visible");
    document.addEventListener("visibilitychange", update);
    return () => document.removeEventListener("visibilitychange", update);
  }, []);
  return isVisible;
};
