import { readFile } from "node:fs/promises";
import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import { text } from "node:stream/consumers";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { EndpointView, WebhookTestView, WebhookView } from "../../../functions/domain/webhooks/webhook-views.ts";
import { addressOf } from "../../support/address.ts";
import type { ApiClient, Problem } from "../../support/services/client.ts";
import { fixture, newAccount, type Target } from "./target.ts";

interface Delivery {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** Endpoints of an account, with chosen events. */
export const webhookEndpointSuite = (target: () => Target): void => {
  describe("a webhook endpoint", () => {
    let server: Server;
    let origin: string;
    let came: Delivery[];
    let client: ApiClient;
    beforeAll(async () => {
      came = [];
      server = createServer(async (request, response) => {
        const path = request.url ?? "";
        came.push({ path, headers: request.headers, body: await text(request) });
        response.writeHead(path === "/broken" ? 500 : 204).end();
      });
      origin = await addressOf(server);
      ({ client } = await newAccount(target(), 1_000));
    });
    afterAll(() => server.close());

    const post = <Body>(path: string, json: unknown, by = client) =>
      by.call<Body & Problem>(`/api/v1/webhook-endpoints${path}`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(json),
      });
    const created = async (path: string, settings: object = {}, by = client): Promise<EndpointView> => {
      const { status, body } = await post<EndpointView>("", { url: `${origin}${path}`, ...settings }, by);
      expect(status, JSON.stringify(body)).toBe(201);
      return body;
    };
    const deliveries = async (path: string, count: number): Promise<Delivery[]> => {
      const of = () => came.filter((delivery) => delivery.path === path);
      // Notices about the quota are found by a worker that runs every few seconds.
      await expect.poll(() => of().length).toBe(count);
      return of();
    };
    const verified = ({ body, headers }: Delivery, { secrets }: Pick<EndpointView, "secrets">) =>
      new Webhook(secrets[0]?.secret ?? "").verify(body, headers as Record<string, string>);
    const converted = async (isValid: boolean): Promise<string> => {
      const bytes = await readFile(fixture("sample.png"));
      const { body } = await client.upload({ name: "a.png", bytes: isValid ? bytes : bytes.subarray(0, 150) });
      const wanted = { upload_id: body.upload_id, target_format: "webp" };
      return (await client.convert(wanted, { prefer: "wait=25" })).body.id;
    };

    it("receives the chosen events of all jobs, signed with its own secret", async (context) => {
      context.skip(!target().reachesTests, "The service cannot connect to this machine.");
      const all = await created("/all", { events: ["job.completed", "job.failed"] });
      const failures = await created("/failures", { events: ["job.failed"], description: "On-call" });
      expect(failures).toMatchObject({ enabled: true, description: "On-call", events: ["job.failed"] });
      const [done, failed] = [await converted(true), await converted(false)];
      const both = await deliveries("/all", 2);
      const [failure] = await deliveries("/failures", 1);
      expect(both.map((delivery) => verified(delivery, all))).toMatchObject([
        { type: "job.completed", data: { id: done } },
        { type: "job.failed", data: { id: failed } },
      ]);
      expect(failure && verified(failure, failures)).toMatchObject({ type: "job.failed", data: { id: failed } });
      expect(() => failure && verified(failure, all)).toThrow();
      expect(new Set([...both, failure].map((delivery) => delivery?.headers["webhook-id"])).size).toBe(3);
      const list = await client.call<{ messages: WebhookView[] }>(`/api/v1/webhooks?endpoint=${failures.id}`);
      expect(list.body.messages).toMatchObject([{ job_id: failed, endpoint_id: failures.id, type: "job.failed" }]);
    });

    it("receives a test message, whose outcome is the response", async (context) => {
      context.skip(!target().reachesTests, "The service cannot connect to this machine.");
      const endpoint = await created("/test", { enabled: false });
      const { status, body } = await post<WebhookTestView>(`/${endpoint.id}/test`, undefined);
      expect([status, body]).toMatchObject([200, { delivered: true, status: 204, error: null }]);
      const [delivery] = await deliveries("/test", 1);
      expect(delivery && verified(delivery, endpoint)).toMatchObject({
        type: "webhook.test",
        data: { endpoint_id: endpoint.id },
      });
      expect(delivery?.headers["webhook-id"]).toBe(body.message_id);
      const broken = await created("/broken");
      expect((await post(`/${broken.id}/test`, undefined)).body).toMatchObject({ delivered: false, status: 500 });
      const changed = await post<EndpointView>(`/${broken.id}`, { url: "http://10.0.0.1/", events: ["quota.reached"] });
      expect(changed.body).toMatchObject({ id: broken.id, url: "http://10.0.0.1/", events: ["quota.reached"] });
      const refused = await post<WebhookTestView>(`/${broken.id}/test`, undefined);
      expect(refused.body).toMatchObject({ delivered: false, status: null });
      expect(refused.body.error).toContain("private network");
    });

    it("can be tested a few times a minute", async () => {
      const { client: own } = await newAccount(target(), 10);
      const { id } = await created("/often", {}, own);
      const replies = await Promise.all(Array.from({ length: 25 }, () => post(`/${id}/test`, undefined, own)));
      // The minute may end during the test.
      expect(replies.filter(({ status }) => status === 429).length).toBeGreaterThanOrEqual(5);
      expect(replies.find(({ status }) => status === 429)?.body.code).toBe("rate_limited");
    });

    it("rotates its secret with an overlap, is disabled, and is deleted", async (context) => {
      context.skip(!target().reachesTests, "The service cannot connect to this machine.");
      const endpoint = await created("/rotated", { events: ["job.completed"] });
      const { status, body } = await post<EndpointView>(`/${endpoint.id}/secret`, undefined);
      expect([status, body.secrets.length, body.secrets[1]?.secret]).toEqual([201, 2, endpoint.secrets[0]?.secret]);
      await converted(true);
      const [delivery] = await deliveries("/rotated", 1);
      expect(delivery && [verified(delivery, body), verified(delivery, endpoint)]).toHaveLength(2);
      expect((await post<EndpointView>(`/${endpoint.id}`, { enabled: false })).body.enabled).toBe(false);
      await converted(true);
      const path = `/api/v1/webhook-endpoints/${endpoint.id}`;
      const { client: stranger } = await newAccount(target(), 10);
      expect((await stranger.call(path, { method: "DELETE" })).status).toBe(404);
      expect((await client.call(path, { method: "DELETE" })).status).toBe(204);
      expect((await client.call(path, { method: "DELETE" })).status).toBe(404);
      expect(came.filter((each) => each.path === "/rotated")).toHaveLength(1);
    });

    it("is one of at most ten, also under concurrent requests, in addition to the default one", async () => {
      const { client: own } = await newAccount(target(), 10);
      const replies = await Promise.all(
        Array.from({ length: 14 }, (_, index) => post("", { url: `https://example.com/${index}` }, own)),
      );
      const made = replies.filter(({ status }) => status === 201);
      const codes = replies.filter(({ status }) => status !== 201).map(({ body }) => body.code);
      expect(codes.every((code) => code === "limit_reached" || code === "temporarily_unavailable")).toBe(true);
      const { body } = await own.call<{ endpoints: EndpointView[] }>("/api/v1/webhook-endpoints");
      expect(body.endpoints).toHaveLength(made.length);
      expect(made.length).toBeLessThanOrEqual(10);
      while ((await post("", { url: "https://example.com/" }, own)).status === 201) {
        made.push(...made.slice(0, 1));
      }
      expect(made).toHaveLength(10);
    });

    it("receives notices at 80 and 100 % of the quota, once each", async (context) => {
      context.skip(!target().reachesTests, "The service cannot connect to this machine.");
      const { client: own } = await newAccount(target(), 5);
      await created("/quota", { events: ["quota.warning", "quota.reached"] }, own);
      const send = () => own.upload(fixture("sample.png"));
      for (let request = 0; request < 3; request += 1) {
        await send();
      }
      expect((await send()).status).toBe(201);
      const [warning] = await deliveries("/quota", 1);
      expect(JSON.parse(warning?.body ?? "")).toMatchObject({
        type: "quota.warning",
        data: { percent: 80, limit: 5, used: 4 },
      });
      expect((await Promise.all([send(), send(), send(), send()])).filter(({ status }) => status === 201)).toHaveLength(
        1,
      );
      const [, reached] = await deliveries("/quota", 2);
      expect(JSON.parse(reached?.body ?? "")).toMatchObject({ type: "quota.reached", data: { percent: 100, used: 5 } });
    });
  });
};
