import { generateKeyPairSync, sign } from "node:crypto";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { identityProvider } from "../../../functions/outbound/identity-provider.ts";
import { startTestProvider, type TestProvider } from "../../support/services/identity-provider.ts";
import { NOW } from "../../support/world/records.ts";
import { ORIGIN, signInAs, type Tab, tabOn } from "../../support/world/tab.ts";
import { makeWorld, type World } from "../../support/world/world.ts";

let provider: TestProvider;
let world: World;
let tab: Tab;

beforeAll(async () => {
  provider = await startTestProvider();
});

afterAll(() => provider.close());

beforeEach(() => {
  world = worldWith(provider.settings);
  tab = tabOn(world);
  provider.user = { email: "Ada@Example.com", email_verified: true };
  provider.change = undefined;
});

afterEach(() => world.close());

const worldWith = (settings: TestProvider["settings"], importAllowed: readonly string[] = []): World => {
  const made = makeWorld(NOW);
  Object.assign(made.context, { identity: identityProvider(settings, { importAllowed, clock: () => made.now }) });
  return made;
};

/** Starts a sign-in and signs in at the provider. @returns the body for `createOidcSession` */
const answered = async (): Promise<Record<string, string>> => {
  const started = await tab.ask("startOidcSignIn");
  expect(started.status).toBe(200);
  const { challenge_id, url } = started.body;
  const returned = await provider.visit(url);
  expect(`${returned.origin}${returned.pathname}`).toBe(`${ORIGIN}/sign-in`);
  return { challenge_id, ...Object.fromEntries(returned.searchParams) };
};

const finish = async (body: Record<string, string>, by = tab) => {
  const { status, body: reply } = await by.ask("createOidcSession", { body });
  return [status, reply.code ?? reply.account.email];
};

const refused = [422, "identity_refused"];

describe("sign-in with the identity provider", () => {
  it("signs in with the verified address: a new account, and the same one as by an emailed code", async () => {
    expect((await tab.ask("getSession")).body.offers).toMatchObject({ identity_provider: "Example ID", codes: true });
    const { status, body } = await tab.ask("createOidcSession", { body: await answered() });
    expect([status, body.account.email, body.session.by]).toEqual([201, "ada@example.com", "identity"]);
    expect((await tab.ask("getAccount")).body.id).toBe(body.account.id);
    expect(await signInAs(world, tabOn(world), "ada@example.com")).toBe(body.account.id);
  });

  it("sends a challenge for PKCE, a state and a nonce, and never a secret", async () => {
    const { url, challenge_id } = (await tab.ask("startOidcSignIn")).body;
    const query = Object.fromEntries(new URL(url).searchParams);
    expect(query).toMatchObject({
      client_id: "anyform",
      response_type: "code",
      scope: "openid email",
      code_challenge_method: "S256",
      redirect_uri: `${ORIGIN}/sign-in`,
    });
    expect(new Set([query.state, query.nonce, query.code_challenge, challenge_id]).size).toBe(4);
    expect(url).not.toContain(challenge_id);
  });

  it("accepts an answer once, only from the browser that started, with its state and within ten minutes", async () => {
    const first = await answered();
    expect(await finish({ ...first, state: "another-state" })).toEqual(refused);
    expect(await finish(first)).toEqual(refused);
    const [second, third] = [await answered(), await answered()];
    expect(await finish({ ...second, challenge_id: third.challenge_id ?? "" })).toEqual(refused);
    expect(await finish(second)).toEqual([201, "ada@example.com"]);
    expect(await finish(second)).toEqual(refused);
    const late = await answered();
    world.now += 10 * 60_000;
    expect(await finish(late)).toEqual(refused);
  });

  it("lets only one of several concurrent requests use an answer", async () => {
    const body = await answered();
    const replies = await Promise.all(Array.from({ length: 6 }, () => finish(body)));
    expect(replies.filter(([status]) => status === 201)).toHaveLength(1);
  });

  it.each([
    ["without an address", {}],
    ["with an unverified address", { email: "eve@example.com", email_verified: false }],
    ["with an address that does not say whether it is verified", { email: "eve@example.com" }],
    ["with an address that cannot receive mail", { email: "eve@exa mple.com", email_verified: true }],
  ])("refuses a user %s", async (_, user) => {
    provider.user = user;
    expect(await finish(await answered())).toEqual(refused);
    expect(await world.context.accounts.findByEmail("eve@example.com")).toBeUndefined();
  });

  it.each<[string, (claims: Record<string, unknown>) => object]>([
    ["another issuer", (claims) => ({ ...claims, iss: "https://other.example" })],
    ["another audience", (claims) => ({ ...claims, aud: "other" })],
    ["an expiry in the past", (claims) => ({ ...claims, exp: Number(claims.iat) - 3_600 })],
    ["another nonce", (claims) => ({ ...claims, nonce: "other" })],
    ["no change but a foreign signature", (claims) => claims],
  ])("refuses an ID token with %s", async (name, changed) => {
    const body = await answered();
    const own = generateKeyPairSync("rsa", { modulusLength: 2_048 });
    // With its key in the key set, only the claims are wrong; without it, only the signature is.
    const isForeign = name.includes("foreign");
    const jwk = { ...own.publicKey.export({ format: "jwk" }), kid: "test", use: "sig", alg: "RS256" };
    provider.change = (path, text) => {
      if (path === "/jwks") {
        return isForeign ? text : JSON.stringify({ keys: [jwk] });
      }
      return path === "/token" ? withToken(text, (claims) => signed(changed(claims), own.privateKey, isForeign)) : text;
    };
    expect(await finish(body)).toEqual(refused);
  });

  it("accepts a token that is signed by a new key of the provider", async () => {
    const body = await answered();
    const own = generateKeyPairSync("rsa", { modulusLength: 2_048 });
    const jwk = { ...own.publicKey.export({ format: "jwk" }), kid: "test", use: "sig", alg: "RS256" };
    provider.change = (path, text) =>
      path === "/jwks"
        ? JSON.stringify({ keys: [jwk] })
        : path === "/token"
          ? withToken(text, (claims) => signed(claims, own.privateKey, false))
          : text;
    expect(await finish(body)).toEqual([201, "ada@example.com"]);
  });

  it("refuses an unsigned ID token", async () => {
    const body = await answered();
    provider.change = (path, text) =>
      path === "/token" ? withToken(text, (claims) => `${encoded({ alg: "none" })}.${encoded(claims)}.`) : text;
    expect(await finish(body)).toEqual(refused);
  });
});

