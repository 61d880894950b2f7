import { createServer, type Server } from "node:http";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, expect, test } from "vitest";
import { eraseAll } from "../../../functions/api/account/erase-all.ts";
import { noteQuota } from "../../../functions/api/middleware/quota-notices.ts";
import type { ApiRequest, Exchange } from "../../../functions/api/request.ts";
import type { Account } from "../../../functions/domain/accounts/plans.ts";
import { noticeIdOf, quotaNotice } from "../../../functions/domain/accounts/quota-notices.ts";
import { quotaClaim } from "../../../functions/domain/accounts/quotas.ts";
import { RECORD_RETENTION_MS } from "../../../functions/domain/limits.ts";
import { deliverWebhook } from "../../../functions/events/deliver-webhook.ts";
import { addressOf } from "../../support/address.ts";
import { accountRecord, endpointRecord, NOW } from "../../support/world/records.ts";
import { makeWorld, type World } from "../../support/world/world.ts";

let world: World;
let server: Server;
let came: { readonly type: string; readonly data: Readonly<Record<string, unknown>> }[];
let url: string;
beforeEach(async () => {
  world = makeWorld(NOW);
  came = [];
  server = createServer(async (request, response) => {
    came.push(JSON.parse(await text(request)));
    response.writeHead(204).end();
  });
  url = await addressOf(server);
});
afterEach(async () => {
  server.close();
  await world.close();
});

const opened = async (overrides: Partial<Account> = {}): Promise<Account> => {
  const account = accountRecord({
    webhookEndpoints: [endpointRecord({ url }), endpointRecord({ url, events: ["job.failed"] })],
    ...overrides,
  });
  await world.context.accounts.createAccount(account);
  return account;
};

/** Counts a request as the middleware does, after `used` requests of the 100 of the free plan. */
const note = (account: Account, used: number): Promise<void> => {
  const { now } = world;
  const request = { account, claim: quotaClaim(account, now, "convert"), now, id: "r", operation: "createJob" };
  return noteQuota(
    { context: world.context, request: request as unknown as ApiRequest, headers: {} } satisfies Exchange,
    used,
  );
};

/** Delivers everything that is due, as the worker does. */
const work = async (): Promise<void> => {
  const deliver = deliverWebhook({ ...world.context, importAllowed: ["127.0.0.1"] });
  for (let round = 0; round < 3; round += 1) {
    for (const { id } of await world.context.webhooks.due(world.now, 100)) {
      await deliver(id);
    }
  }
};

test("notices are sent at 80 and 100 % of the quota, once each, however many requests notice it", async () => {
  const account = await opened();
  await note(account, 79);
  await work();
  expect([world.mails, came]).toEqual([[], []]);
  await Promise.all([80, 81, 82, 83, 84].map((used) => note(account, used)));
  await work();
  await note(account, 99);
  await work();
  expect(world.mails.map(({ to, subject }) => [to, subject.slice(0, 4)])).toEqual([[account.email, "80 %"]]);
  expect(came).toMatchObject([{ type: "quota.warning", data: { percent: 80, limit: 100, month: "2026-11" } }]);
  await note(account, 100);
  await note(account, 100);
  await work();
  expect(world.mails.map(({ subject }) => subject.slice(0, 5))).toEqual(["80 % ", "100 %"]);
  expect(came.map(({ type }) => type)).toEqual(["quota.warning", "quota.reached"]);
  const { items } = await world.context.webhooks.list({ accountId: account.id, limit: 10 });
  expect(items.map(({ status, jobId }) => [status, jobId])).toEqual([
    ["delivered", account.id],
    ["delivered", account.id],
  ]);
});

test("other processes add no second notice, and the next month has its own", async () => {
  const account = await opened({ webhookEndpoints: [] });
  const claim = quotaClaim(account, NOW, "convert");
  const notices = Array.from({ length: 20 }, () => quotaNotice(account, claim, { used: 90, now: NOW }));
  const added = await Promise.all(notices.map((notice) => notice && world.context.webhooks.create(notice)));
  expect(added.filter(Boolean)).toHaveLength(1);
  await note(account, 91);
  await work();
  expect(world.mails).toHaveLength(1);
  world.now = Date.UTC(2026, 11, 1);
  await note(account, 80);
  await work();
  expect(world.mails).toHaveLength(2);
});

test("a notice stays until the month ends, so that it is not added again", () => {
  const start = Date.UTC(2026, 9, 1);
  const account = accountRecord();
  const notice = quotaNotice(account, quotaClaim(account, start, "upload"), { used: 100, now: start });
  expect(notice?.recordExpiresAt).toBeGreaterThanOrEqual(Date.UTC(2026, 10, 1));
  expect(notice?.recordExpiresAt).toBeGreaterThanOrEqual(start + RECORD_RETENTION_MS);
});

test("no email is sent if the account has turned them off, nor to visitors", async () => {
  const account = await opened({ quotaMails: false });
  await note(account, 100);
  const visitor = await opened({ visitorUntil: NOW + 1e6 });
  await note(visitor, 100);
  await work();
  expect(world.mails).toEqual([]);
  expect(came.map(({ type }) => type)).toEqual(["quota.reached"]);
});

test("an email that fails is retried, and the messages are not sent again", async () => {
  const account = await opened();
  let failures = 1;
  const send = world.context.mail?.send;
  const mail: NonNullable<World["context"]["mail"]> = {
    send: async (each) => {
      failures -= 1;
      if (failures >= 0) {
        throw new Error("451 Try again later");
      }
      await send?.(each);
    },
  };
  await note(account, 80);
  const id = noticeIdOf(account.id, "2026-11", 80);
  const deliver = deliverWebhook({ ...world.context, mail, importAllowed: ["127.0.0.1"] });
  await deliver(id);
  expect(await world.context.webhooks.get(id)).toMatchObject({
    status: "pending",
    attempts: [{ error: "451 Try again later" }],
  });
  world.now += 60_000;
  await deliver(id);
  expect(await world.context.webhooks.get(id)).toMatchObject({ status: "delivered" });
  expect(world.mails).toHaveLength(1);
  expect((await world.context.webhooks.list({ accountId: account.id, limit: 10 })).items).toHaveLength(1);
});

test("a store that fails does not fail the request, and the next request tries again", async () => {
  const account = await opened();
  const failing = { ...world.context.webhooks, create: () => Promise.reject(new Error("disk full")) };
  const { webhooks } = world.context;
  Object.assign(world.context, { webhooks: failing });
  await expect(note(account, 80)).resolves.toBeUndefined();
  Object.assign(world.context, { webhooks });
  await note(account, 80);
  expect(await webhooks.get(noticeIdOf(account.id, "2026-11", 80))).toBeDefined();
});

test("notices are deleted with their account", async () => {
  const account = await opened();
  await note(account, 80);
  expect(await eraseAll(world.context, account.id, NOW + 1e6)).toBe(true);
  expect(await world.context.webhooks.due(NOW, 10)).toEqual([]);
  expect(await world.context.webhooks.get(noticeIdOf(account.id, "2026-11", 80))).toBeUndefined();
});
