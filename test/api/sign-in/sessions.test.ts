import { randomBytes } from "node:crypto";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { issueKey } from "../../../functions/domain/accounts/account.ts";
import { base62, newId } from "../../../functions/domain/ids.ts";
import { deviceListSchema } from "../../../functions/domain/sessions/session-views.ts";
import { SESSION_MS, SESSIONS_MAX, SIGNING_KEY_MS } from "../../../functions/domain/sessions/sign-in-limits.ts";
import { NOW } from "../../support/world/records.ts";
import { askForCode, signInAs, type Tab, tabOn } from "../../support/world/tab.ts";
import { makeWorld, type World } from "../../support/world/world.ts";

let world: World;
let tab: Tab;
let accountId: string;
beforeEach(async () => {
  world = makeWorld(NOW);
  tab = tabOn(world);
  accountId = await signInAs(world, tab, "ada@example.com");
});
afterEach(() => world.close());

const HOST_COOKIE = "__Host-anyform";
const HOUR_MS = 3_600_000;
const cookieOf = (from: Tab): string => from.cookies.get(HOST_COOKIE) ?? "";
const stateOf = async (from: Tab) => {
  const { status, body } = await from.ask("getAccount");
  return status === 200 ? 200 : body.code;
};
const withCookie = (value: string): Tab => {
  const other = tabOn(world);
  other.cookies.set(HOST_COOKIE, value);
  return other;
};

describe("the session cookie", () => {
  const setBy = async (origin: string): Promise<string> => {
    const own = tabOn(world, { origin });
    const { headers } = await own.ask("createSession", { body: await askForCode(world, own, "eve@example.com") });
    return String(headers["set-cookie"]);
  };

  test("is not available to scripts, other sites, other hosts and plain HTTP, and lasts 30 days", async () => {
    expect(await setBy("https://anyform.test")).toMatch(
      /^__Host-anyform=[\w.-]{114}; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Strict; Secure$/,
    );
  });

  test("is accepted by browsers if the service uses plain HTTP", async () => {
    expect(await setBy("http://192.0.2.7:8080")).toMatch(
      /^anyform=[\w.-]{114}; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Strict$/,
    );
  });

  test("is not stored in any table, and neither is its token", async () => {
    const [token = ""] = cookieOf(tab).split(".");
    const sessions = await world.context.sessions.sessionsOf(accountId);
    expect(sessions).toHaveLength(1);
    expect(JSON.stringify(sessions)).not.toContain(token);
  });

  test("is rejected without a lookup if it is forged", async () => {
    const findSession = vi.spyOn(world.context.sessions, "findSession");
    const [token = "", key = "", signature = ""] = cookieOf(tab).split(".");
    const forged = [
      `${base62(randomBytes(32))}.${key}.${signature}`,
      `${token}.${key}.${randomBytes(32).toString("base64url")}`,
      `${token}.${newId("signing", NOW, randomBytes)}.${signature}`,
      `${token}.${key}.`,
      `${token}.${key}`,
      token,
      `${cookieOf(tab)}x`,
      "x".repeat(7_000),
      "",
    ];
    for (const value of forged) {
      expect(["missing_session", "missing_api_key"]).toContain(await stateOf(withCookie(value)));
    }
    expect(findSession).not.toHaveBeenCalled();
    expect(await stateOf(withCookie(cookieOf(tab)))).toBe(200);
  });

  test("is verified with keys that are read every five minutes, or every second for an unknown key", async () => {
    const signingKeys = vi.spyOn(world.context.sessions, "signingKeys");
    const unknown = () =>
      withCookie(`${base62(randomBytes(32))}.${newId("signing", NOW, randomBytes)}.${"a".repeat(43)}`);
    for (let count = 0; count < 50; count += 1) {
      await stateOf(tab);
      await stateOf(unknown());
    }
    expect(signingKeys).toHaveBeenCalledTimes(0);
    world.now += 1_000;
    await stateOf(unknown());
    await stateOf(unknown());
    expect(signingKeys).toHaveBeenCalledTimes(1);
    world.now += 5 * 60_000;
    await stateOf(tab);
    expect(signingKeys).toHaveBeenCalledTimes(2);
  });

  test("is valid until its session ends, across rotations of signing keys, but not without its key", async () => {
    world.now += SIGNING_KEY_MS;
    await signInAs(world, tabOn(world), "eve@example.com");
    const keys = await world.context.sessions.signingKeys();
    expect(keys).toHaveLength(2);
    world.now = NOW + SESSION_MS - 1;
    expect(await stateOf(tab)).toBe(200);
    world.now = NOW + SESSION_MS;
    expect(await stateOf(tab)).toBe("missing_session");
    world.now = NOW + SIGNING_KEY_MS + SESSION_MS + 1;
    const [session] = await world.context.sessions.sessionsOf(accountId);
    await world.context.sessions.addSession({
      ...(session ?? never()),
      hash: "other",
      expiresAt: world.now + HOUR_MS,
    });
    await signInAs(world, tabOn(world), "eve@example.com");
    expect((await world.context.sessions.signingKeys()).map(({ id }) => id)).not.toContain(keys[1]?.id);
    expect(await stateOf(tab)).toBe("missing_session");
  });

  test("does not replace an API key, even an invalid one, in the same request", async () => {
    for (const authorization of ["Bearer nonsense", "Basic YTpi", ""]) {
      const { status, body } = await tab.ask("getAccount", { headers: { authorization } });
      expect(status).toBe(401);
      expect(body.code).toMatch(/_api_key$/);
    }
    const { key } = await issueKey(world.context, { accountId, name: "a", scopes: ["upload"] });
    const { body } = await tab.ask("getAccount", { headers: { authorization: `Bearer ${key}` } });
    expect(body.code).toBe("forbidden_scope");
  });

  test("authorizes every operation that accepts an API key", async () => {
    expect((await tab.ask("getAccount")).body.id).toBe(accountId);
    expect((await tab.ask("listJobs")).body.jobs).toEqual([]);
    expect((await tab.ask("createUpload", { body: { filename: "a.png", size: 10 } })).status).toBe(201);
  });

  test("does not grant access to another account", async () => {
    const { key } = await issueKey(world.context, { accountId, name: "a" });
    const eve = tabOn(world);
    await signInAs(world, eve, "eve@example.com");
    const { body } = await eve.ask("getAccount", { headers: { authorization: `Bearer ${key}` } });
    expect(body.id).toBe(accountId);
    expect((await eve.ask("getAccount")).body.id).not.toBe(accountId);
  });
});

