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
import { byFamily } from "../formats/find.ts";
import { ask, type Findings } from "./ask.ts";
import { EngineTable } from "./engine-table.tsx";
import type { Pace } from "./engines.ts";
import "./status.css";

/** It is asked again by itself so often, while somebody looks. */
const AGAIN_MS = 30_000;

/** Whether the service answers, with which engines, and what hangs on each. */
export const StatusPage = () => {
  const { status: text } = texts.value;
  const { findings, error, asking, again } = useFindings();
  const press = async (): Promise<void> => {
    // What is bad is said by its notice; that nothing has changed would be silent.
    if ((await again()) === undefined) {
      announce(text.well);
    }
  };
  return (
    <>
      <PageHead
        title={text.title}
        lead={text.lead}
        actions={<Button onClick={press}>{asking ? text.asking : text.refresh}</Button>}
      />
      {error !== undefined && <Unwell error={error} />}
      {findings === undefined && error === undefined && <Loading />}
      {findings !== undefined && (
        <>
          {error === undefined && <Well pace={findings.pace} />}
          <p class="muted">
            <Since time={findings.askedAt} />
          </p>
          {findings.pace !== undefined && <Yours pace={findings.pace} />}
          <Families formats={findings.formats} />
          <EngineTable engines={findings.health.engines} formats={findings.formats} />
        </>
      )}
    </>
  );
};

/** Asks now, every {@link AGAIN_MS} while the page is seen, and when it is seen again. */
const useFindings = () => {
  const [findings, setFindings] = useState<Findings | undefined>(undefined);
  const [error, setError] = useState<unknown>(undefined);
  const [asking, setAsking] = useState(false);
  /** @returns what went wrong */
  const again = async (): Promise<unknown> => {
    setAsking(true);
    const outcome = await ask(isMember.value).catch((problem: unknown) => ({ problem }));
    setAsking(false);
    if ("problem" in outcome) {
      setError(outcome.problem);
      return outcome.problem;
    }
    setFindings(outcome);
    setError(undefined);
    return undefined;
  };
  useEffect(() => {
    const look = (): void => {
      if (!document.hidden) {
        void again();
      }
    };
    look();
    const timer = setInterval(look, AGAIN_MS);
    document.addEventListener("visibilitychange", look);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", look);
    };
  }, []);
  return { findings, error, asking, again };
};

const Well = ({ pace }: { readonly pace: Pace | undefined }) => {
  const { status: text } = texts.value;
  return pace !== undefined && pace.late > 0 ? (
    <Notice kind="warning">{text.late(pace.late)}</Notice>
  ) : (
    <Notice kind="good">{text.well}</Notice>
  );
};

const Unwell = ({ error }: { readonly error: unknown }) => {
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

/** How long ago it was asked, told anew every few seconds. */
const Since = ({ time }: { readonly time: string }) => {
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  return <>{texts.value.status.asked(relative(time, Math.max(now, Date.parse(time))))}</>;
};

const Yours = ({ pace }: { readonly pace: Pace }) => {
  const { status: text } = texts.value;
  return (
    <Card title={text.yours}>
      <p>
        {pace.unfinished === 0 ? text.nothingWaits : text.unfinished(pace.unfinished)}{" "}
        {pace.lastEnd !== undefined && text.lastEnd(relative(pace.lastEnd))}
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
