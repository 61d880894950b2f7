import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createKey, createKeyRequest } from "../../../functions/api/keys/create-key.ts";
import { deleteKey } from "../../../functions/api/keys/delete-key.ts";
import { listKeys } from "../../../functions/api/keys/list-keys.ts";
import { rotateKey, rotateKeyRequest } from "../../../functions/api/keys/rotate-key.ts";
import type { ApiRequest } from "../../../functions/api/request.ts";
import { KEYS_A_DAY_MAX, KEYS_LISTED_MAX, KEYS_MAX } from "../../../functions/domain/accounts/account-limits.ts";
import { keyListSchema, newKeySchema } from "../../../functions/domain/accounts/key-views.ts";
import { hashApiKey, isApiKey, usableKey } from "../../../functions/domain/accounts/keys.ts";
import { DAY_MS, HOUR_MS, timestamp } from "../../../functions/domain/times.ts";
import { accountRecord, keyRecord, NOW } from "../../support/world/records.ts";
import { requestOf } from "../../support/world/requests.ts";
import { makeWorld, type World } from "../../support/world/world.ts";

describe("API keys on the dashboard", () => {
  let world: World;
  let accountId: string;
  beforeEach(async () => {
    world = makeWorld(NOW);
    const account = accountRecord();
    accountId = account.id;
    await world.context.accounts.createAccount(account);
  });
  afterEach(() => world.close());

  const request = <Body>(body: Body, over: Partial<ApiRequest<Body>> = {}): ApiRequest<Body> => ({
    ...requestOf(body),
    accountId,
    now: world.now,
    ...over,
  });
  const make = async (body: unknown) => {
    const answer = await createKey.run(world.context)(request(createKeyRequest.parse(body)));
    expect(answer.status).toBe(201);
    return newKeySchema.parse(answer.body);
  };
  const list = async () => keyListSchema.parse((await listKeys.run(world.context)(request(undefined))).body).keys;
  const revoke = (id: string, over = {}) =>
    deleteKey.run(world.context)(request(undefined, { params: { id }, ...over }));
  const rotate = async (id: string, body: unknown = {}, over = {}) => {
    const asked = request(rotateKeyRequest.parse(body), { params: { id }, ...over });
    return newKeySchema.parse((await rotateKey.run(world.context)(asked)).body);
  };
  const stored = (key: string) => world.context.accounts.findKey(hashApiKey(key).hash);
  const usable = async (key: string, now = world.now) => usableKey(await stored(key), now);

  test("are displayed once, and are valid from the next request", async () => {
    const { key, ...rest } = await make({ name: "laptop" });
    expect(isApiKey(key)).toBe(true);
    expect(await usable(key)).toMatchObject({ accountId, id: rest.id });
    expect(rest).toMatchObject({ name: "laptop", kind: "live", expires_at: null, last_used_at: null });
    expect(key.startsWith(rest.prefix)).toBe(true);
    expect(JSON.stringify(await list())).not.toContain(key);
    expect(await list()).toEqual([rest]);
  });

  test("are created with scopes, as test keys, and with an expiry", async () => {
    const expires_at = timestamp(NOW + 30 * DAY_MS);
    const made = await make({ name: "robot", kind: "test", scopes: ["read", "upload", "read"], expires_at });
    expect(made).toMatchObject({ kind: "test", scopes: ["upload", "read"], expires_at });
    expect(made.key).toMatch(/^af_test_/);
    await expect(usable(made.key, NOW + 30 * DAY_MS)).rejects.toMatchObject({ code: "expired_api_key" });
  });

  test("have a name without unreadable characters, and a non-empty one", async () => {
    expect(await make({ name: " a\u0000b\u202egnp\n " })).toMatchObject({ name: "abgnp" });
    await expect(make({ name: "\u202e\n" })).rejects.toMatchObject({
      code: "invalid_request",
      extra: { errors: [{ pointer: "/name" }] },
    });
  });

  test.each([timestamp(NOW), timestamp(NOW - 1), "2026-11-20T13:00:00+01:00"])(
    "reject an expiry that is not in the future: %s",
    async (expires_at) => {
      await expect(make({ name: "a", expires_at })).rejects.toMatchObject({
        code: "invalid_request",
        extra: { errors: [{ pointer: "/expires_at" }] },
      });
    },
  );

  test.each([
    {},
    { name: "" },
    { name: "x".repeat(101) },
    { name: "a", scopes: [] },
    { name: "a", scopes: ["write"] },
    { name: "a", kind: "gold" },
    { name: "a", expires_at: "tomorrow" },
    { name: "a", expires_at: "2027-02-30T00:00:00Z" },
    { name: "a", account_id: "acc_other" },
  ])("are not created from %j", (body) => {
    expect(createKeyRequest.safeParse(body).success).toBe(false);
  });

  test("are rejected as soon as they are revoked, and stay revoked", async () => {
    const { id, key } = await make({ name: "laptop" });
    expect(await revoke(id)).toEqual({ status: 204 });
    await expect(usable(key)).rejects.toMatchObject({ code: "invalid_api_key" });
    world.now += 1_000;
    expect(await revoke(id)).toEqual({ status: 204 });
    expect((await list())[0]?.revoked_at).toBe(timestamp(NOW));
  });

  test("of another account are not found, and are not changed", async () => {
    const { id, key } = await make({ name: "laptop" });
    const other = { accountId: accountRecord().id };
    await expect(revoke(id, other)).rejects.toMatchObject({ code: "not_found" });
    await expect(rotate(id, {}, other)).rejects.toMatchObject({ code: "not_found" });
    expect(await usable(key)).toMatchObject({ id });
    const listed = await listKeys.run(world.context)(request(undefined, other));
    expect(listed.body).toEqual({ keys: [] });
  });

  test("are rotated to an equivalent key, and stay valid for a day", async () => {
    const old = await make({ name: "robot", kind: "test", scopes: ["read"], expires_at: timestamp(NOW + 90 * DAY_MS) });
    const { key, id, prefix, ...rest } = await rotate(old.id);
    const { key: _, id: __, prefix: ___, ...same } = old;
    expect([rest, key === old.key, id === old.id, prefix === old.prefix]).toEqual([same, false, false, false]);
    expect(await usable(old.key, NOW + DAY_MS - 1)).toMatchObject({ id: old.id });
    await expect(usable(old.key, NOW + DAY_MS)).rejects.toMatchObject({ code: "expired_api_key" });
    expect(await usable(key, NOW + DAY_MS)).toMatchObject({ id });
  });

  test("are replaced immediately without an overlap", async () => {
    const old = await make({ name: "laptop" });
    const { key } = await rotate(old.id, { overlap_hours: 0 });
    await expect(usable(old.key)).rejects.toMatchObject({ code: "invalid_api_key" });
    expect(await usable(key)).toMatchObject({ name: "laptop" });
  });

  test("keep their expiry if it is before the end of the overlap", async () => {
    const soon = NOW + HOUR_MS;
    const old = await make({ name: "laptop", expires_at: timestamp(soon) });
    expect(await rotate(old.id, { overlap_hours: 168 })).toMatchObject({ expires_at: timestamp(soon) });
    expect(await stored(old.key)).toMatchObject({ expiresAt: soon });
  });

  test("that are revoked or expired cannot be rotated", async () => {
    const revoked = await make({ name: "a" });
    await revoke(revoked.id);
    await expect(rotate(revoked.id)).rejects.toMatchObject({ code: "not_found" });
    const short = await make({ name: "b", expires_at: timestamp(NOW + 1) });
    world.now += 1;
    await expect(rotate(short.id)).rejects.toMatchObject({ code: "expired" });
  });

  test.each([-1, 169, 1.5, "24"])("reject an overlap of %j hours", (overlap_hours) => {
    expect(rotateKeyRequest.safeParse({ overlap_hours }).success).toBe(false);
  });

  test("are limited to fifty valid ones; revoking one makes room", async () => {
    const made = [];
    for (let count = 0; count < KEYS_MAX; count += 1) {
      made.push(await make({ name: `${count}` }));
    }
    const [first] = made;
    await expect(make({ name: "more" })).rejects.toMatchObject({ code: "limit_reached" });
    await expect(rotate(first?.id ?? "")).rejects.toMatchObject({ code: "limit_reached" });
    expect(await rotate(first?.id ?? "", { overlap_hours: 0 })).toMatchObject({ name: "0" });
    await revoke(made[1]?.id ?? "");
    expect(await make({ name: "more" })).toMatchObject({ name: "more" });
  });

  test("are created at most a hundred times per day, including revoked ones", async () => {
    const revokedAt = NOW;
    for (let count = 0; count < KEYS_A_DAY_MAX; count += 1) {
      await world.context.accounts.addKey(keyRecord({ accountId, createdAt: NOW, revokedAt }));
    }
    world.now += HOUR_MS;
    await expect(make({ name: "more" })).rejects.toMatchObject({
      code: "rate_limited",
      extra: { headers: { "retry-after": String(23 * 3_600) } },
    });
    world.now = NOW + DAY_MS;
    expect(await make({ name: "more" })).toMatchObject({ name: "more" });
  });

  test("are listed newest first: all valid ones, and the latest of the others", async () => {
    const holding = keyRecord({ accountId, createdAt: NOW - 1 });
    await world.context.accounts.addKey(holding);
    for (let count = 0; count < KEYS_LISTED_MAX; count += 1) {
      await world.context.accounts.addKey(keyRecord({ accountId, createdAt: NOW + count, revokedAt: NOW + count }));
    }
    const keys = await list();
    expect(keys.length).toBe(KEYS_LISTED_MAX);
    expect(keys.at(-1)?.id).toBe(holding.id);
    expect(keys[0]?.created_at).toBe(timestamp(NOW + KEYS_LISTED_MAX - 1));
    expect(keys.at(-2)?.created_at).toBe(timestamp(NOW + 1));
  });

  test("are listed with their last use", async () => {
    const [used, unused] = [await make({ name: "used" }), await make({ name: "unused" })];
    await world.context.keyUses.note(accountId, used.id, NOW + 90_000);
    const times = new Map((await list()).map(({ id, last_used_at }) => [id, last_used_at]));
    expect([times.get(used.id), times.get(unused.id)]).toEqual([timestamp(NOW + 60_000), null]);
  });
});
