import { AnyformError } from "../../../../client/index.ts";
import { texts } from "../../../text.ts";
import { Button } from "../../../ui/button.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { openDialog } from "../dialogs.tsx";
import { hasPreview, saveResult } from "../results.ts";
import { fetchResult, isBusy, isStartable, type Row } from "../rows.ts";
import { startRows } from "../start.ts";
import { queue } from "../store.ts";

/** The actions of a row. Each button's label names the file. */
export const RowActions = ({ row }: { readonly row: Row }) => {
  const { convert, common } = texts.value;
  const step = row.step.value;
  return (
    <div class="convert-actions">
      {step === "done" && <ResultActions row={row} />}
      {(step === "failed" || step === "cancelled") && isStartable(row) && (
        <Button aria-label={convert.retryOne(row.name)} onClick={() => startRows([row])}>
          <Icon name="retry" /> {common.retry}
        </Button>
      )}
      {isBusy(row) ? (
        <Button kind="quiet" aria-label={convert.cancelOne(row.name)} onClick={() => queue.cancel(row)}>
          {common.cancel}
        </Button>
      ) : (
        <Button
          kind="quiet"
          aria-label={convert.removeOne(row.name)}
          title={convert.remove}
          onClick={() => queue.remove(row)}
        >
          <Icon name="close" />
        </Button>
      )}
    </div>
  );
};

const ResultActions = ({ row }: { readonly row: Row }) => {
  const { convert, common } = texts.value;
  const result = row.result.value;
  if (result === undefined) {
    return null;
  }
  const { name, mediaType, size } = result.file;
  const preview = async (): Promise<void> => {
    await fetchResult(result);
    openDialog.value = { about: "preview", row };
  };
  return (
    <>
      {hasPreview(mediaType, size) && (
        <Button kind="quiet" aria-label={convert.previewOne(name)} onClick={() => withProblem(row, preview)}>
          {convert.preview}
        </Button>
      )}
      <Button
        kind="primary"
        aria-label={convert.downloadOne(name)}
        title={convert.downloadHint}
        onClick={() => withProblem(row, () => saveResult(result))}
      >
        <Icon name="download" /> {common.download}
      </Button>
    </>
  );
};

/** Shows an error in the row without changing its step: a result that could not be fetched can be fetched again. */
const withProblem = async (row: Row, act: () => Promise<void>): Promise<void> => {
  row.problem.value = undefined;
  try {
    await act();
  } catch (error) {
    if (!(error instanceof AnyformError)) {
      throw error;
    }
    row.problem.value = error;
  }
};
