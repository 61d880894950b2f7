import { type RequestError, requestErrors } from "./errors.ts";
import type { ProblemView } from "./views.ts";

/** What an error is told with: where the client reached us, the path it asked for, and the id of its request. */
export interface ProblemPlace {
  /** Without a slash at the end. */
  readonly baseUrl: string;
  /** Without anything that is secret. */
  readonly path: string;
  readonly requestId: string;
}

/** @returns the error as problem details (RFC 9457); its type leads to the error's row in the OpenAPI document */
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
