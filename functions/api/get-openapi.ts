import { http, type Operation } from "./http.ts";
import { openapi } from "./openapi.ts";

/** Gives the interface as an OpenAPI 3.1 document. */
export const getOpenapi: Operation = () => async (request) => ({
  status: 200,
  headers: { "cache-control": "public, max-age=300" },
  body: openapi(request.baseUrl),
});

export const handler = http("getOpenapi", getOpenapi);
