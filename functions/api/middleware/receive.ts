import { randomUUID } from "node:crypto";
import { Readable } from "node:stream";
import type { MiddlewareObj } from "@middy/core";
import type { Context } from "../../domain/ports.ts";
import { askedHost, clientAddress } from "../client-address.ts";
import type { Answer, ApiEvent, ApiRequest, ApiResult, Exchange } from "../request.ts";
import { exchangeOf } from "../request.ts";
import type { ApiRoute } from "../routes.ts";

/** On every answer: nothing is cached or sniffed, and no address of a download leaks to the next page. */
const HEADERS = {
  "cache-control": "no-store",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
};

/** The first and the last to touch a request: turns the event into a request, and the answer into the result. */
export const receive = (
  context: () => Context,
  { operation }: Pick<ApiRoute, "operation">,
): MiddlewareObj<ApiEvent, Answer | ApiResult> => ({
  before: ({ event }) => {
    event.exchange = exchangeFor(event, context(), operation);
  },
  after: (middy) => {
    middy.response = resultOf(exchangeOf(middy.event), middy.response as Answer);
  },
  onError: (middy) => {
    if (middy.event.exchange !== undefined && middy.response) {
      middy.response = resultOf(middy.event.exchange, middy.response as Answer);
    }
  },
});

const exchangeFor = (event: ApiEvent, context: Context, operation: string): Exchange => {
  const id = event.requestContext.requestId || randomUUID();
  const headers = headersOf(event);
  const domainName = askedHost(event, context);
  const protocol = event.headers["x-forwarded-proto"] === "http" ? "http" : "https";
  // A client can name any host; what is none would end in URLs that nobody can read.
  const named = URL.parse(`${protocol}://${domainName}`)?.origin ?? `${protocol}://localhost`;
  const host = context.publicUrl ?? named;
  const request: ApiRequest = {
    id,
    operation,
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
  return { context, request, headers: { ...HEADERS, "x-request-id": id } };
};

/** API Gateway takes cookies out of the headers (payload 2.0). */
const headersOf = ({ headers, cookies }: ApiEvent): ApiEvent["headers"] =>
  cookies === undefined ? headers : { ...headers, cookie: cookies.join("; ") };

const bodyOf = (event: ApiEvent): Buffer => Buffer.from(event.body ?? "", event.isBase64Encoded ? "base64" : "utf8");

/** Bytes of a piece of a body. Busboy never ends when a part that it skips comes in one piece of more than 64 kB. */
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

/** Cookies leave as they have come, beside the headers. */
const resultOf = (exchange: Exchange, answer: Answer): ApiResult => {
  const { "set-cookie": cookie, ...headers }: Record<string, string> = { ...exchange.headers, ...answer.headers };
  return { ...(cookie !== undefined && { cookies: [cookie] }), ...contentOf(answer, headers) };
};

const contentOf = (answer: Answer, headers: Readonly<Record<string, string>>): ApiResult => {
  const statusCode = answer.status;
  const withType = { "content-type": "application/json", ...headers };
  if (answer.bytes !== undefined) {
    const body = Buffer.from(answer.bytes).toString("base64");
    return { statusCode, headers: withType, body, isBase64Encoded: true };
  }
  return answer.body === undefined
    ? { statusCode, headers }
    : { statusCode, headers: withType, body: JSON.stringify(answer.body) };
};
