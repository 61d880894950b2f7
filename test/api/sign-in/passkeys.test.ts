import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { userHandleOf } from "../../../functions/domain/sessions/passkeys.ts";
import { PASSKEY_CHALLENGE_MS, PASSKEYS_MAX } from "../../../functions/domain/sessions/sign-in-limits.ts";
import { type Authenticator, authenticator, type Lies } from "../../support/browser/authenticator.ts";
import { passkeyRecord } from "../../support/browser/people.ts";
import { NOW } from "../../support/world/records.ts";
import { ORIGIN, signInAs, type Tab, tabOn } from "../../support/world/tab.ts";
import { makeWorld, type World } from "../../support/world/world.ts";

let world: World;
let tab: Tab;
let accountId: string;
let device: Authenticator;
beforeEach(async () => {
  world = makeWorld(NOW);
  tab = tabOn(world);
  device = authenticator(ORIGIN);
  accountId = await signInAs(world, tab, "ada@example.com");
});
afterEach(() => world.close());

const add = async (from = tab, key = device, lies: Lies = {}) => {
  const { body } = await from.ask("startPasskey");
  const credential = key.create(body.options, lies);
  return from.ask("createPasskey", { body: { challenge_id: body.challenge_id, name: " Lap\u202etop ", credential } });
};

const signIn = async (key = device, lies: Lies = {}, from = tabOn(world)) => {
  const { body } = await from.ask("startPasskeySignIn");
  const credential = key.get(body.options, lies);
  return from.ask("createPasskeySession", { body: { challenge_id: body.challenge_id, credential } });
};

