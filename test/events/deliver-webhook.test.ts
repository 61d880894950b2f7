import { createServer, type IncomingMessage, type Server } from "node:http";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { WebhookEndpoint } from "../../functions/domain/webhooks/endpoint.ts";
import { messageIdsOf, WEBHOOK_PAUSES_MS, webhookHeaders } from "../../functions/domain/webhooks/message.ts";
import { webhookMessagesOf } from "../../functions/domain/webhooks/webhook.ts";
import { deliverWebhook } from "../../functions/events/deliver-webhook.ts";
import { addressOf } from "../support/address.ts";
import { accountRecord, endpointRecord, jobRecord, NOW, webhookRecord } from "../support/world/records.ts";
import { makeWorld, type World } from "../support/world/world.ts";

describe("a message to a webhook", () => {
  let world: World;
  let server: Server;
  let url: string;
  let status: number;
  let came: { request: IncomingMessage; body: string }[];
  beforeEach(async () => {
    world = makeWorld(NOW);
    came = [];
    status = 204;
    server = createServer(async (request, response) => {
      came.push({ request, body: await text(request) });
      response.writeHead(status, { location: "/elsewhere" }).end();
    });
    url = `${await addressOf(server)}/hook`;
  });
  afterEach(async () => {
    server.close();
    await world.close();
  });

  const deliver = (id: string, importAllowed = ["127.0.0.1"]) =>
    deliverWebhook({ ...world.context, importAllowed })(id);
  const added = async () => {
    const account = accountRecord({ webhookSecrets: [{ secret: "whsec_c2VjcmV0", createdAt: NOW }] });
    await world.context.accounts.createAccount(account);
    await world.context.accounts.change(account.id, { webhookSecrets: account.webhookSecrets ?? [] });
    const message = webhookRecord({ accountId: account.id, url });
    await world.context.webhooks.create(message);
    return message;
  };
  const stateOf = (id: string) => world.context.webhooks.get(id);

  test("is posted with its id, time and signature, and any 2xx confirms delivery", async () => {
    const { id, body } = await added();
    await deliver(id);
    expect(came.map(({ request, body: sent }) => [request.method, request.url, sent])).toEqual([
      ["POST", "/hook", body],
    ]);
    expect(came[0]?.request.headers).toMatchObject({ "webhook-id": id, "webhook-timestamp": String(NOW / 1_000) });
    expect(came[0]?.request.headers["webhook-signature"]).toMatch(/^v1,[A-Za-z0-9+/]{43}=$/);
    expect(await stateOf(id)).toMatchObject({ status: "delivered", attempts: [{ at: NOW, answered: 204 }] });
  });

  test("is retried on the documented schedule and given up after the last attempt", async () => {
    status = 500;
    const { id } = await added();
    const times: number[] = [];
    for (let attempt = 0; attempt < 20 && (await stateOf(id))?.status === "pending"; attempt += 1) {
      world.now = (await stateOf(id))?.dueAt ?? 0;
      times.push(world.now);
      await deliver(id);
    }
    const pauses = times.slice(1).map((time, index) => Math.round((time - (times[index] ?? 0)) / 1_000));
    expect(pauses).toEqual(WEBHOOK_PAUSES_MS.map((pause) => pause / 1_000));
    expect(await stateOf(id)).toMatchObject({ status: "failed" });
    expect((await stateOf(id))?.attempts).toHaveLength(10);
    expect(came).toHaveLength(10);
  });

  test("is not attempted before its time, and only once by two concurrent workers", async () => {
    status = 500;
    const { id } = await added();
    await Promise.all([deliver(id), deliver(id), deliver(id)]);
    expect(came).toHaveLength(1);
    await deliver(id);
    expect(came).toHaveLength(1);
  });

  test("ends at a 410, and follows no redirect", async () => {
    status = 410;
    const gone = await added();
    await deliver(gone.id);
    expect(await stateOf(gone.id)).toMatchObject({ status: "failed", attempts: [{ answered: 410 }] });
    status = 302;
    const moved = await added();
    await deliver(moved.id);
    expect(await stateOf(moved.id)).toMatchObject({ status: "pending", attempts: [{ answered: 302 }] });
    expect(came.map(({ request }) => request.url)).toEqual(["/hook", "/hook"]);
  });

  test("is not sent to private addresses, and stores the reason of the failure", async () => {
    const { id } = await added();
    await deliver(id, []);
    expect(came).toEqual([]);
    expect(await stateOf(id)).toMatchObject({
      status: "pending",
      attempts: [{ error: expect.stringContaining("private") }],
    });
  });

  test("is created only for an ended job with a webhook", () => {
    const webhook = { url, baseUrl: "https://anyform.example" };
    const ended = jobRecord({
      status: "failed",
      finishedAt: NOW,
      webhook,
      error: { code: "source_corrupt", detail: "x" },
    });
    const [message, ...others] = webhookMessagesOf(ended, NOW + 5);
    expect(others).toEqual([]);
    expect(message).toMatchObject({ id: ended.id.replace("job_", "msg_"), type: "job.failed", dueAt: NOW + 5, url });
    expect(JSON.parse(message?.body ?? "")).toMatchObject({
      type: "job.failed",
      data: { id: ended.id, status: "failed" },
    });
    expect(webhookMessagesOf(jobRecord({ webhook }), NOW)).toEqual([]);
    expect(webhookMessagesOf(jobRecord({ status: "completed" }), NOW)).toEqual([]);
  });

  test("is created for each endpoint that receives the event, with its own ID, the same in every call", () => {
    const to = [
      { id: "whe_1", url: "https://example.com/1", events: ["job.completed", "job.failed"] as const },
      { id: "whe_2", url: "https://example.com/2", events: ["job.failed"] as const },
    ];
    const ended = jobRecord({ status: "completed", finishedAt: NOW, endpoints: { baseUrl: "https://a.example", to } });
    const messages = webhookMessagesOf(ended, NOW);
    expect(messages).toMatchObject([{ endpointId: "whe_1", url: "https://example.com/1", type: "job.completed" }]);
    expect(webhookMessagesOf({ ...ended, status: "failed" }, NOW)).toHaveLength(2);
    expect(webhookMessagesOf(ended, NOW + 1).map(({ id }) => id)).toEqual(messages.map(({ id }) => id));
    expect(messageIdsOf(ended)).toContain(messages[0]?.id);
    expect(messages[0]?.id).toMatch(/^msg_[0-9A-Za-z]{22}$/);
  });

  test("to an endpoint goes to its current URL with its secrets, and ends if it is disabled or deleted", async () => {
    const endpoint = endpointRecord({ url: `${url}/current` });
    const account = accountRecord();
    await world.context.accounts.createAccount(account);
    const set = (webhookEndpoints: readonly WebhookEndpoint[]) =>
      world.context.accounts.change(account.id, { webhookEndpoints });
    const sent = async () => {
      const message = webhookRecord({ accountId: account.id, url: `${url}/former`, endpointId: endpoint.id });
      await world.context.webhooks.create(message);
      await deliver(message.id);
      return stateOf(message.id);
    };
    await set([endpoint]);
    expect(await sent()).toMatchObject({ status: "delivered" });
    const [{ request, body } = { request: undefined, body: "" }] = came;
    expect(request?.url).toBe("/hook/current");
    const id = String(request?.headers["webhook-id"]);
    expect(request?.headers).toMatchObject(webhookHeaders({ id, body }, endpoint.secrets, NOW));
    await set([{ ...endpoint, enabled: false }]);
    expect(await sent()).toMatchObject({ status: "failed", attempts: [{ error: "The endpoint is disabled." }] });
    await set([]);
    expect(await sent()).toMatchObject({ status: "failed", attempts: [{ error: "The endpoint was deleted." }] });
    expect(came).toHaveLength(1);
  });
});
