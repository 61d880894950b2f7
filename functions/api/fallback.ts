import { RequestError } from "../domain/errors.ts";
import { operation, type Route } from "./operation.ts";
import { pathParams } from "./paths.ts";
import { noPermissions } from "./permissions.ts";

/**
 * Answers requests that match no route with problem details: API Gateway's `$default`.
 *
 * @param routesOf returns all routes
 */
export const fallback = (routesOf: () => readonly Pick<Route, "methods" | "path">[]) =>
  operation({
    id: "fallback",
    methods: [],
    path: "$default",
    auth: "none",
    memoryMegabytes: 256,
    timeoutSeconds: 5,
    permissions: noPermissions,
    tag: "Service",
    summary: "Answers 404 and 405",
    description: "Unknown paths and methods.",
    answers: {},
    run: () => async (request) => {
      const methods = routesOf()
        .filter(({ path }) => pathParams(path, request.path) !== undefined)
        .flatMap((route) => [...route.methods]);
      if (methods.length === 0) {
        throw new RequestError("not_found", "No such path. See GET /api/v1/openapi.json for all paths.");
      }
      const allow = methods.join(", ");
      const detail = `Method ${request.method} is not allowed for this path. Allowed: ${allow}.`;
      throw new RequestError("method_not_allowed", detail, { headers: { allow } });
    },
  });
