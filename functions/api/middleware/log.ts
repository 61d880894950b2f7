import type { MiddlewareObj } from "@middy/core";
import { logger } from "../../logger.ts";
import type { Answer, ApiEvent, ApiResult } from "../request.ts";
import { exchangeOf } from "../request.ts";
import type { ApiRoute } from "../routes.ts";

/** What an operator has not set up is no failure of ours (`not_offered`). */
const NOT_OFFERED = 501;

/**
 * One line per request: what was asked, by whom, how it ended, how long it took. The path is the route's, never the
 * client's, because a path may hold a download token; headers, names and bodies are not logged.
 */
export const logRequest = (
  route: Pick<ApiRoute, "operation" | "path">,
): MiddlewareObj<ApiEvent, Answer | ApiResult> => {
  const write = (event: ApiEvent, response: Answer | ApiResult | null | undefined, error?: Error | null) => {
    const { context, request } = exchangeOf(event);
    const status = response && "status" in response ? response.status : 500;
    const line = {
      operation: route.operation,
      method: request.method,
      path: route.path,
      request_id: request.id,
      account_id: request.accountId,
      status,
      duration_ms: context.clock() - request.now,
    };
    if (status >= 500 && status !== NOT_OFFERED) {
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
