import { AnyformError } from "../../../../client/index.ts";
import { isMember } from "../../../session.ts";
import { texts } from "../../../text.ts";
import { Button } from "../../../ui/button.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { openDialog } from "../dialogs.tsx";
import { type Preview, previewOf } from "../preview/preview.ts";
import { saveResult } from "../results.ts";
import { isBusy, isStartable, type Row } from "../rows.ts";
import { startableRows, startRows } from "../start.ts";
import { client, queue } from "../store.ts";
import { needsPassword } from "./password-form.tsx";

/** The actions of a row. Each button's label names the file. */
export const RowActions = ({ row }: { readonly row: Row }) => {
  const { convert, common } = texts.value;
  const step = row.step.value;
  return (
    <div class="convert-actions">
      {!isBusy(row) && <PreviewButton row={row} />}
      {row.chosen.value !== undefined && <CodeButton row={row} />}
      {step === "done" && <DownloadButton row={row} />}
      {(step === "failed" || step === "cancelled") && isStartable(row) && !needsPassword(row) && (
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

/** The only result of the list is the screen's main action. Several results are saved as a ZIP or one by one. */
const isMainAction = (): boolean =>
  queue.summary.value.done === 1 && queue.summary.value.busy === 0 && startableRows().length === 0;

const DownloadButton = ({ row }: { readonly row: Row }) => {
  const { convert, common } = texts.value;
  const result = row.result.value;
  return (
    result && (
      <Button
        kind={isMainAction() ? "primary" : "plain"}
        aria-label={convert.downloadOne(result.file.name)}
        title={convert.downloadHint}
        onClick={() => withProblem(row, () => saveResult(result))}
      >
        <Icon name="download" /> {common.download}
      </Button>
    )
  );
};

const PreviewButton = ({ row }: { readonly row: Row }) => {
  const { convert } = texts.value;
  const preview = previewOf(row, isMember.value);
  if (preview === undefined) {
    return null;
  }
  const title = preview.isConverted ? convert.previewCounts : convert.preview;
  return (
    <Button
      kind="quiet"
      aria-label={convert.previewOne(preview.name)}
      title={title}
      onClick={() => withProblem(row, () => openPreview(preview))}
    >
      <Icon name="eye" />
    </Button>
  );
};

const openPreview = async (preview: Preview): Promise<void> => {
  const blob = await preview.load(client);
  openDialog.value = { about: "preview", preview: { name: preview.name, kind: preview.kind, blob } };
};

const CodeButton = ({ row }: { readonly row: Row }) => {
  const { convert } = texts.value;
  return (
    <Button
      kind="quiet"
      aria-label={convert.codeOf(row.name)}
      title={convert.code}
      onClick={() => {
        openDialog.value = { about: "code", row };
      }}
    >
      <Icon name="code" />
    </Button>
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
