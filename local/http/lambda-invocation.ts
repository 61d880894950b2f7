import type { IncomingMessage } from "node:http";
import type { ApiEvent, ApiResult } from "../../functions/api/request.ts";

/** Invokes handlers like an HTTP API and Lambda, with their limits on sizes. */

/** Maximum bytes of an event, and of a response, as JSON (Lambda Developer Guide, "Quotas": 6 MB for each). */
export const INVOCATION_BYTES_MAX = 6_291_556;

/** Maximum bytes of a request's body (API Gateway Developer Guide, "Quotas for HTTP APIs"). */
export const GATEWAY_BODY_BYTES_MAX = 10 * 1024 * 1024;

/** @returns whether Lambda transfers the value, an event or a response */
export const fitsInvocation = (value: object): boolean =>
  Buffer.byteLength(JSON.stringify(value)) <= INVOCATION_BYTES_MAX;

/**
 * @param event without the body
 * @param invoke called with the complete event, unless it is too large
 * @returns the handler's response; 413 for a request that is too large, and 500 for a response that Lambda rejects: one
 * that is too large, or has fields that only the one-machine gateway supports
 */
export const invocationOf = async (
  request: IncomingMessage,
  event: ApiEvent,
  invoke: (event: ApiEvent) => Promise<ApiResult>,
): Promise<ApiResult> => {
  const body = await readBody(request);
  const complete = { ...event, ...body };
  if (body === undefined || !fitsInvocation(complete)) {
    return failure(413, "Request Entity Too Large");
  }
  const result = await invoke(complete);
  const isTransferable = result.bytes === undefined && result.file === undefined && result.stream === undefined;
  return isTransferable && fitsInvocation(result) ? result : failure(500, "Internal Server Error");
};

/** @returns the body as API Gateway encodes it in an event; undefined if it is too large */
const readBody = async (request: IncomingMessage): Promise<{ body: string; isBase64Encoded: boolean } | undefined> => {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    bytes += chunk.length;
    if (bytes > GATEWAY_BODY_BYTES_MAX) {
      return undefined;
    }
    chunks.push(chunk);
  }
  const text = /^(?:text\/|application\/json)/i.test(request.headers["content-type"] ?? "");
  return { body: Buffer.concat(chunks).toString(text ? "utf8" : "base64"), isBase64Encoded: !text };
};

/** The response of API Gateway itself. */
const failure = (statusCode: number, message: string): ApiResult => ({
  statusCode,
  headers: { "content-type": "application/json" },
  body: JSON.stringify({ message }),
});
