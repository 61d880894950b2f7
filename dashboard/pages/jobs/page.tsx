import { useState } from "preact/hooks";
import { Link } from "wouter-preact";
import { navigate } from "wouter-preact/use-browser-location";
import { texts } from "../../text.ts";
import { useAction } from "../../ui/action.ts";
import { Button } from "../../ui/button.tsx";
import { SelectField } from "../../ui/field.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Loading, ProblemNotice } from "../../ui/notice.tsx";
import { Pager } from "../../ui/pager.tsx";
import { queryOf, usePaging } from "../../ui/paging.ts";
import { Card, Empty, PageHead } from "../../ui/parts.tsx";
import { SeenProblem } from "../../ui/seen-problem.tsx";
import { EraseDialog } from "./erase-dialog.tsx";
import { cancelJob, downloadJob } from "./job-acts.ts";
import { JobDetail } from "./job-detail.tsx";
import { type Filter, filterOf, filters, type Job } from "./job-list.ts";
import type { JobAct } from "./job-row.tsx";
import { JobTable } from "./job-table.tsx";
import { useJobs } from "./use-jobs.ts";
import "../../ui/stacked.css";
import "./jobs.css";

/** The account's conversions, with what can be done to them. */
export const JobsPage = () => {
  const { jobs } = texts.value;
  const paging = usePaging();
  const filter = filterOf(new URLSearchParams(paging.search).get("status"));
  const { jobs: shown, next, list, onChange } = useJobs(filter, paging.place.after);
  const acts = useJobActs(onChange);
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
      <FilterField value={filter} />
      {list.error !== undefined && <ProblemNotice error={list.error} />}
      <SeenProblem error={acts.detailId === undefined ? acts.problem : undefined} />
      {!shown?.length && list.loading && <Loading />}
      {shown?.length === 0 && !list.loading && <Nothing filter={filter} isFirst={paging.place.after === undefined} />}
      {shown && shown.length > 0 && (
        <Card>
          <JobTable jobs={shown} onAct={acts.onAct} onErase={acts.setErasing} />
        </Card>
      )}
      <Pager paging={paging} next={next} label={jobs.pages} list="jobs-list" />
      <Dialogs acts={acts} jobs={shown ?? []} onErased={(job) => onChange(job.id, null)} onDone={list.reload} />
    </>
  );
};

/** What can be done to a job, and which dialogs are open for it. */
const useJobActs = (onChange: (id: string, job: Job | null) => void) => {
  const [detailId, setDetailId] = useState<string>();
  const [erasing, setErasing] = useState<readonly Job[]>([]);
  const download = useAction(downloadJob);
  const cancel = useAction(async (job: Job) => onChange(job.id, await cancelJob(job)));
  const acts: Readonly<Record<JobAct, (job: Job) => unknown>> = {
    download: download.run,
    cancel: cancel.run,
    detail: ({ id }) => {
      download.clear();
      setDetailId(id);
    },
    erase: (job) => setErasing([job]),
  };
  return {
    onAct: (act: JobAct, job: Job) => acts[act](job),
    problem: download.problem ?? cancel.problem,
    detailId,
    setDetailId,
    erasing,
    setErasing,
  };
};

interface DialogsProps {
  readonly acts: ReturnType<typeof useJobActs>;
  readonly jobs: readonly Job[];
  readonly onErased: (job: Job) => void;
  readonly onDone: () => unknown;
}

const Dialogs = ({ acts, jobs, onErased, onDone }: DialogsProps) => {
  const opened = jobs.find(({ id }) => id === acts.detailId);
  const close = (): void => acts.setErasing([]);
  const done = (): void => {
    close();
    onDone();
  };
  return (
    <>
      {opened && (
        <JobDetail
          job={opened}
          onClose={() => acts.setDetailId(undefined)}
          onDownload={() => acts.onAct("download", opened)}
        >
          <SeenProblem error={acts.problem} />
        </JobDetail>
      )}
      {acts.erasing.length > 0 && <EraseDialog jobs={acts.erasing} onErased={onErased} onClose={close} onDone={done} />}
    </>
  );
};

const FilterField = ({ value }: { readonly value: Filter }) => {
  const { jobs } = texts.value;
  return (
    <div class="jobs-filter">
      <SelectField
        label={jobs.filter}
        value={value}
        choices={filters.map((filter) => [filter, jobs.filters[filter]] as const)}
        onChoice={(filter) => navigate(`/jobs${queryOf({ status: filter === "all" ? undefined : filter })}`)}
      />
    </div>
  );
};

const Nothing = ({ filter, isFirst }: { readonly filter: Filter; readonly isFirst: boolean }) => {
  const { jobs } = texts.value;
  if (filter === "all" && isFirst) {
    return (
      <Empty>
        <p>{jobs.none}</p>
        <Link href="/">{jobs.start}</Link>
      </Empty>
    );
  }
  return (
    <Empty>
      <p>{jobs.noneOf}</p>
      <Link href="/jobs">{jobs.showAll}</Link>
    </Empty>
  );
};
