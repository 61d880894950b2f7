import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { fetch } from "undici";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { JobView } from "../../functions/domain/jobs/job-views.ts";
import type { UploadView } from "../../functions/domain/uploads/upload-views.ts";
import type { WebhookSecretView } from "../../functions/domain/webhooks/webhook-views.ts";
import { addressOf } from "../support/address.ts";
import { readExposition } from "../support/exposition.ts";
import { PATIENCE } from "../support/patience.ts";
import { type ApiClient, apiClient } from "../support/services/client.ts";
import { accountsCommand, type NewAccount } from "../support/services/local-service.ts";
import { type RecordedService, recordAwsService, recordLocalService } from "../support/services/recorded-service.ts";
import { endOf } from "./suite/target.ts";

/**
 * The service's log while clients upload, convert, download, receive webhooks, and send invalid requests. Operators can
 * trace every request and job in it, and it contains no secret, name, address or content.
 */

type Line = Readonly<Record<string, unknown>>;

/** Values from clients that must not appear in the log. */
const words = {
  fileName: "Quarterly-Salaries",
  content: "Zanzibar-Merger",
  option: "Watermelon-Title",
  metadata: "Patient-4711",
  idempotencyKey: "Idempotent-Isabella",
  webhookPath: "Hook-Of-Hubert",
  importPath: "Import-Of-Irene",
  importHeader: "Bearer-Of-Berta",
  query: "Query-Of-Quentin",
  wrongKey: "af_live_wrongKeyOfWalburga00000000000000000000000000",
  email: "ludmilla.leaks",
} as const;

const text = (lines: readonly string[]) => Buffer.from(lines.join("\n"));

interface Played {
  readonly secrets: readonly string[];
  readonly jobs: readonly JobView[];
}

const play = async (service: RecordedService, strangers: string): Promise<Played> => {
  const accounts = <Result>(args: string[]) =>
    accountsCommand<Result>([...args, "--target", service.tables], { ...service.environment });
  const email = `${words.email}@example.com`;
  const created = ["create", "--email", email, "--plan", "enterprise", "--quota", "1000"];
  const account = await accounts<NewAccount>(created);
  const test = await accounts<{ api_key: string }>(["create-key", "--account", account.account_id, "--test"]);
  const client = await apiClient(service.url, account.api_key);
  const { jobs, tokens } = await convertAll(client, strangers);
  await failOnRequest(client.withKey(test.api_key));
  await sendWhatIsWrong(client, tokens);
  const secret = (await client.call<WebhookSecretView>("/api/v1/webhooks/secret")).body.secrets.map(
    (one) => one.secret,
  );
  return { jobs, secrets: [account.api_key, test.api_key, email, ...tokens, ...secret, strangers] };
};

const convertAll = async (client: ApiClient, strangers: string): Promise<{ jobs: JobView[]; tokens: string[] }> => {
  const csv = { name: `${words.fileName}.csv`, bytes: text(["a,b", `${words.content},1`]) };
  const { body: upload } = await client.upload(csv);
  const body = {
    upload_id: upload.upload_id,
    target_format: "json",
    metadata: { [words.metadata]: words.metadata },
    webhook_url: `${strangers}/${words.webhookPath}?${words.query}`,
  };
  const headers = { prefer: "wait=25", "idempotency-key": words.idempotencyKey };
  const { body: good } = await client.convert(body, headers);
  const { body: invalid } = await client.convert({ ...body, options: { [words.option]: words.option } });
  expect(invalid.code).toBe("invalid_options");
  const token = good.result?.download_token ?? "";
  const { bytes } = await client.download(token);
  expect(bytes.toString()).toContain(words.content);
  const { body: broken } = await client.upload({
    name: `${words.fileName}.json`,
    bytes: text(["{", `"a": "${words.content}`, words.content]),
  });
  const { body: bad } = await client.convert(
    { upload_id: broken.upload_id, target_format: "yaml" },
    headersOf("wait=25"),
  );
  const imported = await importFrom(client, `${strangers}/${words.importPath}.csv?${words.query}`);
  expect(imported.status).toBe("ready");
  const refused = await importFrom(client, `${strangers}/missing/${words.importPath}`);
  expect(refused.status).toBe("failed");
  return { jobs: [good, bad], tokens: [token] };
};

const headersOf = (prefer: string) => ({ prefer });

const importFrom = async (client: ApiClient, url: string): Promise<UploadView> => {
  const body = JSON.stringify({
    url,
    filename: `${words.fileName}.csv`,
    headers: { authorization: words.importHeader },
  });
  const { body: pending } = await client.call<UploadView>("/api/v1/upload", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body,
  });
  let upload = pending;
  for (let tries = 0; tries < 10 && upload.status === "pending"; tries += 1) {
    ({ body: upload } = await client.call<UploadView>(`/api/v1/upload/${pending.upload_id}?wait=10`));
  }
  return upload;
};

