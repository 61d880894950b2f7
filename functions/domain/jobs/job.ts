import type { Fidelity } from "../conversions/conversion.ts";
import { type LaneId, leaseSeconds } from "../conversions/lanes.ts";
import type { OptionName, Options } from "../conversions/options.ts";
import type { RouteStep } from "../conversions/plan.ts";
import type { Refusal } from "../conversions/plan-fallbacks.ts";
import { stepsInOrder } from "../conversions/steps-in-order.ts";
import { jobErrors } from "../errors/job-errors.ts";
import { JobError, type JobErrorCode, jobErrorView } from "../errors.ts";
import { jobExportView } from "../exports/export-views.ts";
import type { JobExport } from "../exports/job-export.ts";
import { extensionOf, type FormatId, mediaTypeOf } from "../formats/formats.ts";
import { sha256Hex } from "../ids.ts";
import { FILE_RETENTION_MS, JOB_ATTEMPTS_MAX, QUEUED_RESEND_MS, RECORD_RETENTION_MS } from "../limits.ts";
import type { StepTiming } from "../step-timing.ts";
import { timestamp } from "../times.ts";
import { withExtension } from "../uploads/upload.ts";
import type { Warning } from "../warning.ts";
import type { JobEndpoints } from "../webhooks/endpoint.ts";
import type { JobView } from "./job-views.ts";
import { shownOptions } from "./secret-options.ts";

/**
 * A job: an accepted conversion. Its status changes `queued → processing → completed | failed | cancelled`, and back
 * from `processing` to `queued` when an attempt failed because of the service. Times are milliseconds since 1970.
 */
export interface Job {
  readonly id: string;
  readonly accountId: string;
  readonly uploadId: string;
  readonly inputKey: string;
  readonly inputBytes: number;
  /** The filename, if the file is packed under its name. */
  readonly inputFilename?: string;
  /** The filename of the first upload. @default unknown: it was not stored at first */
  readonly sourceFilename?: string;
  /** Uploads that are merged after the first, in order. @default none */
  readonly further?: readonly JobInput[];
  /** Uploads that are the values of options. @default none */
  readonly optionFiles?: readonly OptionInput[];
  readonly sourceFormat: FormatId;
  readonly targetFormat: FormatId;
  readonly options: Options;
  /** The route when the job was accepted, which later deployments do not change, or the one of {@link refusal}. */
  readonly steps: readonly RouteStep[];
  readonly fidelity: Fidelity;
  readonly lane: LaneId;
  /** The lane that also has the engine that some files need; the job moves there if its file does. @default none */
  readonly helperLane?: LaneId;
  /** Set when engines have refused the file and another one reads it, with other `steps`. */
  readonly refusal?: Refusal;
  /** The last attempt in the previous lane, if the job has moved: attempts start again in the new one. */
  readonly movedAfter?: number;
  /** The filename of the result. */
  readonly filename: string;
  readonly metadata?: Readonly<Record<string, string>>;
  /** The webhook URL, and the base URL of the service for the URLs in the message. With `sendsFile`, its body is the result. */
  readonly webhook?: { readonly url: string; readonly baseUrl: string; readonly sendsFile?: true };
  /** The endpoints of the account that receive its end. @default none */
  readonly endpoints?: JobEndpoints;
  /** Where the result is exported to. @default nowhere */
  readonly export?: JobExport;
  /** How long files are kept after the end; 0: until the first download. */
  readonly retentionMs?: number;
  /** The API key that created the job. @default a session, or it was not stored yet */
  readonly keyId?: string;
  /** The pipeline that the job is a step of. */
  readonly pipelineId?: string;
  /** Whether only other steps of the pipeline read its result, which is not offered for download. */
  readonly intermediate?: boolean;
  /** Whether it waits for results of other steps; it cannot be claimed until it is started. */
  readonly waits?: boolean;
  /** The simulated error of a test key's job. */
  readonly forcedError?: JobErrorCode;
  readonly status: JobStatus;
  /** 0 before the first claim. Part of the result's key, so two attempts never write the same object. */
  readonly attempt: number;
  /** Percent. */
  readonly progress: number;
  /** The month in which the request was counted, for a refund. */
  readonly quotaMonth: string;
  /** The API key that it was counted for, because the key has a limit. @default none */
  readonly quotaKey?: string;
  /** The shard of that month's count. The end of the job is counted in the same shard. @default the count has no shards */
  readonly quotaShard?: number;
  readonly createdAt: number;
  /** When the sweeper checks an unfinished job: its message may be lost, or its lease may have expired. */
  readonly dueAt: number;
  readonly startedAt?: number;
  readonly finishedAt?: number;
  /** When the record is deleted. */
  readonly recordExpiresAt: number;
  readonly result?: JobResult;
  readonly timings?: readonly StepTiming[];
  readonly warnings?: readonly Warning[];
  readonly error?: { readonly code: JobErrorCode; readonly detail: string };
}

