import { type RequestError, requestErrors } from "./errors.ts";
import type { ProblemView } from "./problem-view.ts";

/** The context of an error: the base URL, the requested path, and the request ID. */
export interface ProblemPlace {
  /** Without a trailing slash. */
  readonly baseUrl: string;
  /** Without secrets. */
  readonly path: string;
  readonly requestId: string;
}

/** @returns the error as problem details (RFC 9457); its type links to the error's row in the OpenAPI document */
export const problemView = ({ baseUrl, path, requestId }: ProblemPlace, error: RequestError): ProblemView => {
  const { status, title, retryable } = requestErrors[error.code];
  const { errors, supported_targets } = error.extra;
  return {
    type: `${baseUrl}/api/v1/openapi.json#/x-errors/${error.code}`,
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
