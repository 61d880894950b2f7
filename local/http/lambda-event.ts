import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { ApiEvent } from "../../functions/api/request.ts";
import type { RequestOrigin } from "./request-origin.ts";
import type { Served } from "./router.ts";

/**
 * @returns the event that an HTTP API of API Gateway creates from the request (payload format 2.0), without the body
 */
export const eventOf = (
  request: IncomingMessage,
  url: URL,
  { served, origin }: { readonly served: Served; readonly origin: RequestOrigin },
): ApiEvent => {
  const { route, params } = served;
  const { protocol, host } = origin(request);
  const now = new Date();
  const headers: Record<string, string> = {};
  for (const name in request.headers) {
    const value = request.headers[name];
    if (value !== undefined) {
      headers[name] = typeof value === "string" ? value : value.join(",");
    }
  }
  headers["x-forwarded-proto"] = protocol;
  // Payload format 2.0 separates cookies from the headers.
  const { cookie } = headers;
  delete headers.cookie;
  return {
    version: "2.0",
    routeKey: `${request.method} ${route.path}`,
    rawPath: url.pathname,
    rawQueryString: url.search.slice(1),
    headers,
    ...(cookie !== undefined && { cookies: cookie.split(/; */) }),
    queryStringParameters: queryOf(url),
    pathParameters: { ...params },
    requestContext: {
      accountId: "local",
      apiId: "local",
      domainName: host,
      domainPrefix: "",
      http: {
        method: request.method ?? "GET",
        path: url.pathname,
        protocol: `HTTP/${request.httpVersion}`,
        sourceIp: request.socket.remoteAddress ?? "",
        userAgent: request.headers["user-agent"] ?? "",
      },
      requestId: randomUUID(),
      routeKey: `${request.method} ${route.path}`,
      stage: "$default",
      time: now.toUTCString(),
      timeEpoch: now.getTime(),
    },
    isBase64Encoded: false,
  };
};

/** Values of repeated parameters are joined. */
const queryOf = (url: URL): Record<string, string> => {
  const query = new Map<string, string>();
  // Reading the parameters creates an object that few requests need.
  for (const [name, value] of url.search === "" ? [] : url.searchParams) {
    query.set(name, query.has(name) ? `${query.get(name)},${value}` : value);
  }
  return Object.fromEntries(query);
};
