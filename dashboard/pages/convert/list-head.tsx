import { texts } from "../../text.ts";
import { Button } from "../../ui/button.tsx";
import { asked, formatsOf, openRows, restingRows } from "./dialogs.tsx";
import { queue } from "./store.ts";
import { commonTargets, mergeTargets } from "./targets.ts";

/** Files that become one (MERGED_UPLOADS_MAX of the service's limits). */
const MERGED_MAX = 100;

/** What can be chosen for all files of the list together. */
export const ListHead = () => {
  const { convert } = texts.value;
  const { all, busy } = queue.summary.value;
  const [canTarget, canMerge] = [hasCommonTarget(), hasMerge()];
  return (
    <header class="convert-head">
      <h2>{convert.files(all)}</h2>
      <div class="actions">
        {canTarget && <AskButton about="targets">{convert.targetForAll}</AskButton>}
        {canMerge && <AskButton about="merge">{convert.mergeOpen}</AskButton>}
        {busy === 0 && (
          <AskButton about="clear" kind="quiet">
            {convert.startOver}
          </AskButton>
        )}
      </div>
    </header>
  );
};

const hasCommonTarget = (): boolean => {
  const rows = openRows();
  return rows.length > 1 && commonTargets(formatsOf(rows)).length > 0;
};

const hasMerge = (): boolean => {
  const rows = restingRows();
  return rows.length > 1 && rows.length <= MERGED_MAX && mergeTargets(formatsOf(rows)).length > 0;
};

interface AskButtonProps {
  readonly about: "clear" | "merge" | "targets";
  readonly kind?: "plain" | "quiet";
  readonly children: string;
}

const AskButton = ({ about, kind = "plain", children }: AskButtonProps) => (
  <Button
    kind={kind}
    aria-haspopup="dialog"
    onClick={() => {
      asked.value = { about };
    }}
  >
    {children}
  </Button>
);
