import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { ApiEvent } from "../../functions/api/request.ts";
import type { Served } from "./router.ts";

/** Maximum size of a Lambda event, 6 MiB; API Gateway rejects larger ones. */
const EVENT_BYTES_MAX = 6 * 1024 * 1024;

/**
 * @returns the event that an HTTP API of API Gateway creates from the request (payload format 2.0), without the body
 */
export const eventOf = (request: IncomingMessage, url: URL, { route, params }: Served): ApiEvent => {
  const now = new Date();
  const headers: Record<string, string | undefined> = Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(",") : value]),
  );
  headers["x-forwarded-proto"] ??= "http";
  // Payload format 2.0 separates cookies from the headers.
  const { cookie, ...others } = headers;
  const query = new Map<string, string>();
  for (const [name, value] of url.searchParams) {
    query.set(name, query.has(name) ? `${query.get(name)},${value}` : value);
  }
  return {
    version: "2.0",
    routeKey: `${request.method} ${route.path}`,
    rawPath: url.pathname,
    rawQueryString: url.search.slice(1),
    headers: others,
    ...(cookie !== undefined && { cookies: cookie.split(/; */) }),
    queryStringParameters: Object.fromEntries(query),
    pathParameters: { ...params },
    requestContext: {
      accountId: "local",
      apiId: "local",
      domainName: request.headers.host ?? "localhost",
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

/** @returns the body as API Gateway encodes it in an event; undefined if it is too large */
export const readBody = async (
  request: IncomingMessage,
): Promise<{ body: string; isBase64Encoded: boolean } | undefined> => {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    bytes += chunk.length;
    if (bytes * (4 / 3) > EVENT_BYTES_MAX) {
      return undefined;
    }
    chunks.push(chunk);
  }
  const text = /^(?:text\/|application\/json)/i.test(request.headers["content-type"] ?? "");
  return { body: Buffer.concat(chunks).toString(text ? "utf8" : "base64"), isBase64Encoded: !text };
};
