import type { Fidelity } from "./conversion.ts";
import { JobError, type JobErrorCode, jobErrors, jobErrorView } from "./errors.ts";
import { extensionOf, type FormatId, mediaTypeOf } from "./formats.ts";
import { sha256Hex } from "./ids.ts";
import { type LaneId, leaseSeconds } from "./lanes.ts";
import { FILE_RETENTION_MS, JOB_ATTEMPTS_MAX, QUEUED_RESEND_MS, RECORD_RETENTION_MS } from "./limits.ts";
import { type Options, shownOptions } from "./options.ts";
import type { RouteStep } from "./routes.ts";
import { timestamp } from "./times.ts";
import { withExtension } from "./uploads.ts";
import type { JobView } from "./views.ts";

/**
 * A job: one conversion that was accepted. It goes `queued → processing → completed | failed | cancelled`, and back
 * from `processing` to `queued` when an attempt failed through our fault. Times are milliseconds since 1970.
 */
export interface Job {
  readonly id: string;
  readonly accountId: string;
  readonly uploadId: string;
  readonly inputKey: string;
  readonly inputBytes: number;
  /** What the file is called, where it is packed under its name. */
  readonly inputFilename?: string;
  /** Uploads that are merged behind the first, in their order. @default none */
  readonly further?: readonly JobInput[];
  readonly sourceFormat: FormatId;
  readonly targetFormat: FormatId;
  readonly options: Options;
  /** The route as it was when the job was accepted: a deployment in between changes nothing. */
  readonly steps: readonly RouteStep[];
  readonly fidelity: Fidelity;
  readonly lane: LaneId;
  /** The name of the result. */
  readonly filename: string;
  readonly metadata?: Readonly<Record<string, string>>;
  /** Where the end is told, and where the client reached the service, for the URLs in what is told. */
  readonly webhook?: { readonly url: string; readonly baseUrl: string };
  /** Files go this long after the end; 0: at the first download. */
  readonly retentionMs?: number;
  /** A job of a test key that is to fail with this error. */
  readonly forcedError?: JobErrorCode;
  readonly status: JobStatus;
  /** 0 before the first claim. Results lie under it, so two attempts never write the same object. */
  readonly attempt: number;
  /** Percent. */
  readonly progress: number;
  /** The month that the request was counted in, to give it back there. */
  readonly quotaMonth: string;
  readonly createdAt: number;
  /** When an unfinished job needs the sweeper: its message may be lost, or its lease has run out. */
  readonly dueAt: number;
  readonly startedAt?: number;
  readonly finishedAt?: number;
  /** When the record goes. */
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
  /** @default that of the first upload */
  readonly format?: FormatId;
  /** What the file is called, where it is packed under its name. */
  readonly inputFilename?: string;
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

/** How long a step took, in milliseconds. */
export interface StepTiming {
  readonly engine: string;
  readonly from: FormatId;
  readonly to: FormatId;
  readonly durationMs: number;
}

/** Something that the client should know of a result that is otherwise good. */
export interface Warning {
  readonly code: string;
  readonly detail: string;
}

/** How an attempt ended. */
export type JobOutcome =
  | {
      readonly status: "completed";
      readonly result: JobResult;
      readonly timings: readonly StepTiming[];
      readonly warnings: readonly Warning[];
    }
  | {
      readonly status: "failed";
      readonly error: { readonly code: JobErrorCode; readonly detail: string };
      /** Whether the request is given back to the quota, because the fault was ours. */
      readonly givesBack: boolean;
    }
  | { readonly status: "cancelled" };

/** @returns the job as it is when it has just been accepted */
export const newJob = (job: Omit<Job, "status" | "attempt" | "progress" | "dueAt" | "recordExpiresAt">): Job => ({
  ...job,
  status: "queued",
  attempt: 0,
  progress: 0,
  dueAt: job.createdAt + QUEUED_RESEND_MS,
  recordExpiresAt: job.createdAt + RECORD_RETENTION_MS,
});

/** @returns whether the job still waits for its end */
export const isUnfinished = (job: Pick<Job, "status">): boolean =>
  job.status === "queued" || job.status === "processing";

/** @returns when a lease that is taken now runs out */
export const leaseUntil = (lane: LaneId, now: number): number => now + leaseSeconds(lane) * 1_000;

/** @returns when the attempt began that holds the job, as its lease tells */
export const leaseTakenAt = ({ lane, dueAt }: Pick<Job, "lane" | "dueAt">): number =>
  dueAt - leaseSeconds(lane) * 1_000;

/** @returns where the file store keeps the result of an attempt */
export const resultKey = (jobId: string, attempt: number): string => `results/${jobId}/${attempt}`;

/** @returns when files of a job that ends now go */
export const filesExpireAt = (now: number): number => now + FILE_RETENTION_MS;

/**
 * @returns when the result of a job that ends now goes. With a retention of 0 that is at the first download; one that is
 * never asked for goes with the others.
 */
export const resultExpiresAt = ({ retentionMs }: Pick<Job, "retentionMs">, now: number): number =>
  retentionMs === undefined || retentionMs === 0 ? filesExpireAt(now) : now + retentionMs;

/** @returns the error of a job whose attempts all broke off, whoever finds that */
export const attemptsUsedUp = (): JobError =>
  new JobError("engine_crashed", `The conversion did not end in ${JOB_ATTEMPTS_MAX} attempts.`);

/** @returns the outcome of an attempt that ended with this error */
export const failedOutcome = (error: JobError): JobOutcome => ({
  status: "failed",
  error: { code: error.code, detail: error.message },
  givesBack: jobErrors[error.code].fault === "service",
});

/**
 * @param baseUrl where the client reached the service, without a slash at the end
 * @returns the job as the API shows it at this time: a completed job whose files are gone is `expired`
 */
export const jobView = (job: Job, baseUrl: string, now: number): JobView => {
  const gone = job.result !== undefined && job.result.expiresAt <= now;
  return {
    id: job.id,
    status: gone ? "expired" : job.status,
    progress: job.progress,
    upload_id: job.uploadId,
    source_format: job.sourceFormat,
    target_format: job.targetFormat,
    options: shownOptions(job.options),
    steps: job.steps.map(({ engine, from, to }, index) => ({
      engine,
      from,
      to,
      duration_ms: job.timings?.[index]?.durationMs ?? null,
    })),
    fidelity: job.fidelity,
    metadata: job.metadata ?? {},
    created_at: timestamp(job.createdAt),
    started_at: job.startedAt === undefined ? null : timestamp(job.startedAt),
    finished_at: job.finishedAt === undefined ? null : timestamp(job.finishedAt),
    expires_at: job.result === undefined ? null : timestamp(job.result.expiresAt),
    result: job.result === undefined || gone ? null : resultView(resultFilename(job, job.result), job.result, baseUrl),
    warnings: [...(job.warnings ?? [])],
    error: job.error === undefined ? null : jobErrorView(new JobError(job.error.code, job.error.detail)),
  };
};

/**
 * @returns the name of the result: with `zip` at its end where several files came of one, and so the media type is not
 * that of the target
 */
export const resultFilename = ({ filename, targetFormat }: Job, { mediaType }: JobResult): string =>
  mediaType === mediaTypeOf("zip") && targetFormat !== "zip" ? withExtension(filename, extensionOf("zip")) : filename;

/** @returns a strong entity tag that changes whenever the view does (RFC 9110, 8.8.3) */
export const jobEtag = (view: JobView): string => `"${sha256Hex(JSON.stringify(view)).slice(0, 32)}"`;

const resultView = (filename: string, result: JobResult, baseUrl: string): JobView["result"] => ({
  filename,
  size: result.bytes,
  media_type: result.mediaType,
  sha256: result.sha256,
  download_token: result.token,
  download_url: `${baseUrl}/api/v1/download/${result.token}`,
  expires_at: timestamp(result.expiresAt),
});
