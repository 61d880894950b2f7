import type { JobErrorCode, RequestError, RequestErrorCode } from "../errors.ts";
import { jobErrors } from "./job-errors.ts";
import type { ProblemView } from "./problem-view.ts";
import { requestErrors } from "./request-errors.ts";

/** The context of an error: the requested path and the request ID. */
export interface ProblemPlace {
  /** Without secrets. */
  readonly path: string;
  readonly requestId: string;
}

/** @returns the type of a problem. It is the same on every server, so that clients can compare it. */
export const problemType = (code: RequestErrorCode | JobErrorCode): string => `urn:anyform:error:${code}`;

/** @returns the error as problem details (RFC 9457) */
export const problemView = ({ path, requestId }: ProblemPlace, error: RequestError): ProblemView => {
  const { status, title, retryable } = requestErrors[error.code];
  const { errors, supported_targets } = error.extra;
  return {
    type: problemType(error.code),
    title,
    status,
    detail: error.message,
    instance: path,
    code: error.code,
    request_id: requestId,
    retryable,
    ...(errors && { errors: [...errors] }),
    ...(supported_targets && { supported_targets: [...supported_targets] }),
  };
};

/** The error of a job whose conversion was to be the response. */
export interface FailedJob {
  readonly jobId: string;
  readonly code: JobErrorCode;
  readonly detail: string;
}

const INPUT_STATUS = 422;
const SERVICE_STATUS = 503;

/** @returns the error of the job as problem details: 422 if the input caused it, 503 if the service did */
export const jobProblemView = ({ path, requestId }: ProblemPlace, error: FailedJob): ProblemView => {
  const { title, retryable, fault } = jobErrors[error.code];
  return {
    type: problemType(error.code),
    title,
    status: fault === "input" ? INPUT_STATUS : SERVICE_STATUS,
    detail: error.detail,
    instance: path,
    code: error.code,
    request_id: requestId,
    retryable,
    job_id: error.jobId,
  };
};
