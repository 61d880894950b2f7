import type { HttpHandler } from "../functions/api/http.ts";
import { type ApiRoute, fallbackRoute, pathParams, routes } from "../functions/api/routes.ts";

/** Who serves a request, and the parameters of its path. */
export interface Served {
  readonly route: Pick<ApiRoute, "operation" | "path">;
  readonly params: Readonly<Record<string, string>>;
  readonly handler: HttpHandler;
}

/** @returns a function that finds who serves a method and a path; the fallback serves what no route does */
export const loadRouter = async (): Promise<(method: string, path: string) => Served> => router(await loadHandlers());

const loadHandlers = async (): Promise<ReadonlyMap<string, HttpHandler>> =>
  new Map(
    await Promise.all(
      [...routes, fallbackRoute].map(async ({ operation, file }): Promise<[string, HttpHandler]> => {
        const module: { handler: HttpHandler } = await import(`../functions/api/${file}.ts`);
        return [operation, module.handler];
      }),
    ),
  );

const router = (handlers: ReadonlyMap<string, HttpHandler>) => {
  const handlerOf = (operation: string): HttpHandler => {
    const handler = handlers.get(operation);
    if (handler === undefined) {
      throw new TypeError(`No handler is loaded for ${operation}.`);
    }
    return handler;
  };
  const table = routes.map((route: ApiRoute) => ({ route, handler: handlerOf(route.operation) }));
  const fallback = { route: fallbackRoute, params: {}, handler: handlerOf(fallbackRoute.operation) };
  return (method: string, path: string): Served => {
    for (const { route, handler } of table) {
      const params = route.methods.some((allowed) => allowed === method) ? pathParams(route.path, path) : undefined;
      if (params !== undefined) {
        return { route, params, handler };
      }
    }
    return fallback;
  };
};