const never = (): never => {
  throw new Error("There is no session.");
};

describe("the current session", () => {
  test("is returned, and its absence is not an error", async () => {
    expect((await tab.ask("getSession")).body).toMatchObject({
      account: { id: accountId, email: "ada@example.com", plan: "free", plan_picked: false, retention_hours: 24 },
      session: { by: "code", expires_at: new Date(NOW + SESSION_MS).toISOString() },
      offers: { codes: true, payments: false, visitors: true, upload_bytes_max: 1e9 },
    });
    const { status, body, headers } = await tabOn(world).ask("getSession");
    expect([status, body.account, body.session, headers["set-cookie"]]).toEqual([200, null, null, undefined]);
  });

  test("clears an invalid cookie", async () => {
    const stale = withCookie("nonsense");
    expect((await stale.ask("getSession")).headers["set-cookie"]).toMatch(/^__Host-anyform=; .*Max-Age=0/);
    expect(stale.cookies.size).toBe(0);
  });

  test("is never returned in a cacheable response", async () => {
    expect((await tab.ask("getSession")).headers["cache-control"]).toBe("no-store");
  });
});

describe("sessions", () => {
  const devices = async (from: Tab) => deviceListSchema.parse((await from.ask("listSessions")).body).sessions;

  test("are listed with their browsers, the current one first and marked", async () => {
    world.now += 2 * HOUR_MS;
    const phone = tabOn(world);
    const body = await askForCode(world, phone, "ada@example.com");
    const agent =
      "Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 Version/19.0 Mobile/15E148 Safari/604.1";
    await phone.ask("createSession", { body, headers: { "user-agent": agent } });
    expect((await devices(phone)).map(({ device, current }) => [device, current])).toEqual([
      ["Safari on iPhone", true],
      ["Firefox on Linux", false],
    ]);
    world.now += HOUR_MS;
    expect((await devices(tab)).map(({ current }) => current)).toEqual([true, false]);
  });

  test("record their use once an hour", async () => {
    const noteSession = vi.spyOn(world.context.sessions, "noteSession");
    world.now += HOUR_MS - 1;
    await tab.ask("getAccount");
    expect(noteSession).not.toHaveBeenCalled();
    world.now += 1;
    await tab.ask("getAccount");
    await tab.ask("getSession");
    expect(noteSession).toHaveBeenCalledTimes(1);
  });

  test("end immediately when they are revoked elsewhere or their browser signs out", async () => {
    const phone = tabOn(world);
    await signInAs(world, phone, "ada@example.com");
    const mine = (await devices(tab)).find(({ current }) => current);
    expect((await phone.ask("endSession", { id: mine?.id ?? "" })).status).toBe(204);
    expect(await stateOf(tab)).toBe("missing_session");
    const copy = withCookie(cookieOf(phone));
    expect((await phone.ask("deleteSession")).status).toBe(204);
    expect(phone.cookies.size).toBe(0);
    expect(await stateOf(copy)).toBe("missing_session");
  });

  test("of another account are not found", async () => {
    const eve = tabOn(world);
    await signInAs(world, eve, "eve@example.com");
    const [session] = await devices(tab);
    const foreign = await eve.ask("endSession", { id: session?.id ?? "" });
    const missing = await eve.ask("endSession", { id: "ses_none" });
    expect([foreign.status, foreign.body.code]).toEqual([404, "not_found"]);
    expect([missing.status, missing.body.code]).toEqual([404, "not_found"]);
    expect(await stateOf(tab)).toBe(200);
  });

  test("are limited to fifty per account; the least recently used one is removed", async () => {
    for (let count = 0; count < SESSIONS_MAX; count += 1) {
      world.now += 4 * HOUR_MS;
      await signInAs(world, tabOn(world, { ip: `192.0.2.${count}` }), "ada@example.com");
    }
    expect(await world.context.sessions.sessionsOf(accountId)).toHaveLength(SESSIONS_MAX);
    expect(await stateOf(tab)).toBe("missing_session");
  });

  test("are required by operations that do not accept a key", async () => {
    const { key } = await issueKey(world.context, { accountId, name: "a" });
    const headers = { authorization: `Bearer ${key}` };
    const { status, body } = await tabOn(world).ask("listSessions", { headers });
    expect([status, body.code]).toEqual([401, "missing_session"]);
  });
});

