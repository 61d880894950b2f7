import { type HttpHandler, serve } from "../../functions/api/http.ts";
import { type AnyOperation, servedMethods } from "../../functions/api/operation.ts";
import { routeParams } from "../../functions/api/paths.ts";
import { fallbackRoute, routes } from "../../functions/api/routes.ts";

/** The operation that serves a request, and the parameters of its path. */
export interface Served {
  readonly route: Pick<AnyOperation, "auth" | "id" | "path">;
  readonly params: Readonly<Record<string, string>>;
  readonly handler: HttpHandler;
}

/**
 * @param handlerOf creates the handler of an operation. @default in the context of this deployment
 * @returns a function that finds the operation for a method and a path, or the fallback if no route matches
 */
export const router = (
  handlerOf: (operation: AnyOperation) => HttpHandler = serve,
): ((method: string, path: string) => Served) => {
  const table = routes.map((route: AnyOperation) => ({ route, handler: handlerOf(route) }));
  const fallback = { route: fallbackRoute, params: {}, handler: handlerOf(fallbackRoute) };
  return (method, path) => {
    for (const { route, handler } of table) {
      const isServed = servedMethods(route).some((allowed) => allowed === method);
      const params = isServed ? routeParams(route, path) : undefined;
      if (params !== undefined) {
        return { route, params, handler };
      }
    }
    return fallback;
  };
};
