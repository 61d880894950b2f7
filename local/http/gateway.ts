import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { Readable } from "node:stream";
import type { HttpHandler } from "../../functions/api/http.ts";
import { corsHeaders, preflightHeaders } from "../../functions/api/middleware/cors.ts";
import type { AnyOperation } from "../../functions/api/operation.ts";
import { canonicalPath } from "../../functions/api/paths.ts";
import type { ApiResult } from "../../functions/api/request.ts";
import type { Measurement } from "../../functions/domain/metrics.ts";
import type { Invoke } from "../gotenberg/conversions.ts";
import type { GotenbergRoutes } from "../gotenberg/gotenberg.ts";
import type { MetricsPage } from "../metrics/metrics-page.ts";
import type { Dashboard } from "./dashboard.ts";
import { eventOf } from "./lambda-event.ts";
import { invocationOf } from "./lambda-invocation.ts";
import { type BusyRequests, busyRequests } from "./limits/busy-requests.ts";
import { CONNECTIONS_REFUSED_MAX, type Connections, connectionLimits } from "./limits/connections.ts";
import { type FairStarts, fairStarts } from "./limits/fair-starts.ts";
import { type PublicAllowance, publicAllowance } from "./limits/public-allowance.ts";
import { BODY_SPEED_MIN, limitSlowBody } from "./limits/slow-bodies.ts";
import { turns } from "./limits/turns.ts";
import { FILE_BUFFERS_BYTES, type WaitingBytes, waitingBytes } from "./limits/waiting-bytes.ts";
import { busyResult, hostError, refuseTunnel, tooManyResult } from "./refusals.ts";
import { clientOf, type RequestOrigin, statedOrigin } from "./request-origin.ts";
import { pageOf, toOriginForm } from "./request-target.ts";
import { router, type Served } from "./router.ts";
import { sendStream } from "./send-stream.ts";
import { type ClientExchange, setHeaders, writeResult } from "./write-result.ts";

/**
 * A small gateway that creates payload-2.0 events for the same handlers that run in Lambda, and writes their responses.
 */

export interface GatewayOptions {
  /**
   * `stream`: the body is streamed to the handler, and surplus slashes in paths are ignored. `event`: the body is part
   * of the event, paths must match exactly, and requests and responses have the size limits of API Gateway and Lambda.
   */
  readonly body: "stream" | "event";
  /** Creates the handler of an operation. @default in the context of this deployment */
  readonly handlerOf?: (operation: AnyOperation) => HttpHandler;
  /** Serves `/files/`: the signed URLs of the one-machine file store. */
  readonly files?: (request: IncomingMessage, response: ServerResponse, url?: string) => Promise<void>;
  /** Serves GET and HEAD of all paths outside the API. @default they are treated as unknown paths */
  readonly pages?: Dashboard | undefined;
  /** Serves the routes of Gotenberg, if enabled. */
  readonly gotenberg?: GotenbergRoutes | undefined;
  /** Serves `/metrics`, if enabled. */
  readonly metrics?: MetricsPage;
  /** @returns the scheme and host by which the client reached the service. @default what the request says */
  readonly origin?: RequestOrigin;
  /** The limits of each client. @default no client has more than half of what the gateway can hold */
  readonly limits?: ClientLimits;
  /** Called with unhandled errors. */
  readonly onError: (error: unknown) => void;
}

export interface ClientLimits {
  /** Maximum number of connections of one address. With trusted proxies, only the number of all is limited. */
  readonly connectionsPerAddressMax: number;
  /** Requests per minute of one address that need no key. */
  readonly publicRequestsPerMinute: number;
  /** The number of trusted proxies, which report the address of the client. */
  readonly trustedProxies: number;
}

/** The server, with the gauges of what its clients hold. */
export type Gateway = Server & { readonly gauges: () => Promise<readonly Measurement[]> };

