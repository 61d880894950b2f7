import { Readable } from "node:stream";
import type { ApiRequest } from "../../../functions/api/request.ts";

/** A request with this body as an operation receives it; override what the test needs. */
export const requestOf = <Body>(body: Body): ApiRequest<Body> => ({
  id: "request",
  operation: "test",
  method: "POST",
  path: "/",
  params: {},
  query: {},
  headers: {},
  body,
  stream: () => Readable.from([]),
  baseUrl: "http://localhost",
  now: 0,
  ip: "127.0.0.1",
  accountId: "",
  isTest: false,
});
