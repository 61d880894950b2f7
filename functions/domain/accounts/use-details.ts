import type { JobErrorCode } from "../errors.ts";
import type { FormatId } from "../formats/formats.ts";
import { furtherUploadsOf, type Job, type JobOutcome } from "../jobs/job.ts";
import { endCount } from "./quotas.ts";

/** What the end of a job adds to the breakdown of the account's usage. */
export interface UseDetail {
  readonly accountId: string;
  /** UTC calendar month, `2026-11`. */
  readonly month: string;
  /** UTC day of that month, 1 to 31. */
  readonly day: number;
  /** The API key that created the job; empty for jobs of the dashboard. */
  readonly keyId: string;
  readonly source: FormatId;
  readonly target: FormatId;
  /** Its status, or the code of its error. */
  readonly outcome: JobErrorCode | "cancelled" | "completed";
  /** Bytes of the source files. */
  readonly bytesIn: number;
  /** Bytes of the result; 0 without one. */
  readonly bytesOut: number;
}

/** The jobs of a day with the same key, formats and outcome. */
export interface DayDetail extends Omit<UseDetail, "accountId" | "month"> {
  readonly jobs: number;
}

/** The breakdown of a month. */
export interface MonthDetails {
  readonly rows: readonly DayDetail[];
  /** Whether there are more than {@link DETAIL_ROWS_MAX} rows. */
  readonly truncated: boolean;
}

/** Rows of a month that are returned: as JSON 5 MB, less than a Lambda response may have. */
export const DETAIL_ROWS_MAX = 20_000;

/** What is counted of a job. */
export type CountedJob = Pick<
  Job,
  "accountId" | "further" | "inputBytes" | "keyId" | "optionFiles" | "quotaMonth" | "sourceFormat" | "targetFormat"
>;

/** @returns what the end of the job adds; undefined for unmetered jobs, which are not counted either */
export const useDetailOf = (job: CountedJob, outcome: JobOutcome, now: number): UseDetail | undefined => {
  const count = endCount(job, outcome.status, now);
  return (
    count && {
      accountId: count.accountId,
      month: count.month,
      day: count.day,
      keyId: job.keyId ?? "",
      source: job.sourceFormat,
      target: job.targetFormat,
      outcome: outcome.status === "failed" ? outcome.error.code : outcome.status,
      bytesIn: furtherUploadsOf(job).reduce((sum, { inputBytes }) => sum + inputBytes, job.inputBytes),
      bytesOut: outcome.status === "completed" ? outcome.result.bytes : 0,
    }
  );
};
