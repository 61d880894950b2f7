import { useEffect, useState } from "preact/hooks";
import { Link } from "wouter-preact";
import { ApiProblem, type Schemas } from "../../api.ts";
import { relative } from "../../format.ts";
import { isMember } from "../../session.ts";
import { texts } from "../../text.ts";
import { Button } from "../../ui/button.tsx";
import { announce } from "../../ui/live.tsx";
import { Loading, Notice, ProblemNotice } from "../../ui/notice.tsx";
import { Card, PageHead } from "../../ui/parts.tsx";
import { byFamily } from "../formats/search.ts";
import type { Backlog } from "./backlog.ts";
import { EngineHistory } from "./engine-history.tsx";
import { readStatus, type StatusReport } from "./read-status.ts";
import "./status.css";

/** How often the status is refreshed while the page is visible. */
const REFRESH_MS = 30_000;

/** Availability of the service, its formats and its engines. */
export const StatusPage = () => {
  const { status: text } = texts.value;
  const { report, error, checking, refresh } = useStatus();
  const onRefresh = async (): Promise<void> => {
    // Errors are announced by their notice; an unchanged status would be silent.
    if ((await refresh()) === undefined) {
      announce(text.operational);
    }
  };
  return (
    <>
      <PageHead
        title={text.title}
        lead={text.lead}
        actions={<Button onClick={onRefresh}>{checking ? text.checking : text.refresh}</Button>}
      />
      {error !== undefined && <Unavailable error={error} />}
      {report === undefined && error === undefined && <Loading />}
      {report !== undefined && (
        <>
          {error === undefined && <Operational backlog={report.backlog} />}
          <p class="muted">
            <LastChecked time={report.checkedAt} />
          </p>
          {report.backlog !== undefined && <YourJobs backlog={report.backlog} />}
          <EngineHistory status={report.status} />
          <Families formats={report.formats} />
        </>
      )}
    </>
  );
};

/** Reads the status now, every {@link REFRESH_MS} while the page is visible, and when it becomes visible again. */
const useStatus = () => {
  const [report, setReport] = useState<StatusReport | undefined>(undefined);
  const [error, setError] = useState<unknown>(undefined);
  const [checking, setChecking] = useState(false);
  /** @returns the error, if any */
  const refresh = async (): Promise<unknown> => {
    setChecking(true);
    const outcome = await readStatus(isMember.value).catch((problem: unknown) => ({ problem }));
    setChecking(false);
    if ("problem" in outcome) {
      setError(outcome.problem);
      return outcome.problem;
    }
    setReport(outcome);
    setError(undefined);
    return undefined;
  };
  useEffect(() => {
    const update = (): void => {
      if (!document.hidden) {
        void refresh();
      }
    };
    update();
    const timer = setInterval(update, REFRESH_MS);
    document.addEventListener("visibilitychange", update);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", update);
    };
  }, []);
  return { report, error, checking, refresh };
};

const Operational = ({ backlog }: { readonly backlog: Backlog | undefined }) => {
  const { status: text } = texts.value;
  return backlog !== undefined && backlog.delayed > 0 ? (
    <Notice kind="warning">{text.delayed(backlog.delayed)}</Notice>
  ) : (
    <Notice kind="good">{text.operational}</Notice>
  );
};

const Unavailable = ({ error }: { readonly error: unknown }) => {
  const { status: text } = texts.value;
  if (error instanceof ApiProblem && error.code !== "not_reachable" && error.status < 500) {
    return <ProblemNotice error={error} />;
  }
  return (
    <Notice kind="bad">
      <p>{text.down}</p>
      <p>{text.downHint}</p>
    </Notice>
  );
};

const TICK_MS = 5_000;

/** How long ago the status was read, updated every few seconds. */
const LastChecked = ({ time }: { readonly time: string }) => {
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  return <>{texts.value.status.checked(relative(time, Math.max(now, Date.parse(time))))}</>;
};

const YourJobs = ({ backlog }: { readonly backlog: Backlog }) => {
  const { status: text } = texts.value;
  return (
    <Card title={text.yours}>
      <p>
        {backlog.unfinished === 0 ? text.noneUnfinished : text.unfinished(backlog.unfinished)}{" "}
        {backlog.lastEnd !== undefined && text.lastEnd(relative(backlog.lastEnd))}
      </p>
    </Card>
  );
};

const Families = ({ formats }: { readonly formats: readonly Schemas["Format"][] }) => {
  const { status: text, formats: names } = texts.value;
  const families = byFamily(formats);
  const missing = Object.keys(names.families).filter((name) => !families.some(({ family }) => family === name));
  return (
    <Card title={text.families}>
      <dl class="status-families">
        {families.map(({ family, formats: members }) => (
          <div key={family}>
            <dt>{names.families[family] ?? family}</dt>
            <dd>{text.formats(members.length)}</dd>
          </div>
        ))}
      </dl>
      {missing.length > 0 && (
        <Notice kind="warning">
          {text.missing(missing.map((family) => names.families[family]).join(", "))} {text.missingHint}
        </Notice>
      )}
      <p>
        <Link href="/formats">{names.found(formats.length)}</Link>
      </p>
    </Card>
  );
};
