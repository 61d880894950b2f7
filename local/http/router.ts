import { type HttpHandler, serve } from "../../functions/api/http.ts";
import { type AnyOperation, servedMethods, servedPaths } from "../../functions/api/operation.ts";
import { pathMatcher } from "../../functions/api/paths.ts";
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
  const table = routes.map((route: AnyOperation) => ({
    route,
    methods: new Set<string>(servedMethods(route)),
    matchers: servedPaths(route).map(pathMatcher),
    handler: handlerOf(route),
  }));
  const find = (method: string, path: string): Served | undefined => {
    const parts = path.split("/");
    for (const { route, methods, matchers, handler } of table) {
      for (const match of methods.has(method) ? matchers : []) {
        const params = match(parts);
        if (params !== undefined) {
          return { route, params, handler };
        }
      }
    }
    return undefined;
  };
  const fixed = new Map(
    table.flatMap(({ route, methods }) =>
      servedPaths(route)
        .filter((path) => !path.includes("{"))
        .flatMap((path) => [...methods].map((method) => [`${method} ${path}`, find(method, path)] as const)),
    ),
  );
  const fallback = { route: fallbackRoute, params: {}, handler: handlerOf(fallbackRoute) };
  return (method, path) => fixed.get(`${method} ${path}`) ?? find(method, path) ?? fallback;
};
