import { DynamoDBDocumentClient, QueryCommand } from "@aws-sdk/lib-dynamodb";
import { mockClient } from "aws-sdk-client-mock";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { HttpHandler } from "../../functions/api/http.ts";
import type { AnyOperation } from "../../functions/api/operation.ts";
import type { ApiEvent } from "../../functions/api/request.ts";
import { routes } from "../../functions/api/routes.ts";
import { engineIds } from "../../functions/domain/conversions/engines.ts";
import { laneIds } from "../../functions/domain/conversions/lanes.ts";
import { STATUS_SECONDS, statusDay } from "../../functions/domain/status/engine-days.ts";
import { DAY_MS } from "../../functions/domain/times.ts";
import { fitsInvocation, INVOCATION_BYTES_MAX } from "../../local/http/lambda-invocation.ts";
import { router } from "../../local/http/router.ts";

/** The largest responses that anybody can request from the deployed functions, with the engines of all lanes. */

const REQUESTS: readonly { readonly path: string; readonly query?: Readonly<Record<string, string>> }[] = [
  { path: "/api/v1/formats" },
  { path: "/api/v1/formats", query: { conversions: "true" } },
  { path: "/api/v1/formats/docx/pdf" },
  { path: "/api/v1/formats/mp4/webm" },
  { path: "/api/v1/openapi.json" },
  { path: "/api/v1/session" },
  { path: "/api/v1/status" },
  { path: "/health" },
];

const serve = router();

/** Days with counts of every engine in every bucket. */
const engineDays = Array.from({ length: 90 }, (_, day) => ({
  accountId: "status",
  period: statusDay(Date.now() - day * DAY_MS),
  ...Object.fromEntries(
    engineIds.flatMap((engine) => ["failed", ...STATUS_SECONDS.keys()].map((count) => [`${engine}:${count}`, 1e9])),
  ),
}));

beforeAll(() => {
  mockClient(DynamoDBDocumentClient).on(QueryCommand).resolves({ Items: engineDays });
  for (const name of ["JOBS_TABLE", "KEYS_TABLE", "QUOTAS_TABLE"]) {
    vi.stubEnv(`ANYFORM_${name}`, name);
  }
  vi.stubEnv("AWS_REGION", "eu-central-1");
  vi.stubEnv("ANYFORM_LANES", laneIds.join(","));
});
afterAll(() => vi.unstubAllEnvs());

const eventOf = (path: string, query: Readonly<Record<string, string>>, params: Readonly<Record<string, string>>) =>
  ({
    version: "2.0",
    rawPath: path,
    rawQueryString: new URLSearchParams(query).toString(),
    headers: { host: "files.example.com", "x-forwarded-proto": "https" },
    queryStringParameters: query,
    pathParameters: params,
    requestContext: {
      domainName: "files.example.com",
      http: { method: "GET", path, sourceIp: "192.0.2.1" },
      requestId: "request-1",
    },
    isBase64Encoded: false,
  }) as unknown as ApiEvent;

describe("the response of a deployed function to a client without compression", () => {
  test.each(REQUESTS)("to GET $path $query fits half of what Lambda transfers", async ({ path, query = {} }) => {
    const { params, handler } = serve("GET", path);
    const result = await handler(eventOf(path, query, params), {} as Parameters<HttpHandler>[1]);
    expect(result.statusCode).toBe(200);
    expect(result.bytes).toBeUndefined();
    expect(fitsInvocation(result)).toBe(true);
    expect(Buffer.byteLength(JSON.stringify(result))).toBeLessThan(INVOCATION_BYTES_MAX / 2);
  });

  test("is tested for every public GET operation", () => {
    const publicIds = routes
      .filter(({ auth, methods }: AnyOperation) => auth === "none" && methods.includes("GET"))
      .map(({ id }) => id);
    expect(new Set(REQUESTS.map(({ path }) => serve("GET", path).route.id))).toEqual(new Set(publicIds));
  });
});
