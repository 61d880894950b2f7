import { afterEach, beforeEach, expect, test } from "vitest";
import { meter } from "../../../functions/api/middleware/meter.ts";
import type { ApiRequest, Exchange } from "../../../functions/api/request.ts";
import { BURST_REQUESTS_MAX } from "../../../functions/domain/limits.ts";
import { accountRecord, keyRecord, NOW } from "../../support/world/records.ts";
import { requestOf } from "../../support/world/requests.ts";
import { makeWorld, type World } from "../../support/world/world.ts";

let world: World;
const account = accountRecord();
const key = keyRecord({ accountId: account.id });
beforeEach(async () => {
  world = makeWorld(NOW);
  await world.context.accounts.createAccount(account);
});
afterEach(() => world.close());

const metered = async (
  request: Partial<ApiRequest>,
  route: Omit<Parameters<typeof meter>[0], "tag"> = { auth: "key" },
) => {
  const exchange: Exchange = {
    context: world.context,
    request: { ...requestOf(undefined), now: NOW, accountId: account.id, ...request },
    headers: {},
  };
  await meter({ ...route, tag: "Service" }).before?.({ event: { exchange } } as never);
  return exchange;
};

const lastUse = async () => (await world.context.keyUses.of(account.id, [key.id])).get(key.id);

test("records a request with a key as its last use, but not one with a session or without credentials", async () => {
  await metered({});
  await metered({ accountId: "" }, { auth: "none" });
  expect(await lastUse()).toBeUndefined();
  await metered({ keyId: key.id });
  expect(await lastUse()).toBe(NOW);
});

test("records a request above the rate limit as a use of its key", async () => {
  for (let index = 0; index < BURST_REQUESTS_MAX; index += 1) {
    await metered({});
  }
  await expect(metered({ keyId: key.id })).rejects.toMatchObject({ code: "rate_limited" });
  expect(await lastUse()).toBe(NOW);
});

test("gives a metered request its count on its day, and a request with a test key none", async () => {
  const { request } = await metered({ keyId: key.id }, { auth: "key", metered: "upload" });
  expect(request.claim).toEqual({ accountId: account.id, month: "2026-11", day: 20, kind: "upload", limit: 100 });
  const free = await metered({ keyId: key.id, isTest: true }, { auth: "key", metered: "upload" });
  expect(free.request.claim).toBeUndefined();
});
