import type { IncomingMessage, ServerResponse } from "node:http";
import type { ApiResult } from "../../functions/api/request.ts";
import { busyResult } from "./refusals.ts";
import type { WaitingBytes } from "./waiting-bytes.ts";

/** An exchange with a client. */
export interface ClientExchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** The address of the client. */
  readonly client: string;
}

/** How long a client may continue to send after the response, so that it can read the response. */
const LINGER_MS_MAX = 2_000;
/** Maximum unread body bytes that are discarded to keep the connection. */
const DROPPED_BYTES_MAX = 1_000_000;

/** Sends the result of an operation. A response to a read that would exceed the limits is replaced by 503. */
export const writeResult = (exchange: ClientExchange, result: ApiResult, waiting: WaitingBytes): void => {
  const { request } = exchange;
  const body = bodyOf(result);
  const isRead = request.method === "GET" || request.method === "HEAD";
  // What a change returns is small, and must arrive: the change has been made.
  if (waiting.hold(exchange, body.length, result.bytes) || !isRead) {
    write(exchange, result, body);
    return;
  }
  const refusal = busyResult(request, "Too many responses to your network wait to be read.");
  write(exchange, refusal, bodyOf(refusal));
};

const bodyOf = ({ body = "", bytes, isBase64Encoded }: ApiResult): Uint8Array =>
  bytes ?? Buffer.from(body, isBase64Encoded ? "base64" : "utf8");

const write = ({ request, response }: ClientExchange, result: ApiResult, body: Uint8Array): void => {
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

export const setHeaders = (response: ServerResponse, { headers = {}, cookies }: ApiResult): void => {
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
