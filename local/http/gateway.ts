import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { HttpHandler } from "../../functions/api/http.ts";
import { corsHeaders, preflightHeaders } from "../../functions/api/middleware/cors.ts";
import { canonicalPath } from "../../functions/api/paths.ts";
import type { ApiResult } from "../../functions/api/request.ts";
import type { MetricsPage } from "../metrics/metrics-page.ts";
import { busyRequests } from "./busy-requests.ts";
import type { Dashboard } from "./dashboard.ts";
import { eventOf, readBody } from "./lambda-event.ts";
import { type RequestOrigin, statedOrigin } from "./request-origin.ts";
import { router, type Served } from "./router.ts";

/**
 * A small gateway that creates payload-2.0 events for the same handlers that run in Lambda, and writes their responses.
 */

export interface GatewayOptions {
  /**
   * `stream`: the body is streamed to the handler, and surplus slashes in paths are ignored. `event`: the body is part
   * of the event, and paths must match exactly, as with API Gateway.
   */
  readonly body: "stream" | "event";
  /** Serves `/files/`: the signed URLs of the one-machine file store. */
  readonly files?: (request: IncomingMessage, response: ServerResponse, url?: string) => Promise<void>;
  /** Serves GET and HEAD of all paths outside the API. @default they are treated as unknown paths */
  readonly pages?: Dashboard | undefined;
  /** Serves `/metrics`, if enabled. */
  readonly metrics?: MetricsPage;
  /** @returns the scheme and host by which the client reached the service. @default what the request says */
  readonly origin?: RequestOrigin;
  /** Called with unhandled errors. */
  readonly onError: (error: unknown) => void;
}

/** 5 GB at 0.25 MB a second take 20,000 s. */
const REQUEST_MS_MAX = 6 * 3_600_000;
const SILENCE_MS_MAX = 120_000;
/** Maximum number of connections, and of further connections that get a rejection. */
const CONNECTIONS_MAX = 2_000;
const CONNECTIONS_REFUSED_MAX = 500;
/** How long a client may continue to send after the response, so that it can read the response. */
const LINGER_MS_MAX = 2_000;
/** Maximum unread body bytes that are discarded to keep the connection. */
const DROPPED_BYTES_MAX = 1_000_000;

/** @returns a server that is not listening yet */
export const gateway = async (options: GatewayOptions): Promise<Server> => {
  const serve = router();
  const busy = busyRequests({ connectionsMax: CONNECTIONS_MAX });
  const server = createServer({ requestTimeout: REQUEST_MS_MAX, keepAliveTimeout: 65_000 }, (request, response) => {
    toOriginForm(request);
    const refusal = busy.enter(request, response);
    if (refusal !== undefined) {
      write(request, response, refusal);
      return;
    }
    answer(request, response, serve, options).catch((error: unknown) => {
      options.onError(error);
      fail(response);
    });
  });
  // Unknown expectations are ignored instead of being rejected with 417.
  server.on("checkExpectation", (request, response) => server.emit("request", request, response));
  server.timeout = SILENCE_MS_MAX;
  server.maxConnections = CONNECTIONS_MAX + CONNECTIONS_REFUSED_MAX;
  server.on("connection", busy.connected).on("close", busy.stop);
  return server;
};

const answer = async (
  request: IncomingMessage,
  response: ServerResponse,
  serve: (method: string, path: string) => Served,
  options: GatewayOptions,
): Promise<void> => {
  const url = URL.parse(`http://gateway${request.url}`) ?? new URL("http://gateway/");
  if (options.files !== undefined && url.pathname.startsWith("/files/")) {
    await answerFile(request, response, options.files);
    return;
  }
  if (url.pathname === "/metrics" && (await options.metrics?.(request, response))) {
    return;
  }
  if (options.pages !== undefined && isPage(request, url.pathname)) {
    await options.pages(request, response, url.pathname);
    return;
  }
  if (options.body === "stream") {
    url.pathname = canonicalPath(url.pathname);
  }
  const served = serve(request.method ?? "GET", url.pathname);
  const event = eventOf(request, url, { served, origin: options.origin ?? statedOrigin });
  if (options.body === "stream") {
    const result = await served.handler({ ...event, stream: request }, lambdaContext);
    if (result.file === undefined) {
      write(request, response, result);
      return;
    }
    if (options.files === undefined) {
      throw new TypeError("This gateway does not serve files.");
    }
    setHeaders(response, result);
    await options.files(request, response, result.file);
    return;
  }
  const body = await readBody(request);
  const result = body === undefined ? tooLarge : await served.handler({ ...event, ...body }, lambdaContext);
  write(request, response, result);
};

