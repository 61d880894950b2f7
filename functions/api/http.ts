import middy from "@middy/core";
import type { Context as LambdaContext } from "aws-lambda";
import { context as deployedContext } from "#context";
import type { Context } from "../domain/ports.ts";
import { authenticate } from "./middleware/authenticate.ts";
import { logRequest } from "./middleware/log.ts";
import { meter } from "./middleware/meter.ts";
import { preferences } from "./middleware/preferences.ts";
import { problems } from "./middleware/problems.ts";
import { readJson } from "./middleware/read-json.ts";
import { receive } from "./middleware/receive.ts";
import { recordRequest } from "./middleware/record-request.ts";
import type { AnyOperation } from "./operation.ts";
import { type Answer, type ApiEvent, type ApiRequest, type ApiResult, exchangeOf } from "./request.ts";

/** A Lambda handler for payload 2.0 of API Gateway's HTTP API. The local gateway sends the same payload. */
export type HttpHandler = (event: ApiEvent, lambdaContext: LambdaContext) => Promise<ApiResult>;

/**
 * The life of a request, read from top to bottom. Responses and errors pass through it from bottom to top.
 *
 * @param worldOf returns the context that operations run in
 * @returns a function that creates the handler of an operation
 */
export const serveOn =
  (worldOf: () => Context) =>
  (operation: AnyOperation): HttpHandler => {
    const stack = middy<ApiEvent, Answer | ApiResult>()
      .use(recordRequest())
      .use(receive(worldOf, operation))
      .use(logRequest(operation))
      .use(problems())
      .use(authenticate(operation))
      .use(meter(operation))
      .use(readJson(operation))
      .use(preferences(operation))
      .handler((event: ApiEvent) => {
        const { context, request } = exchangeOf(event);
        // `readJson` has validated the body against the schema that determines the type of `run`.
        return operation.run(context)(request as ApiRequest<never>);
      });
    // The innermost handler returns an `Answer`, which the outermost middleware converts to a result. middy types only
    // one.
    return stack as HttpHandler;
  };

/** Serves an operation in the context of this deployment. */
export const serve = serveOn(deployedContext);
