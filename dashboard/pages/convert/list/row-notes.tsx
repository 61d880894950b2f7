import type { AnyformError } from "../../../../client/index.ts";
import { bytes, number } from "../../../format.ts";
import { texts } from "../../../text.ts";
import { problemText } from "../../../ui/notice.tsx";
import type { Row } from "../rows.ts";
import { bytesMaxOf, isTooLarge, VISITOR_BYTES_MAX } from "../store.ts";
import { needsPassword, PasswordForm } from "./password-form.tsx";

/** Messages of a row: why it failed and what to do, whether it is too large, and what its result lacks. */
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
      {error && (needsPassword(row) ? <PasswordForm row={row} /> : <Problem row={row} error={error} />)}
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

const tooLargeText = (row: Row): string => {
  const { convert } = texts.value;
  const max = bytesMaxOf(row) ?? 0;
  return max === VISITOR_BYTES_MAX ? convert.tooLargeVisitor(bytes(max)) : convert.tooLarge(bytes(max));
};

/** What happened and what to do. The service's message is in English, and names the values. */
const Problem = ({ row, error }: { readonly row: Row; readonly error: AnyformError }) => {
  const { convert, jobs } = texts.value;
  const isOffline = error.status === 0 && error.code === "not_reachable";
  const advice = error.code === "unsupported_conversion" ? convert.otherTargets : adviceFor(jobs.advice, error.code);
  return (
    <div class="convert-problem">
      <p>
        <strong>{problemText(error.code) ?? convert.step.failed}</strong>{" "}
        {isOffline ? (row.upload.value === undefined ? convert.connectionLost : "") : advice}
      </p>
      {!isOffline && (
        <details>
          <summary>{convert.problemDetails}</summary>
          <div lang="en">
            <p>{error.detail}</p>
            {error.errors.length > 0 && (
              <ul>
                {error.errors.map(({ pointer, detail }) => (
                  <li key={pointer}>
                    {pointer.split("/").at(-1)}: {detail}
                  </li>
                ))}
              </ul>
            )}
          </div>
        </details>
      )}
    </div>
  );
};

const adviceFor = (advice: Readonly<Record<string, string>>, code: string): string | undefined => advice[code];