/** An upload that a job reads. */
export interface JobInput {
  readonly uploadId: string;
  readonly inputKey: string;
  readonly inputBytes: number;
  /** @default the format of the first upload */
  readonly format?: FormatId;
  /** The filename, if the file is packed under its name. */
  readonly inputFilename?: string;
  /** The steps that convert it before the files are merged. @default none */
  readonly steps?: readonly RouteStep[];
}

/** An upload that is the value of an option. */
export interface OptionInput extends Required<Omit<JobInput, "inputFilename" | "steps">> {
  readonly option: OptionName;
  readonly filename: string;
}

export type JobStatus = "queued" | "processing" | "completed" | "failed" | "cancelled";

/** A finished file. `token` downloads it until `expiresAt`. */
export interface JobResult {
  readonly key: string;
  readonly bytes: number;
  readonly mediaType: string;
  readonly sha256: string;
  readonly token: string;
  readonly expiresAt: number;
}

/** The route of a job whose file another engine reads. */
export type ChangedRoute = Required<Pick<Job, "steps" | "fidelity" | "refusal">>;

/** Moves a job to another lane, with another route if engines have refused its file. */
export type JobMove = Pick<Job, "lane"> & Partial<ChangedRoute>;

/** The outcome of an attempt. */
export type JobOutcome =
  | {
      readonly status: "completed";
      readonly result: JobResult;
      readonly timings: readonly StepTiming[];
      readonly warnings: readonly Warning[];
      /** The route, if engines have refused the file and another one read it. @default as accepted */
      readonly changed?: ChangedRoute;
    }
  | {
      readonly status: "failed";
      readonly error: { readonly code: JobErrorCode; readonly detail: string };
      /** Whether the request is refunded, because the service caused the failure. */
      readonly givesBack: boolean;
    }
  | { readonly status: "cancelled" };

/** @returns a newly accepted job */
export const newJob = (job: Omit<Job, "status" | "attempt" | "progress" | "dueAt" | "recordExpiresAt">): Job => ({
  ...job,
  status: "queued",
  attempt: 0,
  progress: 0,
  dueAt: job.createdAt + QUEUED_RESEND_MS,
  recordExpiresAt: job.createdAt + RECORD_RETENTION_MS,
});

/** @returns whether the job has not ended */
export const isUnfinished = (job: Pick<Job, "status">): boolean =>
  job.status === "queued" || job.status === "processing";

/** @returns the status of the job at this time, as shown: a completed job whose file is deleted is `expired` */
export const shownStatus = ({ status, result }: Pick<Job, "result" | "status">, now: number): JobView["status"] =>
  result !== undefined && result.expiresAt <= now ? "expired" : status;

/** @returns when a lease that is taken now expires */
export const leaseUntil = (lane: LaneId, now: number): number => now + leaseSeconds(lane) * 1_000;

/** @returns when the current attempt started, derived from its lease */
export const leaseTakenAt = ({ lane, dueAt }: Pick<Job, "lane" | "dueAt">): number =>
  dueAt - leaseSeconds(lane) * 1_000;

/** @returns the file store key of an attempt's result */
export const resultKey = (jobId: string, attempt: number): string => `results/${jobId}/${attempt}`;

/** @returns when the files of a job that ends now are deleted */
export const filesExpireAt = (now: number): number => now + FILE_RETENTION_MS;

/**
 * @returns when the result of a job that ends now is deleted. With a retention of 0 that is at the first download; a
 * result that is never downloaded has the default retention.
 */
