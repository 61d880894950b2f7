import middy from "@middy/core";
import type { Context as LambdaContext } from "aws-lambda";
import { context as deployedContext } from "#context";
import type { Context } from "../domain/ports.ts";
import { authenticate } from "./middleware/authenticate.ts";
import { logRequest } from "./middleware/log.ts";
import { meter } from "./middleware/meter.ts";
import { problems } from "./middleware/problems.ts";
import { readJson } from "./middleware/read-json.ts";
import { receive } from "./middleware/receive.ts";
import { type Answer, type ApiEvent, type ApiRequest, type ApiResult, type BodySchema, exchangeOf } from "./request.ts";
import { type ApiRoute, fallbackRoute, type OperationId, routeOf } from "./routes.ts";

/** What an operation does: with the world in hand, it answers a request that has passed the stack below. */
export type Operation<Body = undefined> = (context: Context) => (request: ApiRequest<Body>) => Promise<Answer>;

/** Ends the operation as a Lambda handler for payload 2.0 of API Gateway's HTTP API, which the local gateway speaks too. */
export type HttpHandler = (event: ApiEvent, lambdaContext: LambdaContext) => Promise<ApiResult>;

/**
 * The life of a request, read top to bottom; answers and errors pass it again from the bottom to the top.
 *
 * @param worldOf gives the world that operations run in
 * @returns a function of the operation, and of the schema of a JSON body; without one the body is left to the operation
 */
export const stackOn =
  (worldOf: () => Context) =>
  <Body = undefined>(
    operation: OperationId | "fallback",
    run: Operation<Body>,
    body?: BodySchema<Body>,
  ): HttpHandler => {
    const route: ApiRoute = operation === "fallback" ? fallbackRoute : routeOf(operation);
    const stack = middy<ApiEvent, Answer | ApiResult>()
      .use(receive(worldOf, route))
      .use(logRequest(route))
      .use(problems())
      .use(authenticate(route))
      .use(meter(route))
      .use(readJson(body, route))
      .handler((event: ApiEvent) => {
        const { context, request } = exchangeOf(event);
        return run(context)(request as ApiRequest<Body>);
      });
    // The innermost handler answers an `Answer`, the outermost middleware makes it a result: middy types only one of them.
    return stack as HttpHandler;
  };

/** The same in the world that the program was composed with. */
export const http = stackOn(deployedContext);
