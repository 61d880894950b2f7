import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { JobView } from "../../functions/domain/jobs/job-views.ts";
import type { UploadView } from "../../functions/domain/uploads/upload-views.ts";
import { documentCheck, type OpenapiDocument, type OpenapiOperation } from "../support/document-check.ts";
import { type ContractRequest, contractRequests } from "../support/services/contract-requests.ts";
import { startLocalTarget } from "../support/services/targets.ts";
import { fixture } from "./suite/target.ts";

/** What a validating proxy checks: each request of a table gets its status and a response that the document describes. */

let running: Awaited<ReturnType<typeof startLocalTarget>>;
let document: OpenapiDocument;
let requests: ContractRequest[];
beforeAll(async () => {
  running = await startLocalTarget();
  const { client } = running.target;
  document = (await client.call<OpenapiDocument>("/api/v1/openapi.json")).body;
  const json = { "content-type": "application/json" };
  const pending = await client.call<UploadView>("/api/v1/upload/direct", {
    method: "POST",
    headers: json,
    body: JSON.stringify({ filename: "a.png", size: 2_000 }),
  });
  const { job } = await client.turn(fixture("sample.png"), "jpg");
  const token = job.result?.download_token ?? "";
  requests = contractRequests({
    png: await readFile(fixture("sample.png")),
    uploadId: job.upload_id,
    pendingId: pending.body.upload_id,
    jobId: job.id,
    jobEtag: (await client.call<JobView>(`/api/v1/convert/${job.id}`)).headers.get("etag") ?? "",
    token,
    fileEtag: (await client.call(`/api/v1/download/${token}`, { method: "HEAD" })).headers.get("etag") ?? "",
  });
});
afterAll(() => running?.stop());

test("every request of the table gets its status and a described response", async () => {
  const check = documentCheck(document);
  const wrong: string[] = [];
  for (const request of requests) {
    const { name, method, path, status } = request;
    try {
      const reply = await sent(request);
      expect(reply.status, JSON.stringify(reply.body)).toBe(status);
      check(method, path, reply);
    } catch (error) {
      wrong.push(`${name}: ${method} ${path}: ${String(error).slice(0, 500)}`);
    }
  }
  expect(wrong).toEqual([]);
});

test("the table has every operation that an API key can call", () => {
  const called = new Set(requests.map(({ method, path }) => `${method} ${path.split("?")[0]}`));
  const rows = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  );
  const missing = rows
    .filter(({ operation }) => isForKeys(operation))
    .filter(({ method, path }) => {
      const pattern = new RegExp(`^${method} ${path.replaceAll(/\{\w+\}/g, "[^/]+")}$`);
      return ![...called].some((call) => pattern.test(call));
    });
  expect(missing.map(({ method, path }) => `${method} ${path}`)).toEqual([]);
});

const isForKeys = ({ security }: OpenapiOperation): boolean => security.some((scheme) => "apiKey" in scheme);

const sent = async ({ method, path, headers, body, key }: ContractRequest) => {
  const { client } = running.target;
  const withKey = { invalid: () => client.withKey("af_live_x"), none: () => client.withKey(undefined) };
  return (key === undefined ? client : withKey[key]()).anyAnswer(path, {
    method,
    ...(headers && { headers: { ...headers } }),
    ...(body !== undefined && { body: typeof body === "function" ? body() : body }),
  });
};