describe("a passkey", () => {
  test("is added, and then signs in without an email address", async () => {
    const added = await add();
    expect([added.status, added.body.name, added.body.last_used_at]).toEqual([201, "Laptop", null]);
    world.now += 1_000;
    const { status, body } = await signIn();
    expect([status, body.account?.id, body.session?.by]).toEqual([201, accountId, "passkey"]);
    const { passkeys } = (await tab.ask("listPasskeys")).body;
    expect(passkeys).toMatchObject([{ id: added.body.id, last_used_at: new Date(world.now).toISOString() }]);
  });

  test("is created for this host, and only once per device", async () => {
    await add();
    const { options } = (await tab.ask("startPasskey")).body;
    expect(options).toMatchObject({
      rp: { id: "anyform.test" },
      user: { id: userHandleOf(accountId), name: "ada@example.com" },
      authenticatorSelection: { residentKey: "preferred", userVerification: "preferred" },
      excludeCredentials: [{ type: "public-key", transports: ["internal", "hybrid"] }],
    });
    const { status, body } = await add();
    expect([status, body.code]).toEqual([422, "passkey_refused"]);
  });

  test("whose counter does not increase is a copy and is rejected", async () => {
    await add();
    expect((await signIn(device, { counter: 7 })).status).toBe(201);
    for (const counter of [7, 6, 0]) {
      expect((await signIn(device, { counter })).body.code).toBe("passkey_refused");
    }
    expect((await signIn(device, { counter: 8 })).status).toBe(201);
  });

  test("without a counter is accepted repeatedly", async () => {
    await add();
    expect((await signIn(device, { counter: 0 })).status).toBe(201);
    expect((await signIn(device, { counter: 0 })).status).toBe(201);
  });

  test("answers a challenge once, even concurrently", async () => {
    await add();
    const other = tabOn(world);
    const { challenge_id, options } = (await other.ask("startPasskeySignIn")).body;
    const body = { challenge_id, credential: device.get(options) };
    const replies = await Promise.all([1, 2, 3].map(() => other.ask("createPasskeySession", { body })));
    expect(replies.map(({ status }) => status).sort()).toEqual([201, 422, 422]);
  });

  test("must answer within five minutes", async () => {
    await add();
    const other = tabOn(world);
    const { challenge_id, options } = (await other.ask("startPasskeySignIn")).body;
    world.now += PASSKEY_CHALLENGE_MS;
    const body = { challenge_id, credential: device.get(options) };
    expect((await other.ask("createPasskeySession", { body })).body.code).toBe("passkey_refused");
  });

  test.each<[string, Lies]>([
    ["another origin", { origin: "https://evil.test" }],
    ["an origin without TLS", { origin: "http://anyform.test" }],
    ["another RP ID", { rpId: "evil.test" }],
    ["another challenge", { challenge: "AAAA" }],
    ["another type", { type: "webauthn.create" }],
    ["another signing key", { strangersKey: true }],
    ["no user presence", { untouched: true }],
    ["another user handle", { userHandle: userHandleOf("acc_0000000000000000000000") }],
  ])("is rejected if its response has %s", async (_what, lies) => {
    await add();
    const { status, body, headers } = await signIn(device, lies);
    expect([status, body.code, headers["set-cookie"]]).toEqual([422, "passkey_refused", undefined]);
  });

  test.each<[string, Lies]>([
    ["another origin", { origin: "https://evil.test" }],
    ["another RP ID", { rpId: "evil.test" }],
    ["another challenge", { challenge: "AAAA" }],
    ["another type", { type: "webauthn.get" }],
    ["no user presence", { untouched: true }],
  ])("is not added if its response has %s", async (_what, lies) => {
    expect((await add(tab, device, lies)).body.code).toBe("passkey_refused");
    expect((await tab.ask("listPasskeys")).body.passkeys).toEqual([]);
  });

  test.each(["AAAA", "o2NmbXRkbm9uZWdhdHRTdG10oGhhdXRoRGF0YUA", Buffer.alloc(20_000, 0x81).toString("base64url")])(
    "is not added with an invalid attestation (%#)",
    async (attestationObject) => {
      const { body } = await tab.ask("startPasskey");
      const made = device.create(body.options);
      const credential = { ...made, response: { ...(made.response as object), attestationObject } };
      const reply = await tab.ask("createPasskey", {
        body: { challenge_id: body.challenge_id, name: "x", credential },
      });
      expect([reply.status, reply.body.code]).toEqual([422, "passkey_refused"]);
    },
  );

  test("that is unknown does not sign in", async () => {
    const { status, body } = await signIn();
    expect([status, body.code]).toEqual([422, "passkey_refused"]);
  });

  test("cannot answer a challenge of another kind or another account", async () => {
    await add();
    const eve = tabOn(world);
    await signInAs(world, eve, "eve@example.com");
    const foreign = (await eve.ask("startPasskey")).body;
    const other = authenticator(ORIGIN);
    const made = { name: "x", credential: other.create(foreign.options) };
    const crossed = await tab.ask("createPasskey", { body: { challenge_id: foreign.challenge_id, ...made } });
    expect(crossed.body.code).toBe("passkey_refused");
    const { challenge_id, options } = (await tab.ask("startPasskey")).body;
    const credential = device.get({ ...options, rpId: "anyform.test" });
    const confused = await tabOn(world).ask("createPasskeySession", { body: { challenge_id, credential } });
    expect(confused.body.code).toBe("passkey_refused");
  });

  test("that was deleted does not sign in; its sessions stay valid", async () => {
    const { id } = (await add()).body;
    const phone = tabOn(world);
    await signIn(device, {}, phone);
    expect((await tab.ask("deletePasskey", { id })).status).toBe(204);
    expect((await signIn()).body.code).toBe("passkey_refused");
    expect((await phone.ask("getAccount")).status).toBe(200);
  });

  test("of another account is not found", async () => {
    const { id } = (await add()).body;
    const eve = tabOn(world);
    await signInAs(world, eve, "eve@example.com");
    const { status, body } = await eve.ask("deletePasskey", { id });
    expect([status, body.code]).toEqual([404, "not_found"]);
    expect((await eve.ask("listPasskeys")).body.passkeys).toEqual([]);
    expect((await signIn()).status).toBe(201);
  });
});

test("an account has at most twenty passkeys", async () => {
  const { challenge_id, options } = (await tab.ask("startPasskey")).body;
  for (let count = 0; count < PASSKEYS_MAX; count += 1) {
    await world.context.sessions.addPasskey(passkeyRecord({ accountId }));
  }
  const begun = await tab.ask("startPasskey");
  const made = { challenge_id, name: "x", credential: device.create(options) };
  const ended = await tab.ask("createPasskey", { body: made });
  expect([begun, ended].map(({ status, body }) => [status, body.code])).toEqual([
    [409, "limit_reached"],
    [409, "limit_reached"],
  ]);
});

test.each([
  ["http://127.0.0.1:8080", "Open it as http://localhost:8080."],
  ["http://[::1]:8080", "Open it as http://localhost:8080."],
  ["http://192.0.2.7", "Open it by its host name."],
])("rejects passkeys at the IP address %s and says which host name to use", async (origin, advice) => {
  const { status, body } = await tabOn(world, { origin }).ask("startPasskeySignIn");
  expect([status, body.code]).toEqual([422, "passkey_refused"]);
  expect(body.detail).toContain(advice);
});

test("on one machine, passkeys are created for localhost", async () => {
  const origin = "http://localhost:8080";
  const own = tabOn(world, { origin });
  const local = authenticator(origin);
  await signInAs(world, own, "ada@example.com");
  expect((await add(own, local)).status).toBe(201);
  expect((await signIn(local, {}, tabOn(world, { origin }))).status).toBe(201);
});