/** 5 GB at 0.25 MB a second take 20,000 s. */
const REQUEST_MS_MAX = 6 * 3_600_000;
/** How long the headers of a request may take, and an idle new connection can stay open. */
const HEADERS_MS_MAX = 20_000;
const HEADERS_CHECK_MS = 5_000;
const SILENCE_MS_MAX = 120_000;
const CONNECTIONS_MAX = 2_000;

/** @returns a server that is not listening yet */
export const gateway = async (options: GatewayOptions): Promise<Gateway> => {
  const connections = connectionLimits({
    connectionsMax: CONNECTIONS_MAX,
    addressMax: options.limits?.connectionsPerAddressMax,
    areFromProxy: (options.limits?.trustedProxies ?? 0) > 0,
  });
  const waiting = waitingBytes();
  const perMinute = options.limits?.publicRequestsPerMinute;
  const desk: Desk = {
    options,
    connections,
    waiting,
    busy: busyRequests({}),
    allowance: perMinute === undefined ? undefined : publicAllowance({ perMinute }),
    serve: router(options.handlerOf),
    turn: turns(),
    starts: fairStarts(),
  };
  const times = {
    requestTimeout: REQUEST_MS_MAX,
    headersTimeout: HEADERS_MS_MAX,
    connectionsCheckingInterval: HEADERS_CHECK_MS,
    keepAliveTimeout: 65_000,
  };
  const server = createServer(times, (request, response) => {
    accept(request, response, desk).catch((error: unknown) => {
      options.onError(error);
      fail(response);
    });
  });
  // Unknown expectations are ignored instead of being rejected with 417.
  server.on("checkExpectation", (request, response) => server.emit("request", request, response));
  server.on("connect", (request, socket) => refuseTunnel(request, socket as Socket));
  server.timeout = SILENCE_MS_MAX;
  server.maxConnections = CONNECTIONS_MAX + CONNECTIONS_REFUSED_MAX;
  server.on("connection", connections.connected).on("close", desk.busy.stop);
  return Object.assign(server, {
    gauges: async (): Promise<readonly Measurement[]> => [
      { metric: "connections", labels: {}, value: connections.open() },
      { metric: "response_waiting_bytes", labels: {}, value: waiting.held() },
    ],
  });
};

/** What all requests of a server share. */
interface Desk {
  readonly options: GatewayOptions;
  readonly connections: Connections;
  readonly busy: BusyRequests;
  readonly waiting: WaitingBytes;
  readonly allowance: PublicAllowance | undefined;
  readonly serve: (method: string, path: string) => Served;
  readonly turn: ReturnType<typeof turns>;
  readonly starts: FairStarts;
}

const accept = async (request: IncomingMessage, response: ServerResponse, desk: Desk): Promise<void> => {
  const client = clientOf(request, desk.options.limits?.trustedProxies);
  if (!(await desk.turn(request, response))) {
    return;
  }
  await desk.starts.wait(client);
  toOriginForm(request);
  const exchange = { request, response, client };
  const refusal = refusalOf(exchange, desk);
  if (refusal !== undefined) {
    await writeResult(exchange, refusal, desk);
    return;
  }
  if (request.method === "OPTIONS" && request.url === "*") {
    // The service as a whole (RFC 9110, 9.3.7).
    response.writeHead(204, { allow: "GET, HEAD, POST, PUT, DELETE, OPTIONS" }).end();
    return;
  }
  limitSlowBody(request, response, BODY_SPEED_MIN);
  await answer(exchange, desk);
};

/** Operators need these endpoints most under load. */
const UNLIMITED: ReadonlySet<string | undefined> = new Set(["/health", "/metrics"]);

/** @returns the rejection of a request before it is read; undefined if it is accepted */
const refusalOf = (exchange: ClientExchange, { connections, busy }: Desk): ApiResult | undefined => {
  const { request, response, client } = exchange;
  const full = connections.refusalOf(request.socket);
  const invalid = hostError(request);
  if (full !== undefined || invalid !== undefined) {
    response.setHeader("connection", "close");
  }
  if (invalid !== undefined || UNLIMITED.has(request.url)) {
    return invalid;
  }
  return full === undefined ? busy.enter(request, response, client) : busyResult(request, full);
};

