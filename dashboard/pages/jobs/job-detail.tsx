import type { ComponentChildren } from "preact";
import { Link } from "wouter-preact";
import { bytes, dateTime, duration, relative } from "../../format.ts";
import { texts } from "../../text.ts";
import { Button } from "../../ui/button.tsx";
import { CopyButton } from "../../ui/copy.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Notice } from "../../ui/notice.tsx";
import { requestsOfJob } from "../requests/requests-of-job.ts";
import { durationOf, isServiceFault, type Job, nameOf } from "./job-list.ts";
import { Conversion, FailureText, State } from "./job-row.tsx";

export interface JobDetailProps {
  readonly job: Job;
  readonly onClose: () => void;
  /** Downloads the result. */
  readonly onDownload: () => unknown;
  /** The error of the download. */
  readonly children?: ComponentChildren;
}

/** All details of a job. They are updated while the dialog is open. */
export const JobDetail = ({ job, onClose, onDownload, children }: JobDetailProps) => {
  const { jobs } = texts.value;
  return (
    <Dialog
      title={nameOf(job)}
      onClose={onClose}
      actions={
        job.result !== null && (
          <Button kind="primary" onClick={onDownload}>
            {jobs.download}
          </Button>
        )
      }
    >
      {job.status === "failed" && <Failure job={job} />}
      <Facts job={job} />
      <Steps job={job} />
      <Warnings job={job} />
      <Values title={jobs.detail.options} values={job.options} />
      <Values title={jobs.detail.metadata} values={job.metadata} />
      <p>
        <Link href={requestsOfJob(job.id)}>{jobs.detail.requests}</Link>
      </p>
      {job.result !== null && <p class="hint">{jobs.downloadCounts}</p>}
      {children}
    </Dialog>
  );
};

const Failure = ({ job: { error } }: { readonly job: Job }) => {
  const { jobs } = texts.value;
  if (error === null) {
    return null;
  }
  return (
    <Notice kind="bad">
      <p>
        <strong>
          <FailureText error={error} />
        </strong>{" "}
        <code>{error.code}</code>
      </p>
      {/* The service's message is in English, and names the values. */}
      <p lang="en" class="notice-detail">
        {error.detail}
      </p>
      <p>{jobs.advice[error.code]}</p>
      {isServiceFault(error.code) && <p>{jobs.detail.refunded}</p>}
    </Notice>
  );
};

const Fact = ({ name, children }: { readonly name: string; readonly children: ComponentChildren }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
);

const Facts = ({ job }: { readonly job: Job }) => {
  const { jobs } = texts.value;
  const milliseconds = durationOf(job);
  return (
    <dl class="jobs-facts">
      <Fact name={jobs.state}>
        <State job={job} />
      </Fact>
      <Fact name={jobs.detail.formats}>
        <Conversion job={job} />
      </Fact>
      <Fact name={jobs.detail.fidelity}>{jobs.fidelity[job.fidelity]}</Fact>
      <Fact name={jobs.detail.created}>{dateTime(job.created_at)}</Fact>
      {milliseconds !== undefined && <Fact name={jobs.duration}>{duration(milliseconds)}</Fact>}
      {job.result !== null && <File result={job.result} />}
      <Fact name={jobs.detail.id}>
        <Copied text={job.id} />
      </Fact>
    </dl>
  );
};

const File = ({ result }: { readonly result: NonNullable<Job["result"]> }) => {
  const { jobs } = texts.value;
  return (
    <>
      <Fact name={jobs.size}>{bytes(result.size)}</Fact>
      <Fact name={jobs.detail.expires}>
        {relative(result.expires_at)}, {dateTime(result.expires_at)}
      </Fact>
      <Fact name="SHA-256">
        <Copied text={result.sha256} />
      </Fact>
    </>
  );
};

const Copied = ({ text }: { readonly text: string }) => (
  <span class="jobs-copied">
    <code>{text}</code>
    <CopyButton text={text} />
  </span>
);

const Steps = ({ job: { steps } }: { readonly job: Job }) => {
  const { jobs } = texts.value;
  return (
    <section class="jobs-part">
      <h3>{jobs.detail.steps}</h3>
      <ol>
        {steps.map(({ engine, from, to, duration_ms }) => (
          <li key={`${from} ${to}`}>
            {jobs.detail.step(from, to, engine)}
            {duration_ms !== null && <span class="muted"> · {duration(duration_ms)}</span>}
          </li>
        ))}
      </ol>
    </section>
  );
};

const Warnings = ({ job: { warnings } }: { readonly job: Job }) =>
  warnings.length === 0 ? null : (
    <Notice kind="warning">
      <h3>{texts.value.jobs.detail.warnings}</h3>
      <ul class="jobs-warnings" lang="en">
        {warnings.map(({ code, detail }) => (
          <li key={`${code} ${detail}`}>{detail}</li>
        ))}
      </ul>
    </Notice>
  );

const Values = ({ title, values }: { readonly title: string; readonly values: Readonly<Record<string, unknown>> }) => {
  const entries = Object.entries(values);
  return entries.length === 0 ? null : (
    <section class="jobs-part">
      <h3>{title}</h3>
      <dl class="jobs-facts">
        {entries.map(([name, value]) => (
          <Fact key={name} name={name}>
            {typeof value === "string" ? value : JSON.stringify(value)}
          </Fact>
        ))}
      </dl>
    </section>
  );
};
