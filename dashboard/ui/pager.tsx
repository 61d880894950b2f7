import { texts } from "../text.ts";
import { Button } from "./button.tsx";
import type { usePaging } from "./paging.ts";

export interface PagerProps {
  readonly paging: ReturnType<typeof usePaging>;
  /** The cursor of the page behind this one; undefined: this is the last, or it is not known yet. */
  readonly next: string | undefined;
  /** What is paged, for screen readers. */
  readonly label: string;
  /** The id of what holds the list: there the reader goes on. It can take the focus. */
  readonly list: string;
}

/** Leads to the pages before and behind; it is not there where all fits one page. */
export const Pager = ({ paging, next, label, list }: PagerProps) => {
  const { common } = texts.value;
  const turn = (go: () => void): void => {
    go();
    document.getElementById(list)?.focus();
  };
  const isFirst = paging.place.after === undefined;
  if (isFirst && next === undefined) {
    return null;
  }
  return (
    <nav class="pager actions" aria-label={label}>
      <Button disabled={isFirst} onClick={() => turn(paging.onBack)}>
        {common.newer}
      </Button>
      <Button disabled={next === undefined} onClick={() => next !== undefined && turn(() => paging.onNext(next))}>
        {common.older}
      </Button>
    </nav>
  );
};
