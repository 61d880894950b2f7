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

/** A message to the user; errors are announced immediately. */
export const Notice = ({ kind, children }: NoticeProps) => (
  <div class={`notice ${kind}`} role={kind === "bad" ? "alert" : "status"}>
    <Icon name={icons[kind]} />
    <div>{children}</div>
  </div>
);

/** @returns the message for an error code in the user's language; undefined for an unknown code */
export const problemText = (code: string): string | undefined =>
  (texts.value.problems as Readonly<Record<string, string>>)[code];

export interface ProblemProps {
  readonly error: unknown;
  /** A button below the message. */
  readonly action?: ComponentChildren;
}

/** An error: our message in the user's language, and the service's message, which names the values. */
export const ProblemNotice = ({ error, action }: ProblemProps) => {
  const { common } = texts.value;
  if (!(error instanceof ApiProblem)) {
    return (
      <Notice kind="bad">
        <p>{error instanceof Error ? error.message : String(error)}</p>
        {action}
      </Notice>
    );
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
      {action}
    </Notice>
  );
};

/** The service's messages are in English and more precise than ours. In other languages, both are shown. */
const ProblemWords = ({ error }: { readonly error: ApiProblem }) => {
  const words = problemText(error.code);
  const { retryAfter } = error;
  const isLocal = error.status === 0 || error.code === "missing_session" || error.code === "unexpected_answer";
  if (words === undefined || (locale.value === "en" && !isLocal)) {
    return <p lang="en">{error.message}</p>;
  }
  return (
    <>
      <p>
        {words} {retryAfter !== undefined && texts.value.common.tryAgain(duration(roundedMs(retryAfter)))}
      </p>
      {!isLocal && (
        <p lang="en" class="notice-detail">
          {error.message}
        </p>
      )}
    </>
  );
};

const MINUTE_SECONDS = 60;

/** @returns the time to wait in milliseconds, rounded up to minutes if it is longer than one */
const roundedMs = (seconds: number): number =>
  1_000 * (seconds <= MINUTE_SECONDS ? seconds : MINUTE_SECONDS * Math.ceil(seconds / MINUTE_SECONDS));

/** The outline of content that is being loaded. */
export const Loading = () => (
  <div class="loading" role="status">
    <span class="hidden">{texts.value.common.loading}</span>
    {SKELETON_LINES.map((line) => (
      <span key={line} class="skeleton" />
    ))}
  </div>
);

const SKELETON_LINES = [1, 2, 3, 4] as const;
