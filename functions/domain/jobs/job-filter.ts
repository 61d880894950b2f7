import type { FormatId } from "../formats/formats.ts";
import { idAt } from "../ids.ts";
import { type Job, type JobStatus, resultFilename, shownStatus } from "./job.ts";

/** The jobs of a list. Missing fields do not restrict it. */
export interface JobFilter {
  readonly id?: string;
  /** The status as shown: a completed job whose result has expired is `expired`. */
  readonly status?: JobStatus | "expired";
  readonly sourceFormat?: FormatId;
  readonly targetFormat?: FormatId;
  /** The API key that created the job. */
  readonly keyId?: string;
  /** Part of the name of the source file or of the result, in any case. */
  readonly name?: string;
  /** Milliseconds since 1970. Jobs of exactly this time are included. */
  readonly createdAfter?: number;
  /** Milliseconds since 1970. Jobs of exactly this time are not included. */
  readonly createdBefore?: number;
}

/** @returns whether the job is one of the filter's and offers its result, except for its ID and creation time: {@link idRange} restricts them */
export const matchesFilter = (job: Job, filter: JobFilter, now: number): boolean => {
  const { status, sourceFormat, targetFormat, keyId, name } = filter;
  return (
    job.intermediate !== true &&
    (status === undefined || shownStatus(job, now) === status) &&
    (sourceFormat === undefined || job.sourceFormat === sourceFormat) &&
    (targetFormat === undefined || job.targetFormat === targetFormat) &&
    (keyId === undefined || job.keyId === keyId) &&
    (name === undefined || namesOf(job).some((each) => folded(each).includes(folded(name))))
  );
};

/** @returns whether every job matches the filter, apart from its ID and creation time */
export const matchesAll = ({ status, sourceFormat, targetFormat, keyId, name }: JobFilter): boolean =>
  [status, sourceFormat, targetFormat, keyId, name].every((value) => value === undefined);

/** Sorts after the IDs of all jobs, which consist of letters and digits, and before those of other records. */
const AFTER_ALL = "job_~";

/**
 * IDs start with the creation time, so a period is a range of them.
 * @param query the filter, and the exclusive start of the page: its newest ID
 * @returns the first ID of the range, inclusive, and the last one, exclusive
 */
export const idRange = ({
  id,
  createdAfter,
  createdBefore,
  after = AFTER_ALL,
}: JobFilter & { readonly after?: string }): { readonly from: string; readonly before: string } => {
  const starts = [id ?? "job_", createdAfter === undefined ? "job_" : idAt("job", createdAfter)];
  const ends = [
    after,
    ...(id === undefined ? [] : [`${id}~`]),
    ...(createdBefore === undefined ? [] : [idAt("job", createdBefore)]),
  ];
  return { from: starts.toSorted().at(-1) ?? "job_", before: ends.toSorted()[0] ?? after };
};

const namesOf = (job: Job): readonly string[] => [
  job.sourceFilename ?? "",
  job.result === undefined ? job.filename : resultFilename(job, job.result),
];

/** Accents can be encoded in two ways (Unicode Standard Annex #15). */
const folded = (text: string): string => text.normalize("NFC").toLowerCase();
