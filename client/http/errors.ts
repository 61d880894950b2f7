import type { Job, Problem } from "../api.ts";

/** Error codes that originate in the client, not in the service. */
export type ClientErrorCode =
  | "checksum_mismatch"
  | "invalid_input"
  | "invalid_signature"
  | "not_reachable"
  | "output_exists"
  | "unexpected_answer"
  | "upload_failed";

/** Fields of an error. Fields that the service did not send are undefined. */
export interface ErrorParts {
  readonly code: string;
  readonly detail: string;
  /** HTTP status; 0 if there was no response. */
  readonly status?: number;
  readonly requestId?: string | undefined;
  readonly retryable?: boolean;
  readonly errors?: Problem["errors"];
  readonly supportedTargets?: readonly string[] | undefined;
  /** Seconds to wait before a retry, from `Retry-After`. */
  readonly retryAfter?: number | undefined;
  readonly uploadId?: string | undefined;
  readonly jobId?: string | undefined;
  readonly cause?: unknown;
}

/** A failed call. `code` is for programs, `detail` for people. */
export class AnyformError extends Error {
  readonly code: string;
  readonly detail: string;
  readonly status: number;
  readonly requestId: string | undefined;
  /** Whether the same call may succeed later, unchanged. */
  readonly retryable: boolean;
  /** The invalid fields of the request, each with a JSON pointer. */
  readonly errors: NonNullable<Problem["errors"]>;
  /** Supported targets of the file, if the requested target is not supported. */
  readonly supportedTargets: readonly string[];
  readonly retryAfter: number | undefined;
  /** ID of the interrupted upload; pass it as `resume` to continue. */
  readonly uploadId: string | undefined;
  /** ID of the failed job. */
  readonly jobId: string | undefined;

  constructor(parts: ErrorParts) {
    super(parts.detail, { cause: parts.cause });
    this.name = "AnyformError";
    this.code = parts.code;
    this.detail = parts.detail;
    this.status = parts.status ?? 0;
    this.requestId = parts.requestId;
    this.retryable = parts.retryable ?? false;
    this.errors = parts.errors ?? [];
    this.supportedTargets = parts.supportedTargets ?? [];
    this.retryAfter = parts.retryAfter;
    this.uploadId = parts.uploadId;
    this.jobId = parts.jobId;
  }
}

/** A job that ended without a result. `code` is the error code of the job, for example `source_corrupt`. */
export class ConversionError extends AnyformError {
  readonly job: Job;

  constructor(job: Job) {
    super({
      code: job.error?.code ?? job.status,
      detail: job.error?.detail ?? `Job ${job.id} is ${job.status}.`,
      retryable: job.error?.retryable ?? false,
      jobId: job.id,
    });
    this.name = "ConversionError";
    this.job = job;
  }
}

/** @returns the error for an input or option that is rejected before anything is sent */
export const inputError = (detail: string): AnyformError => new AnyformError({ code: "invalid_input", detail });
