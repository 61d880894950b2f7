import { once } from "node:events";
import { createServer } from "node:http";
import { afterEach, describe, expect, test } from "vitest";
import type { ApiEvent, ApiResult } from "../../../functions/api/request.ts";
import { GATEWAY_BODY_BYTES_MAX, INVOCATION_BYTES_MAX, invocationOf } from "../../../local/http/lambda-invocation.ts";

/** The size limits of API Gateway and Lambda, which the gateway with bodies in events enforces. */

const close: (() => void)[] = [];
afterEach(() => {
  for (const end of close.splice(0)) {
    end();
  }
});

/** @returns the response to a request whose handler returns this result, and the events that the handler received */
const exchanged = async (result: ApiResult, body?: Uint8Array | string, type = "application/octet-stream") => {
  const events: ApiEvent[] = [];
  const server = createServer(async (request, response) => {
    const answer = await invocationOf(request, {} as ApiEvent, async (event) => {
      events.push(event);
      return result;
    });
    response.writeHead(answer.statusCode ?? 200, { connection: "close" }).end(answer.body);
  });
  close.push(() => {
    server.close();
    server.closeAllConnections();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}/`;
  const sent = body === undefined ? {} : { method: "POST", body, headers: { "content-type": type } };
  const response = await fetch(url, sent as RequestInit);
  return { status: response.status, text: await response.text(), events };
};

const ok: ApiResult = { statusCode: 200, body: "ok" };

/** @returns a response of exactly this many bytes as JSON */
const responseOf = (bytes: number): ApiResult => {
  const empty = { statusCode: 200, body: "" };
  return { ...empty, body: "x".repeat(bytes - JSON.stringify(empty).length) };
};

describe("a response", () => {
  test("of the maximum size arrives", async () => {
    const result = responseOf(INVOCATION_BYTES_MAX);
    expect((await exchanged(result)).text).toBe(result.body);
  });

  test("of one more byte is 500, as Lambda drops it", async () => {
    const { status, text } = await exchanged(responseOf(INVOCATION_BYTES_MAX + 1));
    expect([status, text]).toEqual([500, '{"message":"Internal Server Error"}']);
  });

  test("counts base64 and escaped characters", async () => {
    const body = Buffer.alloc(4_764_669).toString("base64");
    expect((await exchanged({ statusCode: 200, body, isBase64Encoded: true })).status).toBe(500);
    expect((await exchanged({ statusCode: 200, body: '"'.repeat(3_200_000) })).status).toBe(500);
  });

  test.each([{ bytes: new Uint8Array(1) }, { file: "/files/1" }])(
    "with %o, which JSON cannot contain, is 500",
    async (extra) => {
      expect((await exchanged({ statusCode: 200, ...extra })).status).toBe(500);
    },
  );
});

describe("a request", () => {
  test("of 4.5 MB arrives as base64", async () => {
    const { status, events } = await exchanged(ok, Buffer.alloc(4_500_000));
    expect([status, events[0]?.isBase64Encoded, events[0]?.body?.length]).toEqual([200, true, 6_000_000]);
  });

  test.each([
    ["more than an event with base64 can contain", Buffer.alloc(4_718_700), "application/octet-stream"],
    ["text whose JSON is larger than an event", '"'.repeat(3_200_000), "application/json"],
    ["more than API Gateway accepts", Buffer.alloc(GATEWAY_BODY_BYTES_MAX + 1), "application/octet-stream"],
  ])("with %s is 413 and does not invoke the handler", async (_, body, type) => {
    const { status, text, events } = await exchanged(ok, body, type);
    expect([status, text, events]).toEqual([413, '{"message":"Request Entity Too Large"}', []]);
  });
});