/** Simulates two internal errors with a test key: one of a job and one of a request. */
const failOnRequest = async (client: ApiClient): Promise<void> => {
  const picture = text([words.content]);
  const { body: upload } = await client.upload({ name: "fail-engine_failed.txt", bytes: picture });
  const { body: job } = await client.convert({ upload_id: upload.upload_id, target_format: "pdf" });
  expect(await endOf(client, job.id)).toMatchObject({ status: "failed", error: { code: "engine_failed" } });
  expect((await fetch(`${client.url}/api/v1/upload`, { method: "POST" })).status).toBe(401);
  const failed = await client.upload({ name: "fail-internal_error.txt", bytes: picture });
  expect(failed.status).toBe(500);
};

const sendWhatIsWrong = async (client: ApiClient, tokens: readonly string[]): Promise<void> => {
  const statuses = [
    (await client.withKey(words.wrongKey).call("/api/v1/account")).status,
    (await client.call(`/api/v1/convert?cursor=${words.query}`)).status,
    (await client.anyAnswer(`/api/v1/download/dl_${words.query}`)).status,
    (await client.anyAnswer(`/api/v1/download/${tokens[0]}`, { method: "DELETE" })).status,
    (await client.anyAnswer(`/${words.query}/${words.wrongKey}`)).status,
    (await client.anyAnswer("/api/v1/convert", jsonCall(`{"upload_id": "${words.content}`))).status,
    (
      await client.anyAnswer(
        "/api/v1/upload",
        jsonCall(JSON.stringify({ url: `http://127.0.0.1:1/${words.importPath}` })),
      )
    ).status,
  ];
  expect(statuses.every((status) => status < 500)).toBe(true);
};

const jsonCall = (body: string) => ({ method: "POST", headers: { "content-type": "application/json" }, body }) as const;

/** Keywords of the CloudWatch Logs Insights query language in the runbook. */
const WORDS_OF_INSIGHTS = new Set([
  "filter",
  "stats",
  "count",
  "by",
  "sort",
  "desc",
  "asc",
  "display",
  "limit",
  "pct",
  "and",
]);

const queries = [...readFileSync("docs/runbook.md", "utf8").matchAll(/^```insights\n(.*?)^```/gms)].flatMap(
  ([, text = ""]) => text.trim().split("\n"),
);

const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null ? (value as Line)[name] : undefined;