/**
 * Reads that need no key, and unknown paths. Changes that need none have their own limits, or a signature; browsers send
 * an OPTIONS request before many others.
 */
const isPublic = ({ method }: IncomingMessage, { route }: Served): boolean =>
  route.auth === "none" &&
  route.id !== "getHealth" &&
  (method === "GET" || method === "HEAD" || (route.id === "fallback" && method !== "OPTIONS"));

const answer = async (exchange: ClientExchange, desk: Desk): Promise<void> => {
  const { options, serve, waiting, allowance } = desk;
  const { request, response } = exchange;
  const url = URL.parse(`http://gateway${request.url}`) ?? new URL("http://gateway/");
  if (options.files !== undefined && url.pathname.startsWith("/files/")) {
    if (waiting.hold(exchange, FILE_BUFFERS_BYTES)) {
      await answerFile(request, response, options.files);
    } else {
      await writeResult(exchange, busyResult(request, "Too many concurrent downloads from your network."), desk);
    }
    return;
  }
  if (url.pathname === "/metrics" && (await options.metrics?.(request, response))) {
    return;
  }
  const translated = await options.gotenberg?.(request, url.pathname, invoking(request, desk));
  if (translated !== undefined) {
    await send(exchange, translated, desk);
    return;
  }
  const page = options.pages && pageOf(request, url.pathname);
  if (page !== undefined) {
    await options.pages?.(request, response, page);
    return;
  }
  if (options.body === "stream") {
    url.pathname = canonicalPath(url.pathname);
  }
  const served = serve(request.method ?? "GET", url.pathname);
  const seconds = isPublic(request, served) ? (allowance?.take(exchange.client) ?? 0) : 0;
  if (seconds > 0) {
    await writeResult(exchange, tooManyResult(request, seconds), desk);
    return;
  }
  const event = eventOf(request, url, { served, origin: options.origin ?? statedOrigin });
  if (options.body === "stream") {
    await send(exchange, await served.handler({ ...event, stream: request }, lambdaContext), desk);
    return;
  }
  const result = await invocationOf(request, event, (complete) => served.handler(complete, lambdaContext));
  await writeResult(exchange, result, desk);
};

/** @returns a function that sends requests of the same client to the operations of the API */
const invoking =
  (request: IncomingMessage, { options, serve }: Desk): Invoke =>
  async ({ method, path, headers, stream }) => {
    const url = new URL(path, "http://gateway");
    const served = serve(method, url.pathname);
    const own = { "x-forwarded-for": request.headers["x-forwarded-for"], ...headers };
    const inner: IncomingMessage = Object.create(request, { method: { value: method }, headers: { value: own } });
    const origin = () => (options.origin ?? statedOrigin)(request);
    const event = eventOf(inner, url, { served, origin });
    return served.handler({ ...event, stream: stream ?? Readable.from([]) }, lambdaContext);
  };

const send = async (exchange: ClientExchange, result: ApiResult, desk: Desk): Promise<void> => {
  const { options, waiting } = desk;
  if (result.stream !== undefined) {
    await sendStream(exchange, { ...result, stream: result.stream }, desk);
    return;
  }
  if (result.file === undefined) {
    await writeResult(exchange, result, desk);
    return;
  }
  if (options.files === undefined) {
    throw new TypeError("This gateway does not serve files.");
  }
  const { request, response } = exchange;
  if (!waiting.hold(exchange, FILE_BUFFERS_BYTES) && request.method === "GET") {
    await writeResult(exchange, busyResult(request, "Too many concurrent downloads from your network."), desk);
    return;
  }
  setHeaders(response, result);
  await options.files(request, response, result.file);
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

/** The handlers do not use Lambda's context; middy looks up a time limit and finds none. */
const lambdaContext = {} as Parameters<HttpHandler>[1];

const fail = (response: ServerResponse): void => {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  response.writeHead(500, { "content-type": "application/problem+json" });
  response.end('{"title":"Internal error","status":500,"code":"internal_error"}');
};
