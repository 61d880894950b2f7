import type { Readable } from "node:stream";
import type { MiddlewareObj } from "@middy/core";
import { RequestError } from "../../domain/errors.ts";
import { JSON_BODY_BYTES_MAX } from "../../domain/limits.ts";
import { fieldErrors, summaryOf } from "../../domain/schema.ts";
import type { AnyOperation } from "../operation.ts";
import type { Answer, ApiEvent, ApiRequest, ApiResult, BodySchema } from "../request.ts";
import { exchangeOf } from "../request.ts";
import { arrivingChunks } from "./arriving-chunks.ts";

/** Reads and validates a JSON body, if the operation has a schema for one. It reads files itself. */
export const readJson = ({
  body: schema,
  files,
  jsonBytesMax,
}: Pick<AnyOperation, "body" | "files" | "jsonBytesMax">): MiddlewareObj<ApiEvent, Answer | ApiResult> => ({
  before: async ({ event }) => {
    const exchange = exchangeOf(event);
    if (schema !== undefined && (files === undefined || isJson(exchange.request))) {
      exchange.request = { ...exchange.request, body: await jsonBody(exchange.request, schema, jsonBytesMax) };
    }
  },
});

/**
 * @param bytesMax maximum size of the body in bytes
 * @returns the validated body of the request
 * @throws RequestError `unsupported_media_type`, `payload_too_large`, `malformed_json`, `invalid_request`
 */
export const jsonBody = async <Body>(
  request: ApiRequest<unknown>,
  schema: BodySchema<Body>,
  bytesMax = JSON_BODY_BYTES_MAX,
): Promise<Body> => checkedBody(await readBody(request, bytesMax), schema);

/**
 * @returns the JSON body of the request, not validated
 * @throws RequestError `unsupported_media_type`, `payload_too_large`, `malformed_json`
 */
export const readBody = async (request: ApiRequest<unknown>, bytesMax = JSON_BODY_BYTES_MAX): Promise<unknown> =>
  parse(await readText(request, bytesMax));

/** @throws RequestError `invalid_request` */
export const checkedBody = <Body>(body: unknown, schema: BodySchema<Body>): Body => {
  const result = schema.safeParse(body);
  if (!result.success) {
    const errors = fieldErrors({ schema, input: body, error: result.error });
    throw new RequestError("invalid_request", `Invalid request body. ${summaryOf(errors)}`, { errors });
  }
  return result.data;
};

/** @returns whether the request's content type is JSON */
export const isJson = ({ headers }: ApiRequest<unknown>): boolean => JSON_TYPE.test(headers["content-type"] ?? "");

const JSON_TYPE = /^application\/(?:[\w.-]+\+)?json *(?:;|$)/i;

/** @throws RequestError `unsupported_media_type` for a compressed body */
export const checkEncoding = ({ headers }: ApiRequest<unknown>): void => {
  const encoding = (headers["content-encoding"] ?? "").trim();
  if (encoding !== "" && encoding.toLowerCase() !== "identity") {
    throw new RequestError(
      "unsupported_media_type",
      `Content-Encoding ${encoding.slice(0, 50)} is not supported. Send the body uncompressed, without this header.`,
    );
  }
};

const readText = async (request: ApiRequest<unknown>, bytesMax: number): Promise<string> => {
  const type = request.headers["content-type"] ?? "";
  if (!isJson(request)) {
    throw new RequestError(
      "unsupported_media_type",
      `Send application/json, not ${type || "a body without a content type"}.`,
    );
  }
  checkEncoding(request);
  // Some editors and libraries write a byte order mark, which JSON.parse rejects (RFC 8259, 8.1).
  return (await readBytes(request, bytesMax)).toString("utf8").replace(/^\ufeff/, "");
};

/**
 * @returns the raw body of the request
 * @throws RequestError `payload_too_large`; `malformed_json` when it is truncated
 */
export const readBytes = async (request: ApiRequest<unknown>, bytesMax: number): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of completeBody(request.stream(), "malformed_json")) {
    bytes += chunk.length;
    if (bytes > bytesMax) {
      throw new RequestError("payload_too_large", `The JSON body is larger than the limit of ${bytesMax} bytes.`);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
};

/** A client that disconnects mid-request has sent a bad request; it is not an internal error. */
export const completeBody = async function* (
  stream: Readable,
  code: "invalid_request" | "malformed_json" = "invalid_request",
): AsyncGenerator<Buffer> {
  try {
    // The response still needs the connection, so the gateway discards the unread rest.
    yield* arrivingChunks(stream);
  } catch {
    throw new RequestError(code, "The body is truncated.");
  }
};

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch (error) {
    const reason = error instanceof SyntaxError ? error.message : "it cannot be parsed";
    throw new RequestError("malformed_json", `The body is not valid JSON: ${reason.slice(0, 200)}.`);
  }
};
