import { bytes, duration } from "../../format.ts";
import { texts } from "../../text.ts";
import { Button } from "../../ui/button.tsx";
import { problemText } from "../../ui/notice.tsx";
import { Badge, Progress } from "../../ui/parts.tsx";
import { Ago } from "../../ui/time.tsx";
import { durationOf, fileNameOf, isUnfinished, type Job, nameOf } from "./job-list.ts";

const TONES = {
  queued: "neutral",
  processing: "busy",
  completed: "good",
  failed: "bad",
  cancelled: "neutral",
  expired: "neutral",
} as const;

export type JobAction = "cancel" | "detail" | "download" | "delete";

export interface JobRowProps {
  readonly job: Job;
  readonly selected: boolean;
  readonly onSelect: (selected: boolean) => void;
  /** The button is busy until the returned promise settles. */
  readonly onAction: (action: JobAction, job: Job) => unknown;
}

export const JobRow = ({ job, selected, onSelect, onAction }: JobRowProps) => {
  const { jobs } = texts.value;
  const milliseconds = durationOf(job);
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
      <td data-label={jobs.created}>
        <Ago at={job.created_at} />
      </td>
      <td data-label={jobs.duration}>{milliseconds === undefined ? "–" : duration(milliseconds)}</td>
      <td class="row-actions">
        <Actions job={job} onAction={onAction} />
      </td>
    </tr>
  );
};

const Name = ({ job }: { readonly job: Job }) => (
  <span class="jobs-name">
    {fileNameOf(job) !== undefined && <span>{fileNameOf(job)}</span>}
    <Conversion job={job} />
  </span>
);

/** `heic → jpg`; screen readers read “to” for the arrow. */
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
          <FailureText error={job.error} />
        </small>
      )}
    </span>
  );
};

/** The error in the user's language, or the service's title for a code that these pages do not know. */
export const FailureText = ({ error: { code, title } }: { readonly error: NonNullable<Job["error"]> }) => {
  const words = problemText(code);
  return words === undefined ? <span lang="en">{title}</span> : <span>{words}</span>;
};

const Actions = ({ job, onAction }: Pick<JobRowProps, "job" | "onAction">) => {
  const { jobs } = texts.value;
  const name = nameOf(job);
  return (
    <>
      {job.result !== null && (
        <Button
          kind="quiet"
          aria-label={jobs.downloadOf(name)}
          title={jobs.downloadCounts}
          onClick={() => onAction("download", job)}
        >
          {jobs.download}
        </Button>
      )}
      <Button kind="quiet" aria-label={jobs.detailsOf(name)} onClick={() => onAction("detail", job)}>
        {jobs.details}
      </Button>
      {isUnfinished(job) ? (
        <Button kind="quiet" aria-label={jobs.cancelOf(name)} onClick={() => onAction("cancel", job)}>
          {jobs.cancel}
        </Button>
      ) : (
        <Button kind="quiet" aria-label={jobs.deleteOf(name)} onClick={() => onAction("delete", job)}>
          {jobs.delete}
        </Button>
      )}
    </>
  );
};
