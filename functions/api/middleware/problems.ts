import type { MiddlewareObj } from "@middy/core";
import { RequestError } from "../../domain/errors.ts";
import { unavailable } from "../../domain/outages.ts";
import { problemView } from "../../domain/problem.ts";
import type { Answer, ApiEvent, ApiRequest, ApiResult } from "../request.ts";
import { exchangeOf } from "../request.ts";

/**
 * Turns whatever was thrown into problem details (RFC 9457). A disk that is full is told as what it is; whatever else is not
 * from the table is ours, and says nothing.
 */
export const problems = (): MiddlewareObj<ApiEvent, Answer | ApiResult> => ({
  onError: (middy) => {
    if (middy.event.exchange !== undefined) {
      middy.response = problem(exchangeOf(middy.event).request, asRequestError(middy.error));
    }
  },
});

/** A 401 has to say how to authenticate (RFC 9110, 11.6.1). */
const CHALLENGE = { "www-authenticate": 'Bearer realm="anyform"' };

/** A path that holds a download token is told without it. */
const problem = ({ id, baseUrl, path }: ApiRequest, error: RequestError): Answer => {
  const shown = path.startsWith("/api/v1/download/") ? "/api/v1/download" : path;
  const body = problemView({ baseUrl, path: shown, requestId: id }, error);
  const headers = { ...(body.status === 401 && CHALLENGE), ...error.extra.headers };
  return { status: body.status, headers: { ...headers, "content-type": "application/problem+json" }, body };
};

const asRequestError = (error: unknown): RequestError =>
  error instanceof RequestError
    ? error
    : (unavailable(error) ??
      new RequestError("internal_error", "The request failed on our side; the request id helps us to find out why."));
