import { AnyformError } from "../../../client/index.ts";
import { texts } from "../../text.ts";
import { Button } from "../../ui/button.tsx";
import { Icon } from "../../ui/icon.tsx";
import { asked } from "./dialogs.tsx";
import { isShowable, saveResult } from "./results.ts";
import { fetchResult, isBusy, isStartable, type Row } from "./rows.ts";
import { startRows } from "./start.ts";
import { queue } from "./store.ts";

/** What can be done with a file now. Each button says for which file it is. */
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
    asked.value = { about: "preview", row };
  };
  return (
    <>
      {isShowable(mediaType, size) && (
        <Button kind="quiet" aria-label={convert.previewOne(name)} onClick={() => watched(row, preview)}>
          {convert.preview}
        </Button>
      )}
      <Button
        kind="primary"
        aria-label={convert.downloadOne(name)}
        title={convert.downloadHint}
        onClick={() => watched(row, () => saveResult(result))}
      >
        <Icon name="download" /> {common.download}
      </Button>
    </>
  );
};

/** The result is still there when it could not be fetched, so that it can be tried again: the row keeps its state. */
const watched = async (row: Row, act: () => Promise<void>): Promise<void> => {
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
