import { bytes, number, percent } from "../../../format.ts";
import { texts } from "../../../text.ts";
import { problemText } from "../../../ui/notice.tsx";
import { Badge, Progress } from "../../../ui/parts.tsx";
import { isBusy, type Row, type Step } from "../rows.ts";
import { bytesMaxOf, isTooLarge, VISITOR_BYTES_MAX } from "../store.ts";

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

const tooLargeText = (row: Row): string => {
  const { convert } = texts.value;
  const max = bytesMaxOf(row) ?? 0;
  return max === VISITOR_BYTES_MAX ? convert.tooLargeVisitor(bytes(max)) : convert.tooLarge(bytes(max));
};

/** Messages of a row: why it failed, whether it is too large, and what its result lacks. */
export const RowNotes = ({ row }: { readonly row: Row }) => {
  const { convert } = texts.value;
  const error = row.problem.value;
  const warnings = row.result.value?.file.warnings ?? [];
  const isTooBig = row.step.value === "waiting" && isTooLarge(row);
  if (error === undefined && warnings.length === 0 && !isTooBig) {
    return null;
  }
  return (
    <div class="convert-notes">
      {isTooBig && <p class="convert-warning">{tooLargeText(row)}</p>}
      {error && (
        <div class="convert-problem">
          <strong>{problemText(error.code) ?? convert.step.failed}</strong>{" "}
          {/* The service's message is in English, and names the values. */}
          {error.status !== 0 || error.code !== "not_reachable" ? (
            <span lang="en">{error.detail}</span>
          ) : (
            <span>{row.upload.value === undefined ? convert.connectionLost : ""}</span>
          )}
          {error.code === "unsupported_conversion" && <p>{convert.otherTargets}</p>}
          {error.errors.length > 0 && (
            <ul lang="en">
              {error.errors.map(({ pointer, detail }) => (
                <li key={pointer}>
                  {pointer.split("/").at(-1)}: {detail}
                </li>
              ))}
            </ul>
          )}
        </div>
      )}
      {warnings.length > 0 && (
        <details>
          <summary>
            {convert.warnings} ({number(warnings.length)})
          </summary>
          <ul lang="en">
            {warnings.map(({ code, detail }) => (
              <li key={code + detail}>{detail}</li>
            ))}
          </ul>
        </details>
      )}
    </div>
  );
};
