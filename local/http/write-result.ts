import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from "node:http";
import type { ApiResult } from "../../functions/api/request.ts";
import type { FairStarts } from "./limits/fair-starts.ts";
import type { WaitingBytes } from "./limits/waiting-bytes.ts";
import { busyResult } from "./refusals.ts";
import { PART_BYTES_MAX, writeParts } from "./write-parts.ts";

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

/** What responses share. */
export interface Writing {
  readonly waiting: WaitingBytes;
  readonly starts: FairStarts;
}

/**
 * Sends the result of an operation. A response to a read that would exceed the limits is replaced by 503. Resolves when
 * the system or the socket has all bytes.
 */
export const writeResult = async (exchange: ClientExchange, result: ApiResult, writing: Writing): Promise<void> => {
  const { request } = exchange;
  const body = bodyOf(result);
  const isRead = request.method === "GET" || request.method === "HEAD";
  // What a change returns is small, and must arrive: the change has been made.
  if (writing.waiting.hold(exchange, body.length, result.bytes) || !isRead) {
    await write(exchange, { result, body }, writing);
    return;
  }
  const refusal = busyResult(request, "Too many responses to your network wait to be read.");
  await write(exchange, { result: refusal, body: bodyOf(refusal) }, writing);
};

const bodyOf = ({ body = "", bytes, isBase64Encoded }: ApiResult): Uint8Array =>
  bytes ?? Buffer.from(body, isBase64Encoded ? "base64" : "utf8");

interface Content {
  readonly result: ApiResult;
  readonly body: Uint8Array;
}

const write = async (exchange: ClientExchange, { result, body }: Content, { starts }: Writing): Promise<void> => {
  const { request, response } = exchange;
  const headers = headersOf(result);
  // 204 must not have it (RFC 9110, 8.6); that of 304 would be the size of the file.
  if (headers["content-length"] === undefined && result.statusCode !== 304 && result.statusCode !== 204) {
    headers["content-length"] = body.length;
  }
  const content = request.method === "HEAD" ? new Uint8Array() : body;
  const isEarly = !request.complete;
  if (isEarly && !isShort(request)) {
    headers.connection = "close";
  }
  response.writeHead(result.statusCode ?? 200, headers);
  if (!isEarly && content.length <= PART_BYTES_MAX) {
    response.end(content);
    return;
  }
  response.flushHeaders();
  await writeParts(exchange, content, starts);
  if (isEarly) {
    endAfterBody(request, response);
  } else {
    response.end();
  }
};

const headersOf = ({ headers = {}, cookies }: ApiResult): OutgoingHttpHeaders => ({
  ...(headers as Record<string, string>),
  ...(cookies !== undefined && { "set-cookie": cookies }),
});

export const setHeaders = (response: ServerResponse, result: ApiResult): void => {
  for (const [name, value] of Object.entries(headersOf(result))) {
    response.setHeader(name, value ?? "");
  }
};

const isShort = ({ headers }: IncomingMessage): boolean => Number(headers["content-length"]) <= DROPPED_BYTES_MAX;

/**
 * Ends a response that was sent before the body has been read. A short remainder is discarded to keep the connection.
 * Otherwise the connection is closed, but with a delay: closing it while the client still sends would reset it, and
 * lose the response.
 */
const endAfterBody = (request: IncomingMessage, response: ServerResponse): void => {
  const end = () => {
    clearTimeout(timer);
    response.end();
  };
  const timer = setTimeout(end, LINGER_MS_MAX);
  request.once("end", end).once("close", end).resume();
};
