import type { ComponentChildren } from "preact";
import { focusHeading } from "../shell/focus.ts";
import { texts } from "../text.ts";
import { Button } from "./button.tsx";
import { Loading, ProblemNotice } from "./notice.tsx";
import type { Remote } from "./remote.ts";

export interface LoadedProps<T> {
  readonly of: Remote<T>;
  /** Whether there is nothing to show. @default never */
  readonly isEmpty?: (data: T) => boolean;
  /** Shown for empty data. */
  readonly empty?: ComponentChildren;
  readonly children: (data: T) => ComponentChildren;
}

/**
 * Data of the service: its outline while it is loaded, what shows it, and an error with a button to try again. After an
 * error, data that was loaded before stays.
 */
export const Loaded = <T,>({ of: { data, error, loading, reload }, isEmpty, empty, children }: LoadedProps<T>) => {
  const hasNone = data !== undefined && isEmpty?.(data) === true;
  const isWaiting = data === undefined ? error === undefined : hasNone && loading;
  return (
    <>
      {error !== undefined && <ProblemNotice error={error} action={<Retry onRetry={reload} />} />}
      {isWaiting && <Loading />}
      {hasNone && !loading && empty}
      {data !== undefined && !hasNone && children(data)}
    </>
  );
};

/** The button disappears with the error; the focus moves to the heading of the page. */
const Retry = ({ onRetry }: { readonly onRetry: () => Promise<void> }) => {
  const retry = async (): Promise<void> => {
    await onRetry();
    requestAnimationFrame(() => {
      if (document.activeElement === document.body) {
        focusHeading();
      }
    });
  };
  return <Button onClick={retry}>{texts.value.common.retry}</Button>;
};
