import { RequestError } from "../domain/errors.ts";
import { http, type Operation } from "./http.ts";
import { pathParams, routes } from "./routes.ts";

/** Answers what no route serves: 405 where the path is known, else 404. */
export const fallback: Operation = () => async (request) => {
  const methods = routes
    .filter(({ path }) => pathParams(path, request.path) !== undefined)
    .flatMap(({ methods }) => [...methods]);
  if (methods.length === 0) {
    throw new RequestError("not_found", "There is nothing at this path. GET /api/v1/openapi.json lists what there is.");
  }
  throw new RequestError("method_not_allowed", `Use ${methods.join(" or ")} here.`, {
    headers: { allow: methods.join(", ") },
  });
};

export const handler = http("fallback", fallback);
