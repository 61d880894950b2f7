import type { MiddlewareObj } from "@middy/core";
import { RequestError, requestErrors } from "../../domain/errors.ts";
import type { ProblemView } from "../../domain/views.ts";
import type { Answer, ApiEvent, ApiRequest, ApiResult } from "../request.ts";
import { exchangeOf } from "../request.ts";

/** Turns whatever was thrown into problem details (RFC 9457). What is not from the table is ours, and says nothing. */
export const problems = (): MiddlewareObj<ApiEvent, Answer | ApiResult> => ({
  onError: (middy) => {
    if (middy.event.exchange !== undefined) {
      middy.response = problem(exchangeOf(middy.event).request, asRequestError(middy.error));
    }
  },
});

/** @returns the answer that tells the client of an error */
const problem = (request: ApiRequest, error: RequestError): Answer => {
  const { status, title, retryable } = requestErrors[error.code];
  const body: ProblemView = {
    type: `${request.baseUrl}/api/v1/openapi.json#/x-errors/${error.code}`,
    title,
    status,
    detail: error.message,
    instance: request.path.startsWith("/api/v1/download/") ? "/api/v1/download" : request.path,
    code: error.code,
    request_id: request.id,
    retryable,
    ...(error.extra.errors && { errors: [...error.extra.errors] }),
    ...(error.extra.supported_targets && { supported_targets: [...error.extra.supported_targets] }),
  };
  return { status, headers: { ...error.extra.headers, "content-type": "application/problem+json" }, body };
};

const asRequestError = (error: unknown): RequestError =>
  error instanceof RequestError
    ? error
    : new RequestError("internal_error", "The request failed on our side; the request id helps us to find out why.");