describe("the connection to the identity provider", () => {
  it("follows our address rules: only the issuer's host may be in a private network", async () => {
    const { port } = new URL(provider.settings.issuer);
    provider.change = (path, text) =>
      path.endsWith("openid-configuration") ? text.replaceAll(/127\.0\.0\.1(:\d+\/token)/g, "127.0.0.2$1") : text;
    const elsewhere = worldWith(provider.settings);
    tab = tabOn(elsewhere);
    expect(await finish(await answered())).toEqual([503, "temporarily_unavailable"]);
    await elsewhere.close();
    expect(port).not.toBe("");
  });

  it("reports a provider that cannot be reached or sends too much, and tries again with the next request", async () => {
    provider.change = () => "x".repeat(300_000);
    const other = worldWith(provider.settings);
    tab = tabOn(other);
    const failed = await tab.ask("startOidcSignIn");
    expect([failed.status, failed.body.code]).toEqual([503, "temporarily_unavailable"]);
    expect(failed.body.detail).toBe("The identity provider could not be reached.");
    provider.change = undefined;
    expect(await finish(await answered())).toEqual([201, "ada@example.com"]);
    await other.close();
  });

  it("is not offered without one; with codes turned off, none is sent", async () => {
    const { identity, ...context } = world.context;
    const without = tabOn({ ...world, context });
    expect((await without.ask("startOidcSignIn")).body.code).toBe("not_offered");
    const only = tabOn({ ...world, context: { ...world.context, signInCodes: false } });
    const reply = await only.ask("createSignInCode", { body: { email: "ada@example.com" } });
    expect([reply.body.code, world.mails.length]).toEqual(["not_offered", 0]);
    expect((await only.ask("getSession")).body.offers).toMatchObject({ identity_provider: "Example ID", codes: false });
  });
});

const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");

const withToken = (text: string, tokenOf: (claims: Record<string, unknown>) => string): string => {
  const tokens = JSON.parse(text);
  const claims = JSON.parse(Buffer.from(tokens.id_token.split(".")[1], "base64url").toString());
  return JSON.stringify({ ...tokens, id_token: tokenOf(claims) });
};

/** @param isForeign whether it names a key of the provider that did not sign it */
const signed = (claims: object, key: Parameters<typeof sign>[2], isForeign: boolean): string => {
  const content = `${encoded({ alg: "RS256", ...(!isForeign && { kid: "test" }) })}.${encoded(claims)}`;
  return `${content}.${sign("sha256", Buffer.from(content), key).toString("base64url")}`;
};
