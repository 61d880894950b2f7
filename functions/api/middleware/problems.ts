import type { MiddlewareObj } from "@middy/core";
import { problemView } from "../../domain/errors/problem.ts";
import { unavailable } from "../../domain/errors/resource-errors.ts";
import { RequestError } from "../../domain/errors.ts";
import type { Answer, ApiEvent, ApiRequest, ApiResult } from "../request.ts";
import { exchangeOf } from "../request.ts";

/**
 * Converts any error to problem details (RFC 9457). Resource errors such as a full disk are reported as such; all other
 * errors that are not in the error table become internal errors without details.
 */
export const problems = (): MiddlewareObj<ApiEvent, Answer | ApiResult> => ({
  onError: (middy) => {
    if (middy.event.exchange !== undefined) {
      middy.response = problem(exchangeOf(middy.event).request, asRequestError(middy.error));
    }
  },
});

/** A 401 must say how to authenticate (RFC 9110, 11.6.1). */
const CHALLENGE = { "www-authenticate": 'Bearer realm="anyform"' };

/** A download token is removed from the path. */
const problem = ({ id, path }: ApiRequest, error: RequestError): Answer => {
  const shown = path.startsWith("/api/v1/download/") ? "/api/v1/download" : path;
  const body = problemView({ path: shown, requestId: id }, error);
  const headers = { ...(body.status === 401 && CHALLENGE), ...error.extra.headers };
  return { status: body.status, headers: { ...headers, "content-type": "application/problem+json" }, body };
};

const asRequestError = (error: unknown): RequestError =>
  error instanceof RequestError
    ? error
    : (unavailable(error) ??
      new RequestError("internal_error", "An internal error occurred. Include the request ID when you report it."));
