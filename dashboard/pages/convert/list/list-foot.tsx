import { useState } from "preact/hooks";
import { AnyformError } from "../../../../client/index.ts";
import { texts } from "../../../text.ts";
import { Button } from "../../../ui/button.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { Progress } from "../../../ui/parts.tsx";
import { saveZip } from "../results.ts";
import { startableRows, startRows } from "../start.ts";
import { queue } from "../store.ts";

/** Stays visible below a long list: the overall progress and the main action. */
export const ListFoot = () => {
  const { convert } = texts.value;
  const { all, busy, done, failed, cancelled } = queue.summary.value;
  const ended = done + failed + cancelled;
  const startable = startableRows();
  return (
    <footer class="convert-foot">
      <div class="convert-summary muted">
        {convert.summary(done, all)}
        {busy > 1 && <Progress value={(ended / (ended + busy)) * 100} label={convert.summary(done, all)} />}
      </div>
      {startable.length === 0 && done === 0 && busy === 0 && <span class="muted">{convert.chooseFirst}</span>}
      {busy > 1 && <CancelAll />}
      {done > 1 && busy === 0 && <ZipButton isPrimary={startable.length === 0} />}
      {(startable.length > 0 || (done === 0 && busy === 0)) && (
        <Button kind="primary" disabled={startable.length === 0} onClick={() => startRows(startable)}>
          {startable.length === 0 ? convert.convertNone : convert.convert(startable.length)}
        </Button>
      )}
    </footer>
  );
};

const CancelAll = () => (
  <Button
    onClick={() => {
      for (const row of queue.rows.value) {
        queue.cancel(row);
      }
    }}
  >
    {texts.value.convert.cancelAll}
  </Button>
);

const ZipButton = ({ isPrimary }: { readonly isPrimary: boolean }) => {
  const { convert } = texts.value;
  const [packed, setPacked] = useState<number | undefined>(undefined);
  const save = async (): Promise<void> => {
    try {
      await saveZip(queue.rows.value, convert.zipName, setPacked);
    } catch (error) {
      if (!(error instanceof AnyformError)) {
        throw error;
      }
      queue.halt.value = error;
    } finally {
      setPacked(undefined);
    }
  };
  return (
    <Button kind={isPrimary ? "primary" : "plain"} title={convert.downloadHint} onClick={save}>
      <Icon name="download" /> {packed === undefined ? convert.zip : convert.zipCount(packed, queue.summary.value.done)}
    </Button>
  );
};
