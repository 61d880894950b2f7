import { randomUUID } from "node:crypto";
import { type IncomingMessage, STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import { corsHeaders } from "../../functions/api/middleware/cors.ts";
import type { ApiResult } from "../../functions/api/request.ts";
import { problemView } from "../../functions/domain/errors/problem.ts";
import { RequestError } from "../../functions/domain/errors.ts";

/** Responses of the gateway itself, to requests that no operation gets. */

const RETRY_AFTER_SECONDS = 2;

/** @returns the response to a request that exceeds a limit of the service */
export const busyResult = (request: IncomingMessage, detail: string): ApiResult =>
  problemResult(
    request,
    new RequestError("temporarily_unavailable", `${detail} Try again in ${RETRY_AFTER_SECONDS} s.`, {
      headers: { "retry-after": String(RETRY_AFTER_SECONDS) },
    }),
  );

/** @returns the response to a request that exceeds the allowance of its network */
export const tooManyResult = (request: IncomingMessage, seconds: number): ApiResult =>
  problemResult(
    request,
    new RequestError(
      "rate_limited",
      `Too many requests without an API key from your network. Try again in ${seconds} s.`,
      { headers: { "retry-after": String(seconds) } },
    ),
  );

/** @returns the error as problem details */
const problemResult = ({ url = "/" }: Pick<IncomingMessage, "url">, error: RequestError): ApiResult => {
  const requestId = randomUUID();
  const path = url.startsWith("/api/") && !url.startsWith("/api/v1/download/") ? (url.split("?")[0] ?? "/") : "/";
  const body = problemView({ path, requestId }, error);
  return {
    statusCode: body.status,
    headers: {
      ...corsHeaders,
      ...error.extra.headers,
      "content-type": "application/problem+json",
      "cache-control": "no-store",
      "x-request-id": requestId,
    },
    body: JSON.stringify(body),
  };
};

/** @returns the response to a request with several hosts (RFC 9112, 3.2): programs would choose different ones */
export const hostError = (request: IncomingMessage): ApiResult | undefined => {
  const { rawHeaders } = request;
  const hosts = rawHeaders.filter((name, index) => index % 2 === 0 && name.length === 4 && /^host$/i.test(name));
  return hosts.length > 1
    ? problemResult(request, new RequestError("invalid_request", "The request has more than one Host header."))
    : undefined;
};

/** Answers CONNECT, whose connection has left HTTP: this server is not a proxy. */
export const refuseTunnel = (request: IncomingMessage, socket: Socket): void => {
  const detail = "CONNECT is not supported: this server is not a proxy.";
  // An empty list: a tunnel has no other methods (RFC 9110, 10.2.1).
  const error = new RequestError("method_not_allowed", detail, { headers: { allow: "" } });
  // A client may disconnect before it reads the response.
  socket.on("error", () => socket.destroy());
  socket.end(rawResponse(problemResult({ url: request.url?.startsWith("/") ? request.url : "/" }, error)));
};

const rawResponse = ({ statusCode = 500, headers = {}, body = "" }: ApiResult): string => {
  const all = { ...headers, "content-length": Buffer.byteLength(body), connection: "close" };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
  return [`HTTP/1.1 ${statusCode} ${STATUS_CODES[statusCode]}`, ...lines, "", body].join("\r\n");
};
