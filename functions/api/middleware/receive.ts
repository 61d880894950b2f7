import { randomUUID } from "node:crypto";
import { Readable } from "node:stream";
import type { MiddlewareObj } from "@middy/core";
import type { Context } from "../../domain/ports.ts";
import type { Route } from "../operation.ts";
import type { Answer, ApiEvent, ApiRequest, ApiResult, Exchange } from "../request.ts";
import { exchangeOf } from "../request.ts";
import { askedHost, clientAddress } from "./client-address.ts";
import { allowsOrigins, corsHeaders } from "./cors.ts";

/** Sent with every response: no caching, no sniffing, and download URLs do not leak through the referrer. */
const HEADERS = {
  "cache-control": "no-store",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
};

/** The outermost middleware: converts the event to a request, and the answer to a result. */
export const receive = (
  context: () => Context,
  route: Pick<Route, "auth" | "id">,
): MiddlewareObj<ApiEvent, Answer | ApiResult> => ({
  before: ({ event }) => {
    event.exchange = exchangeFor(event, context(), route);
  },
  after: (middy) => {
    middy.response = answered(middy.event, exchangeOf(middy.event), middy.response as Answer);
  },
  onError: (middy) => {
    if (middy.event.exchange !== undefined && middy.response) {
      middy.response = answered(middy.event, middy.event.exchange, middy.response as Answer);
    }
  },
});

const exchangeFor = (event: ApiEvent, context: Context, route: Pick<Route, "auth" | "id">): Exchange => {
  const id = event.requestContext.requestId || randomUUID();
  const headers = headersOf(event);
  const domainName = askedHost(event, context);
  const protocol = event.headers["x-forwarded-proto"] === "http" ? "http" : "https";
  const host = context.publicUrl ?? originOf(protocol, domainName);
  const request: ApiRequest = {
    id,
    operation: route.id,
    method: event.requestContext.http.method,
    path: event.rawPath,
    params: definedOf(event.pathParameters),
    query: definedOf(event.queryStringParameters),
    headers,
    body: undefined,
    stream: () => event.stream ?? Readable.from(piecesOf(bodyOf(event))),
    baseUrl: host.replace(/\/$/, ""),
    now: context.clock(),
    ip: clientAddress(event, context),
    accountId: "",
    isTest: false,
  };
  const cors = allowsOrigins(route, request.path) ? corsHeaders : {};
  return { context, request, headers: { ...HEADERS, ...cors, "x-request-id": id } };
};

/** A client can send any host; an invalid one would produce invalid URLs. The hosts of a deployment are few. */
const originOf = (protocol: "http" | "https", host: string): string => {
  const url = `${protocol}://${host}`;
  if (last.url !== url) {
    last = { url, origin: URL.parse(url)?.origin ?? `${protocol}://localhost` };
  }
  return last.origin;
};

let last = { url: "", origin: "" };

/** API Gateway moves cookies out of the headers (payload 2.0). */
const headersOf = ({ headers, cookies }: ApiEvent): ApiEvent["headers"] =>
  cookies === undefined ? headers : { ...headers, cookie: cookies.join("; ") };

const bodyOf = (event: ApiEvent): Buffer => Buffer.from(event.body ?? "", event.isBase64Encoded ? "base64" : "utf8");

/**
 * Chunk size of a body in bytes. Busboy never ends when a part that it skips arrives in one chunk of more than 64 kB.
 */
const PIECE_BYTES = 16_384;

const piecesOf = function* (body: Buffer): Generator<Buffer> {
  for (let at = 0; at < body.length; at += PIECE_BYTES) {
    yield body.subarray(at, at + PIECE_BYTES);
  }
};

const definedOf = (values: Readonly<Record<string, string | undefined>> | undefined): Record<string, string> =>
  Object.fromEntries(
    Object.entries(values ?? {}).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );

const answered = (event: ApiEvent, exchange: Exchange, answer: Answer): ApiResult => {
  exchange.answer = answer;
  return resultOf(event, exchange, answer);
};

/** As in the event, cookies are separate from the headers. */
const resultOf = (event: ApiEvent, { request, headers: common }: Exchange, answer: Answer): ApiResult => {
  const { "set-cookie": cookie, ...headers }: Record<string, string> = { ...common, ...answer.headers };
  if (request.session !== undefined) {
    // What depends on a cookie is for pages of this origin only.
    for (const name of Object.keys(corsHeaders)) {
      delete headers[name];
    }
  }
  const content = contentOf(answer, headers, event.stream !== undefined);
  const result = request.method === "HEAD" ? withoutBody(content) : content;
  return { ...(cookie !== undefined && { cookies: [cookie] }), ...result };
};

/** HEAD: the headers of GET, with the length of the omitted body (RFC 9110, 9.3.2). */
const withoutBody = ({ body, bytes, isBase64Encoded, stream, ...result }: ApiResult): ApiResult => {
  stream?.destroy();
  if (body === undefined && bytes === undefined) {
    return result;
  }
  const length = bytes?.length ?? Buffer.byteLength(body ?? "", isBase64Encoded ? "base64" : "utf8");
  return { ...result, headers: { "content-length": String(length), ...result.headers } };
};

/** @param isGateway whether the one-machine gateway sends the result, which takes bytes as they are */
const contentOf = (answer: Answer, headers: Readonly<Record<string, string>>, isGateway: boolean): ApiResult => {
  const statusCode = answer.status;
  if (answer.file !== undefined) {
    return { statusCode, headers, file: answer.file };
  }
  if (answer.stream !== undefined) {
    return { statusCode, headers, stream: answer.stream };
  }
  const withType = { "content-type": "application/json", ...headers };
  if (answer.bytes !== undefined && isGateway) {
    return { statusCode, headers: withType, bytes: answer.bytes };
  }
  if (answer.bytes !== undefined) {
    const body = Buffer.from(answer.bytes).toString("base64");
    return { statusCode, headers: withType, body, isBase64Encoded: true };
  }
  return answer.body === undefined
    ? { statusCode, headers }
    : { statusCode, headers: withType, body: JSON.stringify(answer.body) };
};
