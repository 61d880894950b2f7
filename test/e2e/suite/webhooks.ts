import { readFile } from "node:fs/promises";
import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import { text } from "node:stream/consumers";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { WebhookSecretView, WebhookView } from "../../../functions/domain/webhooks/webhook-views.ts";
import { addressOf } from "../../support/address.ts";
import type { ApiClient, Problem } from "../../support/services/client.ts";
import { type AccountClient, fixture, newAccount, type Target } from "./target.ts";

interface WebhookListView {
  readonly messages: readonly WebhookView[];
  readonly next: string | null;
}

interface Delivery {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** Milliseconds within which messages arrive: the first immediately, the second after five seconds. */
const DELIVERED_MS_MAX = 20_000;

/** The end of a job is sent, signed according to Standard Webhooks, until the receiver accepts it. */
export const webhookSuite = (target: () => Target): void => {
  describe("a webhook", () => {
    let server: Server;
    let origin: string;
    let came: Delivery[];
    let refusals: number;
    let account: AccountClient;
    let client: ApiClient;
    beforeAll(async () => {
      came = [];
      refusals = 0;
      server = createServer(async (request, response) => {
        came.push({ path: request.url ?? "", headers: request.headers, body: await text(request) });
        refusals -= 1;
        response.writeHead(refusals >= 0 ? 503 : 204).end();
      });
      origin = await addressOf(server);
      account = await newAccount(target(), 1_000);
      ({ client } = account);
    });
    afterAll(() => server.close());

    const ended = async (path: string, bytes?: Uint8Array): Promise<string> => {
      const file = bytes === undefined ? fixture("sample.png") : { name: "a.png", bytes };
      const { body: upload } = await client.upload(file);
      const wanted = { upload_id: upload.upload_id, target_format: "webp", webhook_url: `${origin}${path}` };
      const { status, body } = await client.convert(wanted, { prefer: "wait=25" });
      expect(status, JSON.stringify(body)).toBe(200);
      return body.id;
    };
    const deliveries = async (path: string, count: number): Promise<Delivery[]> => {
      const of = () => came.filter((delivery) => delivery.path === path);
      await expect.poll(() => of().length, { timeout: DELIVERED_MS_MAX }).toBe(count);
      return of();
    };
    const secrets = async () =>
      (await client.call<WebhookSecretView>("/api/v1/webhooks/secret")).body.secrets.map(({ secret }) => secret);
    const verified = (delivery: Delivery | undefined, secret = ""): unknown =>
      new Webhook(secret).verify(delivery?.body ?? "", delivery?.headers as Record<string, string>);
    const messageOf = async (jobId: string): Promise<WebhookView | undefined> =>
      (await client.call<WebhookListView>("/api/v1/webhooks")).body.messages.find(({ job_id }) => job_id === jobId);

    it("receives completed and failed jobs, signed so that the standard's package verifies them", async (context) => {
      context.skip(!target().reachesTests, "The service cannot connect to this machine.");
      const done = await ended("/done");
      const [first] = await deliveries("/done", 1);
      const [secret] = await secrets();
      expect(verified(first, secret)).toMatchObject({
        type: "job.completed",
        timestamp: expect.any(String),
        data: { id: done, status: "completed", result: { media_type: "image/webp" } },
      });
      expect(first?.headers["webhook-id"]).toBe(done.replace("job_", "msg_"));
      const failed = await ended("/failed", (await readFile(fixture("sample.png"))).subarray(0, 150));
      const [second] = await deliveries("/failed", 1);
      expect(verified(second, secret)).toMatchObject({
        type: "job.failed",
        data: { id: failed, error: { code: "source_corrupt" } },
      });
      expect(() => verified({ path: "", headers: first?.headers ?? {}, body: second?.body ?? "" }, secret)).toThrow();
    });

    it("receives the same message again after five seconds if it does not accept it", async (context) => {
      context.skip(!target().reachesTests, "The service cannot connect to this machine.");
      refusals = 1;
      const id = await ended("/later");
      const both = await deliveries("/later", 2);
      expect(new Set(both.map(({ headers }) => headers["webhook-id"])).size).toBe(1);
      const [secret] = await secrets();
      expect(both.map((delivery) => verified(delivery, secret))).toHaveLength(2);
      await expect.poll(async () => (await messageOf(id))?.status).toBe("delivered");
      const message = await messageOf(id);
      expect(message?.attempts.map(({ status }) => status)).toEqual([503, 204]);
      expect([message?.type, message?.next_attempt_at]).toEqual(["job.completed", null]);
    });

    it("receives a message again on request", async (context) => {
      context.skip(!target().reachesTests, "The service cannot connect to this machine.");
      const id = await ended("/again");
      const [first] = await deliveries("/again", 1);
      await expect.poll(async () => (await messageOf(id))?.status).toBe("delivered");
      const path = `/api/v1/webhooks/${(await messageOf(id))?.id}/redeliver`;
      expect(await client.call(path, { method: "POST" })).toMatchObject({ status: 202, body: { status: "pending" } });
      const [, second] = await deliveries("/again", 2);
      expect([second?.body, second?.headers["webhook-id"]]).toEqual([first?.body, first?.headers["webhook-id"]]);
      const { client: stranger } = await newAccount(target(), 1);
      const refused = await stranger.call<Problem>(path, { method: "POST" });
      expect([refused.status, refused.body.code]).toEqual([404, "not_found"]);
    });

    it("receives two signatures after a rotation of the secret, so either one can be verified", async (context) => {
      context.skip(!target().reachesTests, "The service cannot connect to this machine.");
      const [old] = await secrets();
      const rotated = await client.call<WebhookSecretView>("/api/v1/webhooks/secret", { method: "POST" });
      expect(rotated.status).toBe(201);
      const [latest, before] = await secrets();
      expect([before, latest === old]).toEqual([old, false]);
      await ended("/rotated");
      const [delivery] = await deliveries("/rotated", 1);
      expect(String(delivery?.headers["webhook-signature"]).split(" ")).toHaveLength(2);
      expect([verified(delivery, old), verified(delivery, latest)]).toHaveLength(2);
      expect(() => verified(delivery, "whsec_c29tZSBvdGhlciBzZWNyZXQ=")).toThrow();
    });

    it("has a list of its messages, newest first, in pages", async (context) => {
      context.skip(!target().reachesTests, "The service cannot connect to this machine.");
      const all = await client.call<WebhookListView>("/api/v1/webhooks");
      expect(all.body.messages.map(({ url }) => new URL(url).pathname)).toEqual([
        "/rotated",
        "/again",
        "/later",
        "/failed",
        "/done",
      ]);
      const first = await client.call<WebhookListView>("/api/v1/webhooks?limit=3");
      expect(first.headers.get("link")).toContain('rel="next"');
      const rest = await client.call<WebhookListView>(`/api/v1/webhooks?limit=3&after=${first.body.next}`);
      expect([...first.body.messages, ...rest.body.messages]).toEqual(all.body.messages);
      const { client: stranger } = await newAccount(target(), 1);
      expect((await stranger.call<WebhookListView>("/api/v1/webhooks")).body.messages).toEqual([]);
    });

    it("in a private network receives nothing, and the message has the reason", async () => {
      const { body: upload } = await client.upload(fixture("sample.png"));
      const wanted = { upload_id: upload.upload_id, target_format: "webp", webhook_url: "http://10.0.0.1/hook" };
      const { body } = await client.convert(wanted, { prefer: "wait=25" });
      const error = async () => (await messageOf(body.id))?.attempts[0]?.error ?? "";
      await expect.poll(error, { timeout: DELIVERED_MS_MAX }).toContain("private network");
    });
  });
};
