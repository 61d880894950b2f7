import type { ComponentChildren } from "preact";
import { ApiProblem } from "../api.ts";
import { duration } from "../format.ts";
import { locale, texts } from "../text.ts";
import { Icon } from "./icon.tsx";

export interface NoticeProps {
  readonly kind: "info" | "good" | "warning" | "bad";
  readonly children: ComponentChildren;
}

const icons = { info: "info", good: "check", warning: "warning", bad: "warning" } as const;

/** Something that the reader should know; what is bad is said at once. */
export const Notice = ({ kind, children }: NoticeProps) => (
  <div class={`notice ${kind}`} role={kind === "bad" ? "alert" : "status"}>
    <Icon name={icons[kind]} />
    <div>{children}</div>
  </div>
);

/** @returns what went wrong, in the reader's language; undefined for a code that has no words */
export const problemText = (code: string): string | undefined =>
  (texts.value.problems as Readonly<Record<string, string>>)[code];

/** What went wrong: in the reader's words, and in those of the service, which know the values. */
export const ProblemNotice = ({ error }: { readonly error: unknown }) => {
  const { common } = texts.value;
  if (!(error instanceof ApiProblem)) {
    return <Notice kind="bad">{error instanceof Error ? error.message : String(error)}</Notice>;
  }
  return (
    <Notice kind="bad">
      <ProblemWords error={error} />
      {error.errors.length > 0 && (
        <ul lang="en">
          {error.errors.map(({ pointer, detail }) => (
            <li key={pointer}>{detail}</li>
          ))}
        </ul>
      )}
      {error.requestId !== undefined && error.status >= 500 && <small>{common.requestId(error.requestId)}</small>}
    </Notice>
  );
};

/** The service speaks English; what it says is more exact than our words, and stands beside them in another language. */
const ProblemWords = ({ error }: { readonly error: ApiProblem }) => {
  const words = problemText(error.code);
  const { retryAfter } = error;
  const isOurs = error.status === 0 || error.code === "missing_session" || error.code === "unexpected_answer";
  if (words === undefined || (locale.value === "en" && !isOurs)) {
    return <p lang="en">{error.message}</p>;
  }
  return (
    <>
      <p>
        {words} {retryAfter !== undefined && texts.value.common.tryAgain(duration(wholeMs(retryAfter)))}
      </p>
      {!isOurs && (
        <p lang="en" class="notice-detail">
          {error.message}
        </p>
      )}
    </>
  );
};

const MINUTE_SECONDS = 60;

/** @returns the time to wait in milliseconds, to the next whole minute when it is longer than one */
const wholeMs = (seconds: number): number =>
  1_000 * (seconds <= MINUTE_SECONDS ? seconds : MINUTE_SECONDS * Math.ceil(seconds / MINUTE_SECONDS));

export const Loading = () => (
  <p class="loading" role="status">
    {texts.value.common.loading}
  </p>
);