describe.each([
  ["one machine", recordLocalService],
  ["the Lambda handlers over AWS adapters", recordAwsService],
] as const)("the log of %s", (name, start) => {
  let strangers: Server;
  let service: RecordedService;
  let played: Played;
  let metrics = "";
  let output = "";
  let lines: readonly Line[] = [];

  beforeAll(async () => {
    strangers = createServer((request, response) => {
      const found = request.url?.startsWith("/missing/") ? 404 : 200;
      response.writeHead(found, { "content-type": "text/csv" }).end(`a,b\n${words.content},1\n`);
    });
    const origin = await addressOf(strangers);
    service = await start();
    try {
      played = await play(service, origin);
      await vi.waitFor(() => expect(service.output()).toContain('"webhook tried"'), PATIENCE);
      metrics = await (await fetch(`${service.url}/metrics`)).text();
    } finally {
      await service.stop();
    }
    output = service.output();
    lines = output
      .split("\n")
      .filter((line) => line.startsWith("{"))
      .map((line) => JSON.parse(line));
  });
  afterAll(() => strangers.close());

  const said = (message: string) => lines.filter((line) => line.message === message);

  it("contains no key, token, secret, name, option, address or content of a client", () => {
    const hidden = [...Object.values(words), ...played.secrets].filter((secret) => secret !== "");
    expect(hidden.length).toBeGreaterThan(15);
    expect(hidden.filter((secret) => output.includes(secret))).toEqual([]);
  });

  it("has the id, account and operation of each request, and the code of a rejected one", () => {
    const requests = said("request");
    expect(requests.length).toBeGreaterThan(15);
    for (const line of requests) {
      expect(line).toMatchObject({
        request_id: expect.stringMatching(/./),
        account_id: expect.stringMatching(/^(?:acc_\w+|none)$/),
        operation: expect.any(String),
        status: expect.any(Number),
        duration_ms: expect.any(Number),
      });
      // Enough to find who floods the service, and less than an address.
      expect(line.network).toBe("127.0.0.0/24");
      expect(JSON.stringify(line)).not.toContain("127.0.0.1");
      expect(typeof line.code, JSON.stringify(line)).toBe(Number(line.status) < 400 ? "undefined" : "string");
    }
    expect(requests.map(({ code }) => code)).toEqual(
      expect.arrayContaining(["invalid_api_key", "missing_api_key", "not_found", "malformed_json", "internal_error"]),
    );
  });

  it("has the id, account, lane and attempt of each job, at its end and at each internal error", () => {
    const jobs = lines.filter((line) => "job_id" in line && line.message !== "webhook tried");
    for (const line of jobs) {
      expect(line).toMatchObject({
        job_id: expect.stringMatching(/^job_/),
        account_id: expect.stringMatching(/^acc_/),
        lane: expect.any(String),
        attempt: expect.any(Number),
      });
    }
    const [good, bad] = played.jobs;
    const ends = said("job ended");
    expect(ends).toContainEqual(expect.objectContaining({ job_id: good?.id, status: "completed" }));
    expect(ends).toContainEqual(expect.objectContaining({ job_id: bad?.id, status: "failed", code: "source_corrupt" }));
    expect(said("attempt failed")).toContainEqual(expect.objectContaining({ level: "ERROR", code: "engine_failed" }));
  });

  it("has the reason of a failed download, and the response of a webhook receiver", () => {
    expect(said("import ended without a file")).toContainEqual(
      expect.objectContaining({ code: "fetch_failed", account_id: expect.stringMatching(/^acc_/) }),
    );
    expect(said("webhook tried")).toContainEqual(
      expect.objectContaining({ job_id: played.jobs[0]?.id, status: "delivered", answered: 200 }),
    );
  });

  it("provides metrics for operators", () => {
    if (name !== "one machine") {
      const points = lines.filter((line) => "_aws" in line);
      expect(points).toContainEqual(
        expect.objectContaining({ lane: expect.any(String), outcome: "completed", Jobs: 1 }),
      );
      expect(points).toContainEqual(expect.objectContaining({ outcome: "failed_input", Jobs: 1 }));
      expect(points).toContainEqual(expect.objectContaining({ outcome: "failed_service", Jobs: 1 }));
      expect(points).toContainEqual(expect.objectContaining({ outcome: "delivered", WebhookAttempts: 1 }));
      expect(points).toContainEqual(expect.objectContaining({ outcome: "failed_input", UploadsFailed: 1 }));
      return;
    }
    const families = new Map(readExposition(metrics).map((family) => [family.name, family]));
    const total = (family: string, labels: Readonly<Record<string, string>>) =>
      (families.get(`anyform_${family}`)?.samples ?? [])
        .filter((sample) => Object.entries(labels).every(([label, value]) => sample.labels[label] === value))
        .reduce((sum, { value }) => sum + value, 0);
    expect(total("jobs_total", { outcome: "completed" })).toBe(1);
    expect(total("jobs_total", { outcome: "failed_input" })).toBe(1);
    expect(total("jobs_total", { outcome: "failed_service" })).toBe(1);
    expect(total("uploads_total", { way: "fetched", outcome: "ready" })).toBe(1);
    expect(total("uploads_total", { way: "fetched", outcome: "failed_input" })).toBeGreaterThan(0);
    expect(total("webhook_attempts_total", { outcome: "delivered" })).toBe(1);
    expect(total("requests_total", { status: "5xx" })).toBe(1);
    expect(total("requests_total", { operation: "other" })).toBe(0);
    expect(total("converters", { state: "all" })).toBeGreaterThan(0);
    expect(total("disk_bytes", { kind: "free" })).toBeGreaterThan(0);
  });

  it("has every field and message in the queries of the runbook", () => {
    const has = (path: string) => lines.some((line) => path.split(".").reduce<unknown>(fieldOf, line) !== undefined);
    const messages = new Set(lines.map(({ message }) => message));
    expect(queries.length).toBeGreaterThan(5);
    for (const query of queries) {
      const asked = query.replaceAll(/"[^"]*"|@\w+|\bas \w+/g, "").match(/\b[a-z]\w*(?:\.\w+)*/g) ?? [];
      const made = new Set([...query.matchAll(/\bas (\w+)/g)].map(([, name]) => name));
      expect(
        asked.filter((word) => !WORDS_OF_INSIGHTS.has(word) && !made.has(word) && !has(word)),
        query,
      ).toEqual([]);
      for (const [, message] of query.matchAll(/message = "([^"]*)"/g)) {
        expect(messages).toContain(message);
      }
    }
  });

  it("has no client data in its metrics", () => {
    const hidden = [...Object.values(words), ...played.secrets, "acc_", ...played.jobs.map(({ id }) => id)].filter(
      (secret) => secret !== "",
    );
    expect(hidden.filter((secret) => metrics.includes(secret))).toEqual([]);
  });
});