describe("a request that changes data", () => {
  const ask = (headers: Record<string, string | undefined>) =>
    tab.ask("createUpload", { body: { filename: "a.png", size: 10 }, headers });

  test.each([
    ["cross-site", undefined],
    ["same-site", undefined],
    ["none", undefined],
    ["cross-site", "https://anyform.test"],
    [undefined, "https://evil.test"],
    [undefined, "http://anyform.test"],
    [undefined, "https://anyform.test:8443"],
    [undefined, "null"],
    [undefined, undefined],
  ])("with a cookie is rejected with Sec-Fetch-Site %s and Origin %s", async (site, origin) => {
    const { status, body } = await ask({ "sec-fetch-site": site, origin });
    expect([status, body.code]).toEqual([403, "cross_site"]);
  });

  test.each([
    ["same-origin", undefined],
    [undefined, "https://anyform.test"],
  ])("with a cookie is accepted with Sec-Fetch-Site %s and Origin %s", async (site, origin) => {
    expect((await ask({ "sec-fetch-site": site, origin })).status).toBe(201);
  });

  test("with a key is accepted from any origin", async () => {
    const { key } = await issueKey(world.context, { accountId, name: "a" });
    const headers = { authorization: `Bearer ${key}`, "sec-fetch-site": "cross-site" };
    expect((await tabOn(world).ask("createUpload", { body: { filename: "a.png", size: 10 }, headers })).status).toBe(
      201,
    );
  });

  test.each(["createSession", "createVisitorSession", "createPasskeySession"] as const)(
    "is rejected from another site for %s, to prevent signing in to an attacker's account",
    async (operation) => {
      const other = tabOn(world);
      const credential = {
        id: "a",
        rawId: "a",
        type: "public-key",
        response: { clientDataJSON: "a", authenticatorData: "a", signature: "a" },
      };
      const code = await askForCode(world, other, "eve@example.com");
      const challenge_id = newId("challenge", NOW, randomBytes);
      const body = operation === "createSession" ? code : { challenge_id, credential };
      const reply = await other.ask(operation, { body, headers: { "sec-fetch-site": "cross-site" } });
      expect([reply.status, reply.body.code]).toEqual([403, "cross_site"]);
      expect(other.cookies.size).toBe(0);
    },
  );
});
