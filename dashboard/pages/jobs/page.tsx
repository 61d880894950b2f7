import { useState } from "preact/hooks";
import { Link } from "wouter-preact";
import { texts } from "../../text.ts";
import { useAction } from "../../ui/action.ts";
import { Button } from "../../ui/button.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { Pager } from "../../ui/pager.tsx";
import { usePaging } from "../../ui/paging.ts";
import { Card, Empty, PageHead } from "../../ui/parts.tsx";
import { ProblemInView } from "../../ui/problem-in-view.tsx";
import { DeleteDialog } from "./delete-dialog.tsx";
import { cancelJob, downloadJob } from "./job-actions.ts";
import { JobDetail } from "./job-detail.tsx";
import { JobFilters } from "./job-filters.tsx";
import type { Job } from "./job-list.ts";
import type { JobAction } from "./job-row.tsx";
import { JobTable } from "./job-table.tsx";
import { useJobs } from "./use-jobs.ts";
import "../../ui/stacked.css";
import "./jobs.css";

/** The account's jobs and their actions. */
export const JobsPage = () => {
  const { jobs } = texts.value;
  const paging = usePaging();
  const { jobs: shown, next, list, onChange } = useJobs(paging.search, paging.position.after);
  const actions = useJobActions(onChange);
  return (
    <>
      <PageHead
        title={jobs.title}
        lead={jobs.lead}
        actions={
          <Button onClick={list.reload}>
            <Icon name="retry" /> {jobs.refresh}
          </Button>
        }
      />
      <JobFilters search={paging.search} />
      <ProblemInView error={actions.detailId === undefined ? actions.problem : undefined} />
      <Loaded
        of={{ ...list, data: shown }}
        isEmpty={({ length }) => length === 0}
        empty={<Nothing isFiltered={paging.search !== ""} hasMore={next !== undefined} />}
      >
        {(found) => (
          <Card>
            <JobTable jobs={found} onAction={actions.onAction} onDelete={actions.setDeleting} />
          </Card>
        )}
      </Loaded>
      <Pager paging={paging} next={next} label={jobs.pages} list="jobs-list" />
      <Dialogs actions={actions} jobs={shown ?? []} onDeleted={(job) => onChange(job.id, null)} onDone={list.reload} />
    </>
  );
};

/** The actions of jobs, and which dialogs are open. */
const useJobActions = (onChange: (id: string, job: Job | null) => void) => {
  const [detailId, setDetailId] = useState<string>();
  const [deleting, setDeleting] = useState<readonly Job[]>([]);
  const download = useAction(downloadJob);
  const cancel = useAction(async (job: Job) => onChange(job.id, await cancelJob(job)));
  const actions: Readonly<Record<JobAction, (job: Job) => unknown>> = {
    download: download.run,
    cancel: cancel.run,
    detail: ({ id }) => {
      download.clear();
      setDetailId(id);
    },
    delete: (job) => setDeleting([job]),
  };
  return {
    onAction: (action: JobAction, job: Job) => actions[action](job),
    problem: download.problem ?? cancel.problem,
    detailId,
    setDetailId,
    deleting,
    setDeleting,
  };
};

interface DialogsProps {
  readonly actions: ReturnType<typeof useJobActions>;
  readonly jobs: readonly Job[];
  readonly onDeleted: (job: Job) => void;
  readonly onDone: () => unknown;
}

const Dialogs = ({ actions, jobs, onDeleted, onDone }: DialogsProps) => {
  const opened = jobs.find(({ id }) => id === actions.detailId);
  const close = (): void => actions.setDeleting([]);
  const done = (): void => {
    close();
    onDone();
  };
  return (
    <>
      {opened && (
        <JobDetail
          job={opened}
          onClose={() => actions.setDetailId(undefined)}
          onDownload={() => actions.onAction("download", opened)}
        >
          <ProblemInView error={actions.problem} />
        </JobDetail>
      )}
      {actions.deleting.length > 0 && (
        <DeleteDialog jobs={actions.deleting} onDeleted={onDeleted} onClose={close} onDone={done} />
      )}
    </>
  );
};

/** With a filter, a page can be empty although older jobs match: see `listJobs`. */
const Nothing = ({ isFiltered, hasMore }: { readonly isFiltered: boolean; readonly hasMore: boolean }) => {
  const { jobs } = texts.value;
  if (hasMore) {
    return <Empty>{jobs.noneYet}</Empty>;
  }
  return (
    <Empty>
      <p>{isFiltered ? jobs.noneOf : jobs.none}</p>
      {isFiltered ? <Link href="/jobs">{jobs.showAll}</Link> : <Link href="/">{jobs.start}</Link>}
    </Empty>
  );
};
