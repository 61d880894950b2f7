import { beforeAll, describe, expect, it } from "vitest";
import type {
  ChallengeView,
  DeviceListView,
  PasskeyView,
  SessionView,
} from "../../../../functions/domain/sessions/session-views.ts";
import { authenticator, type CreationOptions, type RequestOptions } from "../../../support/browser/authenticator.ts";
import { type ApiClient, apiClient, type Problem, type Reply } from "../../../support/services/client.ts";
import type { Target } from "../target.ts";

/** Number of wrong codes that are sent; none may sign in. */
const WRONG_CODES = 1_000;
const AT_ONCE = 20;

type Headers = Record<string, string>;

/** Signing in and out, like the dashboard. */
export const signInSuite = (target: () => Target): void => {
  describe("signing in", () => {
    let client: ApiClient;
    let origin: string;
    beforeAll(async () => {
      // Passkeys are bound to a host name.
      client = await apiClient(target().client.url.replace("//127.0.0.1:", "//localhost:"));
      origin = new URL(client.url).origin;
    });

    const post = <Body>(path: string, json: unknown, headers: Headers = {}) =>
      client.call<Body>(path, {
        method: "POST",
        headers: { "content-type": "application/json", "sec-fetch-site": "same-origin", ...headers },
        body: JSON.stringify(json),
      });
    const addressOf = (name: string) => `${name}-${crypto.randomUUID()}@example.com`;
    const codeFor = async (email: string) => {
      const { status, body } = await post<ChallengeView>("/api/v1/session/code", { email });
      expect(status).toBe(202);
      return { challenge_id: body.challenge_id, code: await target().codeFor(email) };
    };
    const cookieOf = ({ headers }: Reply<unknown>): Headers => ({
      cookie: headers.get("set-cookie")?.split(";")[0] ?? "",
    });
    const signIn = async (email = addressOf("somebody")) => {
      const answer = await codeFor(email);
      const reply = await post<SessionView>("/api/v1/session", answer);
      expect(reply.status).toBe(201);
      return { answer, cookie: cookieOf(reply), view: reply.body };
    };
    const devicesOf = async (cookie: Headers) =>
      (await client.call<DeviceListView & Problem>("/api/v1/session/devices", { headers: cookie })).body;
    const end = (id: string, cookie: Headers) =>
      client.call<Problem | undefined>(`/api/v1/session/devices/${id}`, {
        method: "DELETE",
        headers: { "sec-fetch-site": "same-origin", ...cookie },
      });
    const accountStatus = async (cookie: Headers) => {
      const { status, body } = await client.call<Partial<Problem>>("/api/v1/account", { headers: cookie });
      return [status, body.code];
    };

    it("accepts a code once and creates an account, whose requests use the cookie", async () => {
      const email = addressOf("new");
      const { answer, cookie, view } = await signIn(email);
      expect(view.account).toMatchObject({ email, plan: "free", plan_picked: false });
      expect(await accountStatus(cookie)).toEqual([200, undefined]);
      const again = await post<Problem>("/api/v1/session", answer);
      expect([again.status, again.body.code, again.headers.get("set-cookie")]).toEqual([422, "wrong_code", null]);
      expect((await signIn(email)).view.account?.id).toBe(view.account?.id);
    });

    it("ends sessions immediately, here and elsewhere, and finds none of another account", async () => {
      const email = addressOf("owner");
      const [one, other, stranger] = [await signIn(email), await signIn(email), await signIn()];
      const id = one.view.session?.id ?? "";
      expect((await devicesOf(other.cookie)).sessions.map((each) => each.id)).toContain(id);
      const foreign = await end(id, stranger.cookie);
      expect([foreign.status, foreign.body?.code]).toEqual([404, "not_found"]);
      expect(await accountStatus(one.cookie)).toEqual([200, undefined]);
      expect((await end(id, other.cookie)).status).toBe(204);
      expect(await accountStatus(one.cookie)).toEqual([401, "missing_session"]);
      const out = await client.call("/api/v1/session", {
        method: "DELETE",
        headers: { "sec-fetch-site": "same-origin", ...other.cookie },
      });
      expect([out.status, out.headers.get("set-cookie")]).toEqual([204, expect.stringContaining("Max-Age=0")]);
      expect(await accountStatus(other.cookie)).toEqual([401, "missing_session"]);
    });

    it("rejects cookies in cross-site requests", async () => {
      const { cookie } = await signIn();
      const headers = { ...cookie, "sec-fetch-site": "cross-site" };
      const refused = await post<Problem>("/api/v1/upload", { filename: "a.png", size: 10 }, headers);
      expect([refused.status, refused.body.code]).toEqual([403, "cross_site"]);
      expect((await post("/api/v1/upload", { filename: "a.png", size: 10 }, cookie)).status).toBe(201);
    });

    it("accepts a passkey, which another account cannot delete", async () => {
      const [{ cookie, view }, stranger] = [await signIn(), await signIn()];
      const device = authenticator(origin);
      const begun = await post<{ challenge_id: string; options: CreationOptions }>(
        "/api/v1/session/passkeys/options",
        {},
        cookie,
      );
      const { challenge_id, options } = begun.body;
      const made = { challenge_id, name: "Laptop", credential: device.create(options) };
      const added = await post<PasskeyView>("/api/v1/session/passkeys", made, cookie);
      expect(added.status).toBe(201);
      const removed = await client.call<Problem>(`/api/v1/session/passkeys/${added.body.id}`, {
        method: "DELETE",
        headers: { "sec-fetch-site": "same-origin", ...stranger.cookie },
      });
      expect([removed.status, removed.body.code]).toEqual([404, "not_found"]);
      const asked = await post<{ challenge_id: string; options: RequestOptions }>(
        "/api/v1/session/passkey/options",
        {},
      );
      const answer = { challenge_id: asked.body.challenge_id, credential: device.get(asked.body.options) };
      const entered = await post<SessionView>("/api/v1/session/passkey", answer);
      expect([entered.status, entered.body.account?.id]).toEqual([201, view.account?.id]);
      const replayed = await post<Problem>("/api/v1/session/passkey", answer);
      expect([replayed.status, replayed.body.code]).toEqual([422, "passkey_refused"]);
    });

    it("signs in with the identity provider, in the account of the address that it verified, once per answer", async () => {
      const { identity } = target();
      if (identity === undefined) {
        throw new Error("The target has no identity provider.");
      }
      const email = addressOf("identity");
      const { view } = await signIn(email);
      identity.user = { email, email_verified: true };
      const started = await post<{ challenge_id: string; url: string }>("/api/v1/session/oidc/options", {});
      const returned = await identity.visit(started.body.url);
      expect(`${returned.origin}${returned.pathname}`).toBe(`${origin}/sign-in`);
      const answer = { challenge_id: started.body.challenge_id, ...Object.fromEntries(returned.searchParams) };
      const entered = await post<SessionView>("/api/v1/session/oidc", answer);
      expect([entered.status, entered.body.account?.id, entered.body.session?.by]).toEqual([
        201,
        view.account?.id,
        "identity",
      ]);
      expect(await accountStatus(cookieOf(entered))).toEqual([200, undefined]);
      const replayed = await post<Problem>("/api/v1/session/oidc", answer);
      expect([replayed.status, replayed.body.code]).toEqual([422, "identity_refused"]);
    });

    it("does not reveal whether an address has an account", async () => {
      const known = addressOf("known");
      await signIn(known);
      const replies = await Promise.all(
        [known, addressOf("unknown")].map((email) => post<ChallengeView>("/api/v1/session/code", { email })),
      );
      const [one, other] = replies.map(({ status, headers, body }) => [
        status,
        [...headers.keys()].sort(),
        Object.keys(body).sort(),
      ]);
      expect(one).toEqual(other);
    });

    // Runs last, because it uses up the attempts of this network.
    it("rejects a thousand wrong codes, whatever client address they claim", async () => {
      const { challenge_id, code } = await codeFor(addressOf("victim"));
      const body = JSON.stringify({ challenge_id, code: code === "123456" ? "654321" : "123456" });
      const statuses = new Set<number>();
      for (let sent = 0; sent < WRONG_CODES; sent += AT_ONCE) {
        const replies = await Promise.all(
          Array.from({ length: AT_ONCE }, (_, index) =>
            client.anyAnswer("/api/v1/session", {
              method: "POST",
              headers: {
                "content-type": "application/json",
                "sec-fetch-site": "same-origin",
                "x-forwarded-for": `10.0.${sent % 250}.${index}`,
              },
              body,
            }),
          ),
        );
        expect(replies.filter(({ headers }) => headers.has("set-cookie"))).toEqual([]);
        for (const { status } of replies) {
          statuses.add(status);
        }
      }
      expect([...statuses].sort()).toEqual([422, 429]);
      const late = await post<Problem>("/api/v1/session", { challenge_id, code });
      expect([late.status, late.body.code]).toEqual([429, "rate_limited"]);
    });
  });
};