/** A request line can contain an absolute URL, whose host replaces the header `Host` (RFC 9112, 3.2.2). */
const toOriginForm = (request: IncomingMessage): void => {
  const url = /^https?:\/\//i.test(request.url ?? "") ? URL.parse(request.url ?? "") : null;
  if (url !== null) {
    request.url = `${url.pathname}${url.search}`;
    request.headers.host = url.host;
  }
};

/** Signed URLs contain no session and need no cookie, so pages of any origin may use them. */
const answerFile = async (
  request: IncomingMessage,
  response: ServerResponse,
  files: NonNullable<GatewayOptions["files"]>,
): Promise<void> => {
  if (request.method === "OPTIONS") {
    response.writeHead(204, preflightHeaders(["GET", "HEAD", "PUT"])).end();
    return;
  }
  for (const [name, value] of Object.entries(corsHeaders)) {
    response.setHeader(name, value);
  }
  await files(request, response);
};

/** Paths of the API never serve pages, so that unknown paths return problem details. */
const isPage = ({ method }: IncomingMessage, path: string): boolean =>
  (method === "GET" || method === "HEAD") && !/^\/+(?:(?:api|files)(?:\/|$)|health\/*$)/i.test(path);

/** The handlers do not use Lambda's context; middy looks up a time limit and finds none. */
const lambdaContext = {} as Parameters<HttpHandler>[1];

const tooLarge: ApiResult = {
  statusCode: 413,
  headers: { "content-type": "application/json" },
  body: '{"message":"Request Entity Too Large"}',
};

const write = (request: IncomingMessage, response: ServerResponse, result: ApiResult): void => {
  const body = Buffer.from(result.body ?? "", result.isBase64Encoded ? "base64" : "utf8");
  setHeaders(response, result);
  if (!response.hasHeader("content-length") && result.statusCode !== 304) {
    response.setHeader("content-length", body.length);
  }
  const content = request.method === "HEAD" ? undefined : body;
  if (request.complete) {
    response.writeHead(result.statusCode ?? 200).end(content);
    return;
  }
  answerEarly(request, response, () => {
    response.writeHead(result.statusCode ?? 200);
    response.write(content ?? "");
  });
};

const setHeaders = (response: ServerResponse, { headers = {}, cookies }: ApiResult): void => {
  for (const [name, value] of Object.entries(headers)) {
    response.setHeader(name, String(value));
  }
  if (cookies !== undefined) {
    response.setHeader("set-cookie", cookies);
  }
};

/**
 * Responds before the body has been read. A short remainder is discarded to keep the connection. Otherwise the
 * connection is closed, but with a delay: closing it while the client still sends would reset it, and lose the
 * response.
 */
const answerEarly = (request: IncomingMessage, response: ServerResponse, write: () => void): void => {
  const short = Number(request.headers["content-length"]) <= DROPPED_BYTES_MAX;
  if (!short) {
    response.setHeader("connection", "close");
  }
  write();
  const end = () => {
    clearTimeout(timer);
    response.end();
  };
  const timer = setTimeout(end, LINGER_MS_MAX);
  request.once("end", end).once("close", end).resume();
};

const fail = (response: ServerResponse): void => {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  response.writeHead(500, { "content-type": "application/problem+json" });
  response.end('{"title":"Internal error","status":500,"code":"internal_error"}');
};
