import { type RequestError, type RequestErrorCode, requestErrors } from "./errors.ts";
import type { ProblemView } from "./problem-view.ts";

/** The context of an error: the requested path and the request ID. */
export interface ProblemPlace {
  /** Without secrets. */
  readonly path: string;
  readonly requestId: string;
}

/** @returns the type of a problem. It is the same on every server, so that clients can compare it. */
export const problemType = (code: RequestErrorCode): string => `urn:anyform:error:${code}`;

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
