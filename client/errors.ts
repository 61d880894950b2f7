import type { Job, Problem } from "./api.ts";

/** Codes of what the service never said, because the client found it out by itself. */
export type ClientErrorCode =
  | "checksum_mismatch"
  | "invalid_input"
  | "not_reachable"
  | "output_exists"
  | "unexpected_answer"
  | "upload_failed";

/** What an error is made of; what the service did not say is undefined. */
export interface ErrorParts {
  readonly code: string;
  readonly detail: string;
  /** Of the HTTP answer; 0 where there was none. */
  readonly status?: number;
  readonly requestId?: string | undefined;
  readonly retryable?: boolean;
  readonly errors?: Problem["errors"];
  readonly supportedTargets?: readonly string[] | undefined;
  /** Seconds after which the service would be asked again. */
  readonly retryAfter?: number | undefined;
  readonly uploadId?: string | undefined;
  readonly cause?: unknown;
}

/** Something that could not be done. `code` is for programs, `detail` for people. */
export class AnyformError extends Error {
  readonly code: string;
  readonly detail: string;
  readonly status: number;
  readonly requestId: string | undefined;
  /** Whether the same call may succeed later without a change. */
  readonly retryable: boolean;
  /** What is wrong in the request, each with a JSON pointer to it. */
  readonly errors: NonNullable<Problem["errors"]>;
  /** What the file can become, where the target was refused. */
  readonly supportedTargets: readonly string[];
  readonly retryAfter: number | undefined;
  /** The upload that broke off; `resume` goes on with it. */
  readonly uploadId: string | undefined;

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
  }
}

/** A job that ended without a result. `code` is the job's, for example `source_corrupt`. */
export class ConversionError extends AnyformError {
  readonly job: Job;

  constructor(job: Job) {
    super({
      code: job.error?.code ?? job.status,
      detail: job.error?.detail ?? `The job ${job.id} is ${job.status}.`,
      retryable: job.error?.retryable ?? false,
    });
    this.name = "ConversionError";
    this.job = job;
  }
}

/** @returns the error of an input that cannot be sent, or a wish that cannot be met, before anything was sent */
export const inputError = (detail: string): AnyformError => new AnyformError({ code: "invalid_input", detail });