export const resultExpiresAt = ({ retentionMs }: Pick<Job, "retentionMs">, now: number): number =>
  retentionMs === undefined || retentionMs === 0 ? filesExpireAt(now) : now + retentionMs;

/** @returns the number of attempts in the job's lane */
export const attemptsInLane = ({ attempt, movedAfter = 0 }: Pick<Job, "attempt" | "movedAfter">): number =>
  attempt - movedAfter;

/** @returns the error of a job whose attempts were all interrupted */
export const attemptsUsedUp = (): JobError =>
  new JobError("engine_crashed", `The conversion did not end in ${JOB_ATTEMPTS_MAX} attempts.`);

/** @returns the outcome of an attempt that ended with this error */
export const failedOutcome = (error: JobError): JobOutcome => ({
  status: "failed",
  error: { code: error.code, detail: error.message },
  givesBack: jobErrors[error.code].fault === "service",
});

/** @returns the uploads that the job converts, in order */
const uploadIdsOf = (job: Job): string[] => [job, ...(job.further ?? [])].map(({ uploadId }) => uploadId);

/** @returns the uploads that the job needs in addition to the first */
export const furtherUploadsOf = ({
  further = [],
  optionFiles = [],
}: Pick<Job, "further" | "optionFiles">): readonly JobInput[] => [...further, ...optionFiles];

/** @returns whether the job needs the upload until it ends */
export const needsUpload = (job: Job, uploadId: string): boolean =>
  [job, ...furtherUploadsOf(job)].some((input) => input.uploadId === uploadId);

/**
 * @param baseUrl the base URL by which the client reached the service, without a trailing slash
 * @returns the job as the API returns it at this time: a completed job whose files are deleted is `expired`
 */
export const jobView = (job: Job, baseUrl: string, now: number): JobView => {
  const status = shownStatus(job, now);
  return {
    id: job.id,
    status,
    progress: job.progress,
    upload_id: job.uploadId,
    upload_ids: uploadIdsOf(job),
    source_filename: job.sourceFilename ?? null,
    source_format: job.sourceFormat,
    target_format: job.targetFormat,
    options: shownOptions(job.options),
    steps: stepsInOrder(job.steps, job.further).map(({ engine, from, to }, index) => ({
      engine,
      from,
      to,
      duration_ms: job.timings?.[index]?.durationMs ?? null,
    })),
    fidelity: job.fidelity,
    metadata: job.metadata ?? {},
    key_id: job.keyId ?? null,
    pipeline_id: job.pipelineId ?? null,
    created_at: timestamp(job.createdAt),
    started_at: job.startedAt === undefined ? null : timestamp(job.startedAt),
    finished_at: job.finishedAt === undefined ? null : timestamp(job.finishedAt),
    expires_at: job.result === undefined ? null : timestamp(job.result.expiresAt),
    result:
      job.result === undefined || job.intermediate === true || status === "expired"
        ? null
        : resultView(resultFilename(job, job.result), job.result, baseUrl),
    warnings: [...(job.warnings ?? [])],
    export: jobExportView(job),
    error: job.error === undefined ? null : jobErrorView(new JobError(job.error.code, job.error.detail)),
  };
};

/**
 * @returns the filename of the result: with the extension `zip` if one file became several, and the media type
 * therefore differs from the target's
 */
export const resultFilename = ({ filename, targetFormat }: Job, { mediaType }: JobResult): string =>
  mediaType === mediaTypeOf("zip") && targetFormat !== "zip" ? withExtension(filename, extensionOf("zip")) : filename;

/** @returns a strong entity tag that changes whenever the view does (RFC 9110, 8.8.3) */
export const jobEtag = (view: JobView): string => `"${viewVersion(view)}"`;

/** @returns an ID of the version of a job or pipeline: views that differ have different ones */
export const viewVersion = (view: object): string => sha256Hex(JSON.stringify(view)).slice(0, 32);

const resultView = (filename: string, result: JobResult, baseUrl: string): JobView["result"] => ({
  filename,
  size: result.bytes,
  media_type: result.mediaType,
  sha256: result.sha256,
  download_token: result.token,
  download_url: `${baseUrl}/api/v1/download/${result.token}`,
  expires_at: timestamp(result.expiresAt),
});
