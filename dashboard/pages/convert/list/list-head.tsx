import { useEffect } from "preact/hooks";
import { texts } from "../../../text.ts";
import { Button } from "../../../ui/button.tsx";
import { formatsOf, idleRows, openDialog, unconvertedRows } from "../dialogs.tsx";
import { commonTargets, mergeTargets } from "../options/targets.ts";
import { queue } from "../store.ts";

/** Maximum files in a merge (MERGED_UPLOADS_MAX of the service's limits). */
const MERGED_MAX = 100;

/** Actions for all files of the list. */
export const ListHead = () => {
  const { convert } = texts.value;
  const { all, busy } = queue.summary.value;
  const canTarget = hasCommonTarget();
  const canMerge = useMerge();
  return (
    <header class="convert-head">
      <h2>{convert.files(all)}</h2>
      <div class="actions">
        {canTarget && <DialogButton about="targets">{convert.targetForAll}</DialogButton>}
        {canMerge && <DialogButton about="merge">{convert.mergeOpen}</DialogButton>}
        {busy === 0 && (
          <DialogButton about="clear" kind="quiet">
            {convert.clearList}
          </DialogButton>
        )}
      </div>
    </header>
  );
};

/** @returns whether a file's format is not known yet. Until then, an action for all files would leave that one out. */
const isGuessing = (): boolean => queue.rows.value.some((row) => row.isGuessing.value);

const hasCommonTarget = (): boolean => {
  const rows = unconvertedRows();
  return !isGuessing() && rows.length > 1 && commonTargets(formatsOf(rows)).length > 0;
};

/** @returns whether the files can be merged; loads the conversions of their formats to find out */
const useMerge = (): boolean => {
  const rows = idleRows();
  const sources = rows.length > 1 && rows.length <= MERGED_MAX ? formatsOf(rows) : [];
  useEffect(() => {
    for (const source of sources) {
      // Without the conversions there is no merge to choose. They are loaded again with the next change of the list.
      source.load().catch(() => undefined);
    }
  }, [sources.map(({ format }) => format.id).join()]);
  return !isGuessing() && mergeTargets(sources).length > 0;
};

interface DialogButtonProps {
  readonly about: "clear" | "merge" | "targets";
  readonly kind?: "plain" | "quiet";
  readonly children: string;
}

const DialogButton = ({ about, kind = "plain", children }: DialogButtonProps) => (
  <Button
    kind={kind}
    aria-haspopup="dialog"
    onClick={() => {
      openDialog.value = { about };
    }}
  >
    {children}
  </Button>
);
