import { texts } from "../text.ts";
import { Button } from "./button.tsx";
import type { usePaging } from "./paging.ts";

export interface PagerProps {
  readonly paging: ReturnType<typeof usePaging>;
  /** The cursor of the next page; undefined on the last page, or while it is unknown. */
  readonly next: string | undefined;
  /** The label for screen readers. */
  readonly label: string;
  /** The id of the focusable element that contains the list: it gets the focus after a page change. */
  readonly list: string;
}

/** Buttons for the previous and the next page. Renders nothing if everything fits on one page. */
export const Pager = ({ paging, next, label, list }: PagerProps) => {
  const { common } = texts.value;
  const turn = (go: () => void): void => {
    go();
    document.getElementById(list)?.focus();
  };
  const isFirst = paging.position.after === undefined;
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
