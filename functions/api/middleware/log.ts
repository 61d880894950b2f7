import type { MiddlewareObj } from "@middy/core";
import { type OutageId, outageOf } from "../../domain/errors/resource-errors.ts";
import { RequestError, type RequestErrorCode } from "../../domain/errors.ts";
import { requestMeasured } from "../../domain/measurements.ts";
import { loggedNetworkOf } from "../../domain/networks.ts";
import { logger } from "../../logger.ts";
import type { Route } from "../operation.ts";
import type { Answer, ApiEvent, ApiResult } from "../request.ts";
import { exchangeOf, requestKeys } from "../request.ts";

/** A feature that the operator has not enabled is not a failure (`not_offered`). */
const NOT_OFFERED = 501;
const JOB_FAILED = 503;

/**
 * Logs one line per request and records its metrics: operation, account, outcome, duration. The path is the route's,
 * never the client's, because a path can contain a download token, and the address only as its network. Headers, names and bodies are not logged.
 */
export const logRequest = (route: Pick<Route, "id" | "path">): MiddlewareObj<ApiEvent, Answer | ApiResult> => {
  const write = (event: ApiEvent, response: Answer | ApiResult | null | undefined, error?: Error | null) => {
    const { context, request } = exchangeOf(event);
    const status = response && "status" in response ? response.status : 500;
    const durationMs = context.clock() - request.now;
    const outage = outageOf(error);
    const code = error ? codeOf(error, outage) : undefined;
    context.metrics.record(
      requestMeasured({
        operation: route.id,
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
      network: loggedNetworkOf(request.ip),
      duration_ms: durationMs,
    };
    // Rejections under load are not faults, and there are many of them. A full disk is a fault.
    const isRefusal = code === "temporarily_unavailable" && outage === undefined;
    // The response to a conversion in one call can report a failed job, which was logged when it failed.
    const isJobFailure = !error && status === JOB_FAILED;
    if (status >= 500 && status !== NOT_OFFERED && !isRefusal && !isJobFailure) {
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

/** Errors that are neither in the error table nor an outage are internal errors. */
const codeOf = (error: Error, outage: OutageId | undefined): RequestErrorCode =>
  error instanceof RequestError ? error.code : outage === undefined ? "internal_error" : "temporarily_unavailable";
