import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { HttpHandler } from "../functions/api/http.ts";
import type { ApiResult } from "../functions/api/request.ts";
import { busyRequests } from "./busy-requests.ts";
import type { Dashboard } from "./dashboard.ts";
import { eventOf, readBody } from "./lambda-event.ts";
import type { MetricsPage } from "./metrics-page.ts";
import { loadRouter, type Served } from "./router.ts";

/** A small gateway that makes payload-2.0 events for the same handlers that run in Lambda, and writes what they answer. */

export interface GatewayOptions {
  /** `stream`: the body goes to the handler as it arrives. `event`: it is put into the event, as API Gateway does. */
  readonly body: "stream" | "event";
  /** What answers below `/files/`, where signed URLs of the one-machine file store lead. */
  readonly files?: (request: IncomingMessage, response: ServerResponse) => Promise<void>;
  /** What answers GET and HEAD of all paths but the API's. @default they are answered as paths that no route serves */
  readonly pages?: Dashboard | undefined;
  /** What answers at `/metrics`, where it does. */
  readonly metrics?: MetricsPage;
  /** Called with what no handler caught. */
  readonly onError: (error: unknown) => void;
}

/** 5 GB at 0.25 MB a second take 20,000 s. */
const REQUEST_MS_MAX = 6 * 3_600_000;
const SILENCE_MS_MAX = 120_000;
/** Connections that are served, and those above that live long enough to be told that they are not. */
const CONNECTIONS_MAX = 2_000;
const CONNECTIONS_REFUSED_MAX = 500;
/** How long a client that still sends may do so after it was answered, so that it gets to read the answer. */
const LINGER_MS_MAX = 2_000;
/** Bytes of an unread body that are worth a kept connection. */
const DROPPED_BYTES_MAX = 1_000_000;

/** @returns a server that is not listening yet */
export const gateway = async (options: GatewayOptions): Promise<Server> => {
  const serve = await loadRouter();
  const busy = busyRequests({ connectionsMax: CONNECTIONS_MAX });
  const server = createServer({ requestTimeout: REQUEST_MS_MAX, keepAliveTimeout: 65_000 }, (request, response) => {
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
  // An expectation that nobody knows is no reason to refuse, and 417 is no answer of ours.
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
    await options.files(request, response);
    return;
  }
  if (url.pathname === "/metrics" && (await options.metrics?.(request, response))) {
    return;
  }
  if (options.pages !== undefined && isPage(request, url.pathname)) {
    await options.pages(request, response, url.pathname);
    return;
  }
  const served = serve(request.method ?? "GET", url.pathname);
  const event = eventOf(request, url, served);
  if (options.body === "stream") {
    write(request, response, await served.handler({ ...event, stream: request }, lambdaContext));
    return;
  }
  const body = await readBody(request);
  const result = body === undefined ? tooLarge : await served.handler({ ...event, ...body }, lambdaContext);
  write(request, response, result);
};

/** Paths of the API keep to it, so that what it does not know is told in its own form. */
const isPage = ({ method }: IncomingMessage, path: string): boolean =>
  (method === "GET" || method === "HEAD") &&
  !path.startsWith("/api/") &&
  !path.startsWith("/files/") &&
  path !== "/health";

/** What the handlers read of Lambda's context is nothing; middy looks for a time limit and finds none. */
const lambdaContext = {} as Parameters<HttpHandler>[1];

const tooLarge: ApiResult = {
  statusCode: 413,
  headers: { "content-type": "application/json" },
  body: '{"message":"Request Entity Too Large"}',
};

const write = (request: IncomingMessage, response: ServerResponse, result: ApiResult): void => {
  const body = Buffer.from(result.body ?? "", result.isBase64Encoded ? "base64" : "utf8");
  for (const [name, value] of Object.entries(result.headers ?? {})) {
    response.setHeader(name, String(value));
  }
  if (result.cookies !== undefined) {
    response.setHeader("set-cookie", result.cookies);
  }
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

/**
 * Answers before the body was read. A short rest is read and dropped, and the connection kept. With a long one it ends,
 * but not at once: a connection that is closed while its client still sends is reset, and the answer is lost with it.
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
  response.end('{"title":"Something went wrong on our side","status":500,"code":"internal_error"}');
};
