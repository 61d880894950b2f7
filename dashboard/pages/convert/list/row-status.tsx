import { bytes, percent } from "../../../format.ts";
import { texts } from "../../../text.ts";
import { Badge, Progress } from "../../../ui/parts.tsx";
import { isBusy, type Row, type Step } from "../rows.ts";

const tones: Readonly<Record<Step, "bad" | "busy" | "good" | "neutral" | "warning">> = {
  waiting: "neutral",
  queued: "neutral",
  uploading: "busy",
  converting: "busy",
  done: "good",
  failed: "bad",
  cancelled: "neutral",
};

/** The step of a file as text, with a progress bar while it is in progress. */
export const RowStatus = ({ row }: { readonly row: Row }) => {
  const step = row.step.value;
  const isInProgress = step === "uploading" || step === "converting";
  return (
    <div class="convert-status">
      {hasStatus(row) && <Badge tone={tones[step]}>{stepText(row)}</Badge>}
      {isInProgress && <Progress value={row.percent.value} label={texts.value.convert.progressOf(row.name)} />}
      {step === "done" && <Outcome row={row} />}
    </div>
  );
};

/** Without a target, the button to choose a format is enough. */
const hasStatus = ({ step, target }: Row): boolean => step.value !== "waiting" || target.value !== undefined;

const stepText = (row: Row): string => {
  const { convert } = texts.value;
  const step = row.step.value;
  const words = step === "uploading" && row.source.kind === "url" ? convert.step.fetching : convert.step[step];
  const value = isBusy(row) ? row.percent.value : undefined;
  return value === undefined ? words : convert.percent(words, percent(value));
};

const Outcome = ({ row }: { readonly row: Row }) => {
  const { formats } = texts.value;
  const file = row.result.value?.file;
  return (
    file && (
      <small class="muted" title={formats.fidelityHint[file.job.fidelity]}>
        {bytes(file.size)} · {formats.fidelity[file.job.fidelity]}
      </small>
    )
  );
};
