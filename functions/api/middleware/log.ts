import type { MiddlewareObj } from "@middy/core";
import { RequestError, type RequestErrorCode } from "../../domain/errors.ts";
import { requestMeasured } from "../../domain/measured.ts";
import { type OutageId, outageOf } from "../../domain/outages.ts";
import { logger } from "../../logger.ts";
import type { Answer, ApiEvent, ApiResult } from "../request.ts";
import { exchangeOf, requestKeys } from "../request.ts";
import type { ApiRoute } from "../routes.ts";

/** What an operator has not set up is no failure of ours (`not_offered`). */
const NOT_OFFERED = 501;

/**
 * One line per request, and its measurements: what was asked, by whom, how it ended, how long it took. The path is the
 * route's, never the client's, because a path may hold a download token; headers, names and bodies are not logged.
 */
export const logRequest = (
  route: Pick<ApiRoute, "operation" | "path">,
): MiddlewareObj<ApiEvent, Answer | ApiResult> => {
  const write = (event: ApiEvent, response: Answer | ApiResult | null | undefined, error?: Error | null) => {
    const { context, request } = exchangeOf(event);
    const status = response && "status" in response ? response.status : 500;
    const durationMs = context.clock() - request.now;
    const outage = outageOf(error);
    const code = error ? codeOf(error, outage) : undefined;
    context.metrics.record(
      requestMeasured({
        operation: route.operation,
        status,
        durationMs,
        ...(code !== undefined && { code }),
        ...(outage !== undefined && { outage }),
      }),
    );
    const line = {
      ...requestKeys(request),
      method: request.method,
      path: route.path,
      status,
      code,
      duration_ms: durationMs,
    };
    // What is refused under load is no fault of any part, and there is much of it; a disk that is full is one.
    const isRefusal = code === "temporarily_unavailable" && outage === undefined;
    if (status >= 500 && status !== NOT_OFFERED && !isRefusal) {
      logger.error("request", { ...line, error: error ?? new Error("No error was given.") });
      return;
    }
    logger.info("request", line);
  };
  return {
    after: ({ event, response }) => write(event, response),
    onError: ({ event, response, error }) => write(event, response, error),
  };
};

/** What is not from the table, and no outage, is answered as an error of ours. */
const codeOf = (error: Error, outage: OutageId | undefined): RequestErrorCode =>
  error instanceof RequestError ? error.code : outage === undefined ? "internal_error" : "temporarily_unavailable";
