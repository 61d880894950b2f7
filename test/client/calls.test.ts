import { once } from "node:events";
import { createServer } from "node:http";
import { buffer } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createClient, type Job, type RequestReport, verifyWebhook } from "../../client/node.ts";
import { newWebhookSecret, webhookHeaders } from "../../functions/domain/webhooks/message.ts";
import { type Relay, relay } from "./support/relay.ts";
import { type Bench, fixture, openBench } from "./support/service.ts";

let bench: Bench;
let proxy: Relay;
beforeAll(async () => {
  bench = await openBench({ ANYFORM_ALLOW_ADDRESSES: "127.0.0.1" });
  proxy = await relay();
  proxy.target = bench.service.url;
});
afterAll(async () => {
  proxy.close();
  await bench.close();
});

const started = async (count = 1) => {
  const { upload_id: uploadId } = await bench.client.upload(fixture("sample.png"));
  const conversions = Array.from({ length: count }, () => ({ uploadId, target: "webp" }));
  const { items } = await bench.client.batch(conversions, { attempts: 2 });
  return items.map(({ job }) => job?.id ?? "");
};
const all = async <Item>(items: AsyncIterable<Item>): Promise<Item[]> => {
  const list: Item[] = [];
  for await (const item of items) {
    list.push(item);
  }
  return list;
};

