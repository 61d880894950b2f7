import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { documentAt } from "../../functions/api/routes.ts";
import { newApiKey } from "../../functions/domain/accounts/keys.ts";
import { type Emulators, startEmulators } from "../support/emulators/emulators.ts";
import { bundledOnce } from "../support/run/bundled.ts";
import { type HttpCall, httpEvent, invoked } from "./support/bundled-function.ts";

/** The code of single functions, as deployed. */

/** Maximum bytes of a Lambda response (AWS Lambda Developer Guide, "Lambda quotas"). */
const LAMBDA_ANSWER_BYTES_MAX = 6_291_556;

const answer = (
  name: string,
  rawPath: string,
  { environment = {}, ...call }: HttpCall & { readonly environment?: Readonly<Record<string, string>> } = {},
): Promise<unknown> => invoked(name, httpEvent(rawPath, call), { dist: bundledOnce().folder, environment });

test.each([
  ["get-health", "/health", 200],
  ["list-formats", "/api/v1/formats", 200],
  ["get-openapi", "/api/v1/openapi.json", 200],
  ["get-job", "/api/v1/convert/job_1/status", 401],
  ["fallback", "/nowhere", 404],
])("the code of %s runs on its own", async (name, path, statusCode) => {
  expect(await answer(name, path)).toMatchObject({ statusCode, body: expect.any(String) });
});

test("the complete list of formats fits a response, also for a client that sends no Accept-Encoding", async () => {
  const list = await answer("list-formats", "/api/v1/formats", { queryStringParameters: { conversions: "true" } });
  expect(JSON.stringify(list).length).toBeLessThan(LAMBDA_ANSWER_BYTES_MAX);
  expect(list).toMatchObject({
    statusCode: 200,
    headers: { "content-encoding": "gzip" },
    isBase64Encoded: true,
  });
});

test("the code of get-conversion returns a conversion", async () => {
  const pathParameters = { source: "png", target: "jpg" };
  const { body } = (await answer("get-conversion", "/api/v1/formats/png/jpg", { pathParameters })) as { body: string };
  expect(JSON.parse(Buffer.from(body, "base64").toString())).toMatchObject(pathParameters);
});

test("the generator of the OpenAPI document is in no bundle: one function has the generated document", async () => {
  const makers = /^functions\/api\/openapi\/(?:document|examples|operation-object|samples|schemas)\.ts$/;
  const inputs = Object.values(bundledOnce().outputs).flatMap((output) => Object.keys(output.inputs));
  expect(inputs.filter((path) => makers.test(path))).toEqual([]);
  const { body, isBase64Encoded } = (await answer("get-openapi", "/api/v1/openapi.json")) as Record<string, string>;
  expect(isBase64Encoded).toBe(true);
  expect(JSON.parse(Buffer.from(body ?? "", "base64").toString())).toEqual(
    JSON.parse(JSON.stringify(documentAt("https://api.example.com"))),
  );
});

test("the function for payment events finds the package, and rejects unsigned requests", async () => {
  const environment = {
    ANYFORM_STRIPE_PRICE: "price_1",
    ANYFORM_STRIPE_SECRET_KEY: "sk_test_1",
    ANYFORM_STRIPE_WEBHOOK_SECRET: "whsec_1",
    POWERTOOLS_LOG_LEVEL: "SILENT",
  };
  const headers = { "stripe-signature": "t=1,v1=ab" };
  const rejected = await answer("receive-billing-event", "/api/v1/session/billing/events", { headers, environment });
  expect(rejected).toMatchObject({
    statusCode: 400,
    body: expect.stringContaining("signature of the payment service"),
  });
});

describe("with the credentials that Lambda gives a function", () => {
  let emulators: Emulators;
  beforeAll(async () => {
    emulators = await startEmulators();
  });
  afterAll(() => emulators?.stop());

  const getAccount = (environment: Record<string, string>) =>
    answer("get-account", "/api/v1/account", {
      headers: { authorization: `Bearer ${newApiKey(randomBytes)}` },
      environment: { ...environment, POWERTOOLS_LOG_LEVEL: "SILENT" },
    });

  test("the code reads its tables", async () => {
    expect(await getAccount(emulators.environment)).toMatchObject({
      statusCode: 401,
      body: expect.stringContaining("unknown or has been revoked"),
    });
  });

  test("without them the code requests no others", async () => {
    const { AWS_ACCESS_KEY_ID: _, AWS_SECRET_ACCESS_KEY: __, ...environment } = emulators.environment;
    expect(await getAccount(environment)).toMatchObject({ statusCode: 500 });
  });
});
