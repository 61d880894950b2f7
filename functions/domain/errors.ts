import { jobErrors } from "./errors/job-errors.ts";
import type { requestErrors } from "./errors/request-errors.ts";

/** Errors of requests and jobs; the folder `errors` has the tables of their codes. */

export type RequestErrorCode = keyof typeof requestErrors;
export type JobErrorCode = keyof typeof jobErrors;

/** A validation error in a request: a JSON pointer to it, a code, and a sentence. */
export interface FieldError {
  readonly pointer: string;
  readonly code: string;
  readonly detail: string;
}

/** Optional parts of a request error. */
export interface RequestErrorExtra {
  readonly errors?: readonly FieldError[];
  readonly supported_targets?: readonly string[];
  /** Response headers that belong to the error, for example `Retry-After`. Names in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** A request that is rejected. Its detail is shown to the client: what is wrong, and how to fix it. */
export class RequestError extends Error {
  readonly code: RequestErrorCode;
  readonly extra: RequestErrorExtra;

  constructor(code: RequestErrorCode, detail: string, extra: RequestErrorExtra = {}) {
    super(detail);
    this.name = "RequestError";
    this.code = code;
    this.extra = extra;
  }
}

/** Optional parts of a job error. */
export interface JobErrorOptions extends ErrorOptions {
  /**
   * Whether no other engine may read the file: it exceeds a limit or is unsafe, or the options do not fit it. @default
   * false
   */
  readonly isFinal?: boolean;
}

/** A conversion that failed. Its detail is shown to the client. */
export class JobError extends Error {
  readonly code: JobErrorCode;
  readonly isFinal: boolean;

  constructor(code: JobErrorCode, detail: string, { isFinal = false, ...options }: JobErrorOptions = {}) {
    super(detail, options);
    this.name = "JobError";
    this.code = code;
    this.isFinal = isFinal;
  }
}

/** @returns the error as the API shows it */
export const jobErrorView = (error: JobError) => {
  const { title, retryable } = jobErrors[error.code];
  return { code: error.code, title, detail: error.message, retryable };
};