describe("batches and lists", () => {
  it("a batch starts each conversion, with typed options, and reports rejected ones", async () => {
    const { upload_id: uploadId } = await bench.client.upload(fixture("sample.png"));
    const { items } = await bench.client.batch([
      { uploadId, target: "jpg", options: { quality: 70 }, metadata: { order: "7" } },
      { uploadIds: [uploadId, uploadId], target: "pdf" },
      { uploadId, target: "jpg", otherOptions: { from_a_newer_server: 1 } },
    ]);
    expect(items.map(({ status, problem }) => [status, problem?.code])).toEqual([
      [202, undefined],
      [202, undefined],
      [422, "invalid_options"],
    ]);
    expect(items[0]?.job).toMatchObject({ options: { quality: 70 }, metadata: { order: "7" } });
  });

  it("allJobs reads every page, only as far as it is read", async () => {
    const ids = await started(5);
    const reports: RequestReport[] = [];
    const client = createClient({
      apiKey: bench.apiKey,
      baseUrl: `${bench.service.url}/api/v1/`,
      onRequest: (report) => reports.push(report),
    });
    const found = await all(client.allJobs({ limit: 2, targetFormat: "webp" }));
    expect(new Set(found.map(({ id }) => id))).toEqual(new Set(ids));
    expect(reports).toHaveLength(3);
    expect(reports[0]).toMatchObject({ method: "GET", url: `${bench.service.url}/api/v1/convert`, status: 200 });
    for await (const job of client.allJobs({ limit: 2 })) {
      expect(job.id).toBeDefined();
      break;
    }
    expect(reports).toHaveLength(4);
  });

  it("usage is that of the month", async () => {
    const usage = await bench.client.usage();
    expect(usage.used).toBe((await bench.client.account()).quota.used);
    await expect(bench.client.usage({ month: "1999-01" })).rejects.toMatchObject({ status: 400 });
  });

  it("usage details and the request log name the job, its key and a refused request", async () => {
    const file = await bench.client.convert(fixture("sample.png"), "gif");
    const details = await bench.client.usageDetails();
    const row = details.rows.find(({ target_format }) => target_format === "gif");
    expect(row).toMatchObject({ status: "completed", jobs: 1, bytes_out: file.size });
    const error = await bench.client.usage({ month: "1999-01" }).catch((reason: unknown) => reason);
    const { requestId } = error as { requestId: string };
    const { requests } = await bench.client.requests.list({ requestId });
    expect(requests).toMatchObject([{ operation: "getUsage", status: 400, key_id: row?.key_id }]);
    const { body } = await bench.client.requests.get(requests[0]?.id ?? "");
    expect(JSON.parse(body ?? "")).toMatchObject({ code: "invalid_request" });
    const refused = await all(bench.client.requests.all({ statusClass: "4xx", limit: 1 }));
    expect(refused.every(({ status }) => status >= 400 && status < 500)).toBe(true);
    expect(refused.map(({ id }) => id)).toContain(requests[0]?.id);
  });

  it("further headers are sent to the service, and a call can have fewer attempts", async () => {
    const client = createClient({ apiKey: bench.apiKey, baseUrl: proxy.url, headers: { "x-team": "blue" } });
    await client.account({ headers: { "x-call": "7" } });
    expect(proxy.requests.at(-1)?.headers).toMatchObject({ "x-team": "blue", "x-call": "7" });
    const server = createServer((_, response) => response.writeHead(503).end()).listen(0, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    const reports: RequestReport[] = [];
    const broken = createClient({
      baseUrl: `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`,
      onRequest: (report) => reports.push(report),
    });
    await expect(broken.account({ attempts: 2 })).rejects.toMatchObject({ status: 503 });
    expect(reports.map(({ status }) => status)).toEqual([503, 503]);
    server.close();
  });
});

describe("the events of a job", () => {
  const states = (jobs: readonly Job[]) => jobs.map(({ status }) => status);

  it("are its states until the end, also when streams are interrupted", async () => {
    const [id = ""] = await started();
    const jobs = await all(bench.client.events(id));
    expect(states(jobs).at(-1)).toBe("completed");
    expect(jobs.at(-1)).toEqual(await bench.client.status(id));
    expect((await all(bench.client.events(id))).map(({ id: same }) => same)).toEqual([id]);

    let streams = 0;
    const interrupted = createClient({
      apiKey: bench.apiKey,
      baseUrl: proxy.url,
      fetch: async (input, init) => {
        const response = await fetch(input, init);
        const text = await response.text();
        streams += 1;
        return new Response(streams === 1 ? text.slice(0, text.indexOf("data:") + 20) : text);
      },
    });
    expect((await all(interrupted.events(id))).map(({ status }) => status)).toEqual(["completed"]);
    expect(streams).toBe(2);
  });

  it("end with the reason of an aborted signal", async () => {
    const [id = ""] = await started();
    const signal = AbortSignal.abort(new Error("enough"));
    await expect(bench.client.events(id, { signal }).next()).rejects.toThrow("enough");
  });

  it("are polled from a service without events, and a missing job is reported", async () => {
    const [id = ""] = await started();
    const older = createClient({
      apiKey: bench.apiKey,
      baseUrl: bench.service.url,
      fetch: (input, init) =>
        fetch(String(input).endsWith("/events") ? `${bench.service.url}/api/v1/no/such/path` : input, init),
    });
    expect(states(await all(older.events(id))).at(-1)).toBe("completed");
    await expect(all(bench.client.events("job_none"))).rejects.toMatchObject({ code: "not_found" });
  });
});

describe("webhooks", () => {
  it("of the service are verified, listed, sent again, and signed with both secrets after a rotation", async () => {
    const received: { body: string; headers: Record<string, string | string[] | undefined> }[] = [];
    const server = createServer(async (request, response) => {
      received.push({ body: (await buffer(request)).toString(), headers: request.headers });
      response.end();
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    const webhookUrl = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}/`;
    const { webhooks } = bench.client;
    const { secrets } = await webhooks.rotateSecret();
    const old = secrets[0]?.secret ?? "";
    const arrived = async (count: number) => {
      while (received.length < count) {
        await once(server, "request");
        await new Promise((resolve) => setImmediate(resolve));
      }
    };
    const file = await bench.client.convert(fixture("sample.png"), "jpg", { webhookUrl });
    await arrived(1);
    const [message] = received;
    const event = await webhooks.verify(message?.body ?? "", message?.headers ?? {}, old);
    expect(event).toMatchObject({ type: "job.completed", data: { id: file.job.id } });
    await webhooks.rotateSecret();
    const [listed] = await all(webhooks.all());
    expect(listed?.job_id).toBe(file.job.id);
    await webhooks.redeliver(listed?.id ?? "");
    await arrived(2);
    const fresh = (await webhooks.secrets()).secrets[0]?.secret ?? "";
    expect(fresh).not.toBe(old);
    for (const secret of [old, fresh]) {
      expect((await verifyWebhook(received[1]?.body ?? "", received[1]?.headers ?? {}, secret)).type).toBe(
        "job.completed",
      );
    }
    server.close();
  });

  it("go to endpoints with chosen events, which are tested, changed and removed", async () => {
    const types: string[] = [];
    const server = createServer(async (request, response) => {
      types.push(JSON.parse((await buffer(request)).toString()).type);
      response.end();
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    const url = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}/`;
    const { endpoints, list } = bench.client.webhooks;
    const { id, events } = await endpoints.create({ url, events: ["job.completed"] });
    expect([id.slice(0, 4), events]).toEqual(["whe_", ["job.completed"]]);
    expect(await endpoints.test(id)).toMatchObject({ delivered: true, status: 200 });
    await bench.client.convert(fixture("sample.png"), "jpg");
    await expect.poll(() => types).toEqual(["webhook.test", "job.completed"]);
    expect((await list({ endpoint: id })).messages).toMatchObject([{ endpoint_id: id, type: "job.completed" }]);
    expect((await endpoints.rotateSecret(id)).secrets).toHaveLength(2);
    expect(await endpoints.update(id, { enabled: false })).toMatchObject({ id, enabled: false });
    await endpoints.remove(id);
    expect((await endpoints.list()).endpoints.some((endpoint) => endpoint.id === id)).toBe(false);
    server.close();
  });

  const now = 1_795_176_000_000;
  const [secret, other] = ["a", "b"].map((letter) =>
    newWebhookSecret((count) => new Uint8Array(count).fill(letter.charCodeAt(0))),
  );
  const body = '{"type":"job.completed"}';
  const headers = webhookHeaders({ id: "msg_1", body }, [{ secret: secret ?? "", createdAt: now }], now);
  const verify = (over: Partial<Record<string, string>>, text = body, secrets = [secret ?? ""], at = now) =>
    verifyWebhook(
      new TextEncoder().encode(text),
      new Headers({ ...headers, ...over } as Record<string, string>),
      secrets,
      {
        now: at,
      },
    );

  it("are accepted with any of several secrets, in time", async () => {
    expect(await verify({})).toEqual({ type: "job.completed" });
    expect(await verify({}, body, [other ?? "", secret ?? ""], now + 299_000)).toBeDefined();
  });

  it.each<[string, () => Promise<unknown>, string]>([
    ["a changed body", () => verify({}, `${body} `), "No signature matches"],
    ["a changed id", () => verify({ "webhook-id": "msg_2" }), "No signature matches"],
    ["another secret", () => verify({}, body, [other ?? ""]), "No signature matches"],
    ["a broken signature", () => verify({ "webhook-signature": "v1,%%% v2,abc" }), "No signature matches"],
    ["an old message", () => verify({}, body, undefined, now + 301_000), "differs by more than 300 s"],
    ["no time", () => verify({ "webhook-timestamp": "soon" }), "differs by more than"],
    ["no signature", () => verify({ "webhook-signature": "" }), "Missing header: webhook-signature"],
    ["an invalid secret", () => verify({}, body, ["secret"]), "Invalid webhook secret"],
  ])("%s is rejected", async (_, verified, text) => {
    await expect(verified()).rejects.toMatchObject({
      code: "invalid_signature",
      detail: expect.stringContaining(text),
    });
  });
});
