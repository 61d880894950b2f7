import type { MiddlewareObj } from "@middy/core";
import { isLogged, requestEntry } from "../../domain/requests/request-entry.ts";
import type { Answer, ApiEvent, ApiResult, Caller, Exchange } from "../request.ts";

/**
 * Records the request in the log of its account, also when it is refused after its key or session was found. The
 * outermost middleware, so that the response is complete.
 */
export const recordRequest = (): MiddlewareObj<ApiEvent, Answer | ApiResult> => {
  const record = ({ event, response }: { event: ApiEvent; response: unknown }): Promise<void> | undefined =>
    event.exchange === undefined ? undefined : recordExchange(event, event.exchange, response as ApiResult | undefined);
  return { after: record, onError: record };
};

const recordExchange = (
  event: ApiEvent,
  exchange: Exchange,
  result: ApiResult | undefined,
): Promise<void> | undefined => {
  const { context, request, answer, caller } = exchange;
  if (context.requestLog === undefined || caller === undefined || answer === undefined) {
    return undefined;
  }
  return recordAnswer(exchange, {
    answer,
    caller,
    bytesIn: bytesIn(event),
    bytesOut: bytesOut(request.method, result),
  });
};

/** A response, and what only the gateway knows of it. */
export interface Recorded {
  readonly answer: Answer;
  readonly caller: Caller;
  readonly bytesIn: number | undefined;
  readonly bytesOut: number | undefined;
}

/** Records an answered request. Never throws; resolves as `RequestLog.record` does. */
export const recordAnswer = (
  { context, request }: Pick<Exchange, "context" | "request">,
  { answer, caller, bytesIn, bytesOut }: Recorded,
): Promise<void> | undefined => {
  const { requestLog, clock, random } = context;
  const { method, operation, id: requestId, now: at, path, params } = request;
  const { status, body, headers } = answer;
  if (requestLog === undefined || !isLogged({ ...caller, method, operation, status })) {
    return undefined;
  }
  const durationMs = Math.max(0, clock() - at);
  const named = { targetId: params.id, job: headers?.["x-job-id"] };
  return requestLog.record(
    requestEntry(
      { ...caller, ...named, at, requestId, operation, method, path, status, body, durationMs, bytesIn, bytesOut },
      random,
    ),
  );
};

const bytesIn = ({ headers, body, isBase64Encoded, stream }: ApiEvent): number | undefined => {
  if (body !== undefined) {
    return bytesOf(body, isBase64Encoded);
  }
  // Without a length and without chunks, a request has no body (RFC 9112, 6.3).
  const length = headers["content-length"] ?? (headers["transfer-encoding"] === undefined ? "0" : "");
  return stream === undefined ? 0 : lengthOf(length);
};

const bytesOut = (method: string, result: ApiResult | undefined): number | undefined => {
  if (method === "HEAD") {
    return 0;
  }
  if (result?.file !== undefined || result?.stream !== undefined) {
    return lengthOf(result.headers?.["content-length"]);
  }
  return result?.bytes?.length ?? bytesOf(result?.body ?? "", result?.isBase64Encoded ?? false);
};

const bytesOf = (body: string, isBase64: boolean): number => Buffer.byteLength(body, isBase64 ? "base64" : "utf8");

const lengthOf = (header: boolean | number | string | undefined): number | undefined =>
  header !== undefined && /^\d+$/.test(String(header)) ? Number(header) : undefined;
