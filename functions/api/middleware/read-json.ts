import type { Readable } from "node:stream";
import type { MiddlewareObj } from "@middy/core";
import { RequestError } from "../../domain/errors.ts";
import { JSON_BODY_BYTES_MAX } from "../../domain/limits.ts";
import { fieldErrors } from "../../domain/schema.ts";
import type { Answer, ApiEvent, ApiRequest, ApiResult, BodySchema } from "../request.ts";
import { exchangeOf } from "../request.ts";
import type { ApiRoute } from "../routes.ts";

/** Reads and checks a JSON body, where the operation has a schema for one. */
export const readJson = <Body>(
  schema: BodySchema<Body> | undefined,
  { jsonBytesMax }: Pick<ApiRoute, "jsonBytesMax">,
): MiddlewareObj<ApiEvent, Answer | ApiResult> => ({
  before: async ({ event }) => {
    if (schema !== undefined) {
      const exchange = exchangeOf(event);
      exchange.request = { ...exchange.request, body: await jsonBody(exchange.request, () => schema, jsonBytesMax) };
    }
  },
});

/**
 * @param schemaOf gives the schema that the body is to have, where that depends on what it holds
 * @param bytesMax bytes that the body may have
 * @returns the body of the request, checked
 * @throws RequestError `unsupported_media_type`, `payload_too_large`, `malformed_json`, `invalid_request`
 */
export const jsonBody = async <Body>(
  request: ApiRequest<unknown>,
  schemaOf: (body: unknown) => BodySchema<Body>,
  bytesMax = JSON_BODY_BYTES_MAX,
): Promise<Body> => {
  const body = parse(await readText(request, bytesMax));
  const result = schemaOf(body).safeParse(body);
  if (!result.success) {
    const errors = fieldErrors(result.error);
    const where = errors.map(({ pointer }) => pointer || "the body").join(", ");
    throw new RequestError("invalid_request", `The body does not fit: see ${where}.`, { errors });
  }
  return result.data;
};

/** @returns whether the request says that its body is JSON */
export const isJson = ({ headers }: ApiRequest<unknown>): boolean => JSON_TYPE.test(headers["content-type"] ?? "");

const JSON_TYPE = /^application\/(?:[\w.-]+\+)?json *(?:;|$)/i;

const readText = async (request: ApiRequest<unknown>, bytesMax: number): Promise<string> => {
  const type = request.headers["content-type"] ?? "";
  if (!isJson(request)) {
    throw new RequestError(
      "unsupported_media_type",
      `Send application/json here, not ${type || "a body without type"}.`,
    );
  }
  return (await readBytes(request, bytesMax)).toString("utf8");
};

/**
 * @returns the body of the request, as it came
 * @throws RequestError `payload_too_large`; `malformed_json` when it breaks off
 */
export const readBytes = async (request: ApiRequest<unknown>, bytesMax: number): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of unbroken(request.stream())) {
    bytes += chunk.length;
    if (bytes > bytesMax) {
      throw new RequestError("payload_too_large", `A JSON body may have at most ${bytesMax} bytes here.`);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
};

/** A client that hangs up in the middle has sent a bad request; it is no trouble of ours. */
const unbroken = async function* (stream: Readable): AsyncGenerator<Buffer> {
  try {
    // The answer still has to go out on the same connection, so what is left unread is the gateway's to drop.
    yield* stream.iterator({ destroyOnReturn: false });
  } catch {
    throw new RequestError("malformed_json", "The body broke off before its end.");
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
