import { useSignalEffect } from "@preact/signals";
import { useRef, useState } from "preact/hooks";
import { Link } from "wouter-preact";
import { bytes, number } from "../../format.ts";
import { account, session } from "../../session.ts";
import { texts } from "../../text.ts";
import { announce } from "../../ui/live.tsx";
import { Notice, ProblemNotice } from "../../ui/notice.tsx";
import { PageHead } from "../../ui/parts.tsx";
import { DropZone } from "./adding/drop-zone.tsx";
import { Dialogs } from "./dialogs.tsx";
import { FileRow } from "./list/file-row.tsx";
import { ListFoot } from "./list/list-foot.tsx";
import { ListHead } from "./list/list-head.tsx";
import { shortage, startProblem } from "./start.ts";
import { hasReturned, isVisitor, problemOf, queue, VISITOR_BYTES_MAX, VISITOR_FILES_MAX } from "./store.ts";
import "./convert.css";
import "./list/list.css";
import "./choices.css";

export interface ConvertPageProps {
  /** @default the general title */
  readonly title?: string;
  /** @default the general lead */
  readonly lead?: string;
}

/** Converts files. Nothing is uploaded or counted before “Convert” is selected. */
export const ConvertPage = ({ title, lead }: ConvertPageProps) => {
  const { convert } = texts.value;
  const [note, setNote] = useState("");
  useAnnouncedEnd();
  const isEmpty = queue.rows.value.length === 0;
  return (
    <>
      <PageHead title={title ?? convert.title} lead={lead ?? convert.lead} />
      <AccessNotice />
      <DropZone onNote={setNote} />
      {note !== "" && <Notice kind="warning">{note}</Notice>}
      <HaltNotice />
      {!isEmpty && shortage.value !== undefined && queue.halt.value === undefined && (
        <Notice kind="warning">
          {convert.shortage(shortage.value.started, number(shortage.value.remaining))}{" "}
          <Link href="/plans">{convert.viewPlans}</Link>
        </Notice>
      )}
      {startProblem.value !== undefined && <ProblemNotice error={startProblem.value} />}
      {!isEmpty && <List />}
      <Dialogs />
    </>
  );
};

const List = () => (
  <section class="card convert-list" aria-label={texts.value.convert.list}>
    <ListHead />
    <ul class="convert-rows">
      {queue.rows.value.map((row) => (
        <FileRow key={row.id} row={row} />
      ))}
    </ul>
    <ListFoot />
  </section>
);

/** Says who may convert and how much, before the user selects files. */
const AccessNotice = () => {
  const { convert } = texts.value;
  const limits = [VISITOR_FILES_MAX, bytes(VISITOR_BYTES_MAX)] as const;
  if (account.value === null) {
    return (
      <Notice kind="info">
        {session.value.offers.visitors ? convert.visitor(...limits) : convert.needsAccount}{" "}
        <Link href="/sign-in?next=/">{convert.signIn}</Link>
      </Notice>
    );
  }
  return hasReturned.value && queue.rows.value.length > 0 ? (
    <Notice kind="good">{convert.welcomeBack(queue.rows.value.length)}</Notice>
  ) : null;
};

/** The error that stopped the entire list, and how to continue. */
const HaltNotice = () => {
  const { convert } = texts.value;
  const error = queue.halt.value;
  if (error === undefined) {
    return null;
  }
  return (
    <div class="convert-halt">
      <ProblemNotice error={problemOf(error)} />
      <p>
        {isVisitor() && error.status === 429 ? convert.quotaVisitor : convert.notStarted}{" "}
        {error.status === 401 || isVisitor() ? (
          <Link href="/sign-in?next=/">{convert.signIn}</Link>
        ) : (
          error.code === "quota_exceeded" && <Link href="/plans">{convert.viewPlans}</Link>
        )}
      </p>
    </div>
  );
};

/** Announces the end of all conversions once, instead of the end of each of 500 files. */
const useAnnouncedEnd = (): void => {
  const wasBusy = useRef(false);
  useSignalEffect(() => {
    const { busy, done, failed } = queue.summary.value;
    if (wasBusy.current && busy === 0 && done + failed > 0) {
      announce(texts.peek().convert.finished(done, failed));
    }
    wasBusy.current = busy > 0;
  });
};
