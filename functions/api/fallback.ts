import { RequestError } from "../domain/errors.ts";
import { allowsOrigins, preflightHeaders } from "./middleware/cors.ts";
import { type Method, operation, type Route, servedMethods } from "./operation.ts";
import { type Addressed, canonicalPath, routeParams } from "./paths.ts";
import { noPermissions } from "./permissions.ts";
import type { Answer, ApiRequest } from "./request.ts";

type Row = Addressed & Pick<Route, "auth">;

/**
 * Serves requests that match no route: API Gateway's `$default`. It answers preflight requests, redirects paths with
 * surplus slashes, and describes all other requests with problem details.
 *
 * @param routesOf returns all routes
 */
export const fallback = (routesOf: () => readonly Row[]) =>
  operation({
    id: "fallback",
    methods: [],
    path: "$default",
    auth: "none",
    memoryMegabytes: 256,
    timeoutSeconds: 5,
    permissions: noPermissions,
    tag: "Service",
    summary: "Answers OPTIONS, 308, 404 and 405",
    description: "Unknown paths and methods.",
    answers: {},
    run: () => async (request) => {
      const path = canonicalPath(request.path);
      const rows = routesOf().filter((route) => routeParams(route, path) !== undefined);
      if (rows.length === 0) {
        throw new RequestError("not_found", "No such path. See GET /api/v1/openapi.json for all paths.");
      }
      const methods = [...new Set(rows.flatMap(servedMethods))];
      if (request.method === "OPTIONS") {
        return preflight(rows, path, methods);
      }
      if (path !== request.path && methods.some((method) => method === request.method)) {
        return moved(request, path);
      }
      throw notAllowed(request, methods);
    },
  });

const preflight = (rows: readonly Row[], path: string, methods: readonly Method[]): Answer => ({
  status: 204,
  headers: {
    allow: [...methods, "OPTIONS"].join(", "),
    ...(rows.some((row) => allowsOrigins(row, path)) && preflightHeaders(methods)),
  },
});

/** 308 keeps the method and the body (RFC 9110, 15.4.9). The path is one of the routes', so it is on this host. */
const moved = ({ query }: ApiRequest<unknown>, path: string): Answer => {
  const search = new URLSearchParams(query).toString();
  return { status: 308, headers: { location: search === "" ? path : `${path}?${search}` } };
};

/** A client that reads must not be advised to delete, although `Allow` has to list all methods. */
const notAllowed = ({ method }: ApiRequest<unknown>, methods: readonly Method[]): RequestError => {
  const isRead = method === "GET" || method === "HEAD";
  const advised = methods.filter((each) => !(isRead && each === "DELETE"));
  const allowed = advised.length === 0 ? "" : ` Allowed: ${advised.join(", ")}.`;
  const detail = `Method ${method} is not allowed for this path.${allowed}`;
  return new RequestError("method_not_allowed", detail, { headers: { allow: methods.join(", ") } });
};
