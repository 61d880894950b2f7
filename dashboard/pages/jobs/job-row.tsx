import { bytes, duration } from "../../format.ts";
import { texts } from "../../text.ts";
import { Button } from "../../ui/button.tsx";
import { problemText } from "../../ui/notice.tsx";
import { Badge, Progress } from "../../ui/parts.tsx";
import { Ago } from "../../ui/time.tsx";
import { isUnfinished, type Job, nameOf, tookOf } from "./job-list.ts";

const TONES = {
  queued: "neutral",
  processing: "busy",
  completed: "good",
  failed: "bad",
  cancelled: "neutral",
  expired: "neutral",
} as const;

export type JobAct = "cancel" | "detail" | "download" | "erase";

export interface JobRowProps {
  readonly job: Job;
  readonly selected: boolean;
  readonly onSelect: (selected: boolean) => void;
  /** While what it returns is under way its button is busy. */
  readonly onAct: (act: JobAct, job: Job) => unknown;
}

export const JobRow = ({ job, selected, onSelect, onAct }: JobRowProps) => {
  const { jobs } = texts.value;
  const took = tookOf(job);
  return (
    <tr>
      <td class="jobs-select">
        <input
          type="checkbox"
          aria-label={jobs.selectOne(nameOf(job))}
          checked={selected}
          onChange={({ currentTarget }) => onSelect(currentTarget.checked)}
        />
      </td>
      <th scope="row">
        <Name job={job} />
      </th>
      <td data-label={jobs.state}>
        <State job={job} />
      </td>
      <td data-label={jobs.size}>{job.result === null ? "–" : bytes(job.result.size)}</td>
      <td data-label={jobs.started}>
        <Ago at={job.created_at} />
      </td>
      <td data-label={jobs.took}>{took === undefined ? "–" : duration(took)}</td>
      <td class="acts">
        <Acts job={job} onAct={onAct} />
      </td>
    </tr>
  );
};

const Name = ({ job }: { readonly job: Job }) => (
  <span class="jobs-name">
    {job.result !== null && <span>{job.result.filename}</span>}
    <Conversion job={job} />
  </span>
);

/** `heic → jpg`; the arrow is read as a word. */
export const Conversion = ({ job: { source_format: from, target_format: to } }: { readonly job: Job }) => (
  <span class="jobs-formats">
    <span aria-hidden="true">
      {from} → {to}
    </span>
    <span class="hidden">{texts.value.jobs.conversion(from, to)}</span>
  </span>
);

export const State = ({ job }: { readonly job: Job }) => {
  const { jobs } = texts.value;
  return (
    <span class="jobs-state">
      <Badge tone={TONES[job.status]}>{jobs.states[job.status]}</Badge>
      {job.status === "processing" && (
        <Progress label={jobs.progress(nameOf(job))} value={job.progress > 0 ? job.progress : undefined} />
      )}
      {job.error !== null && job.status === "failed" && (
        <small>
          <FailureWords error={job.error} />
        </small>
      )}
    </span>
  );
};

/** What went wrong in the reader's words, and in those of the service where this release of the pages has none. */
export const FailureWords = ({ error: { code, title } }: { readonly error: NonNullable<Job["error"]> }) => {
  const words = problemText(code);
  return words === undefined ? <span lang="en">{title}</span> : <span>{words}</span>;
};

const Acts = ({ job, onAct }: Pick<JobRowProps, "job" | "onAct">) => {
  const { jobs } = texts.value;
  const name = nameOf(job);
  return (
    <>
      {job.result !== null && (
        <Button
          kind="quiet"
          aria-label={jobs.downloadOf(name)}
          title={jobs.downloadCounts}
          onClick={() => onAct("download", job)}
        >
          {jobs.download}
        </Button>
      )}
      <Button kind="quiet" aria-label={jobs.detailsOf(name)} onClick={() => onAct("detail", job)}>
        {jobs.details}
      </Button>
      {isUnfinished(job) ? (
        <Button kind="quiet" aria-label={jobs.cancelOf(name)} onClick={() => onAct("cancel", job)}>
          {jobs.cancel}
        </Button>
      ) : (
        <Button kind="quiet" aria-label={jobs.eraseOf(name)} onClick={() => onAct("erase", job)}>
          {jobs.erase}
        </Button>
      )}
    </>
  );
};
