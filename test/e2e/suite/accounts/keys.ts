import { statSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import type { PlanChoiceView, UseDetailsView, UseView } from "../../../../functions/domain/accounts/account-views.ts";
import type { KeyListView, NewKeyView } from "../../../../functions/domain/accounts/key-views.ts";
import type { OwnerView } from "../../../../functions/domain/sessions/session-views.ts";
import type { Problem } from "../../../support/services/client.ts";
import {
  type AccountClient,
  accountOn,
  fixture,
  newAccount,
  type PageCall,
  pagesOf,
  type Target,
  usedBy,
} from "../target.ts";

/** Keys, usage and plans, as on the dashboard. */
export const keySuite = (target: () => Target): void => {
  describe("the owner of an account", () => {
    let account: AccountClient;
    let ask: PageCall;
    beforeAll(async () => {
      account = await newAccount(target(), 1_000);
      ask = await pagesOf(target(), account);
    });

    const make = async (json: object) => {
      const made = await ask<NewKeyView>("/api/v1/keys", { method: "POST", json });
      expect(made.status).toBe(201);
      return made.body;
    };
    const statusWith = async (key: string) => {
      const { status, body } = await target().client.withKey(key).call<Partial<Problem>>("/api/v1/account");
      return [status, body.code];
    };

    it("creates a key that is valid immediately, and sees its last use and the usage", async () => {
      const started = Date.now();
      const { key, id } = await make({ name: "curl" });
      await target().client.withKey(key).turn(fixture("sample.png"), "jpg");
      const { body: list } = await ask<KeyListView>("/api/v1/keys");
      const used = list.keys.find((each) => each.id === id)?.last_used_at ?? "";
      expect(Date.parse(used)).toBeGreaterThan(started - 60_000);
      const { body: use } = await ask<UseView>("/api/v1/account/use");
      expect([use.used, use.limit]).toEqual([3, 1_000]);
      // The UTC day may end during the test.
      const sum = (kind: Exclude<keyof UseView["days"][number], "date">) =>
        use.days.reduce((total, day) => total + day[kind], 0);
      expect([sum("upload"), sum("convert"), sum("download")]).toEqual([1, 1, 1]);
      expect([sum("completed"), sum("failed"), sum("cancelled")]).toEqual([1, 0, 0]);
      const { body: details } = await ask<UseDetailsView>("/api/v1/account/use/details");
      expect(details.rows).toEqual([
        expect.objectContaining({
          key_id: id,
          source_format: "png",
          target_format: "jpg",
          status: "completed",
          jobs: 1,
        }),
      ]);
      expect(details.rows[0]?.bytes_in).toBe(statSync(fixture("sample.png")).size);
    });

    it("revokes a key, which is rejected from the next request", async () => {
      const { key, id } = await make({ name: "lost" });
      expect(await statusWith(key)).toEqual([200, undefined]);
      expect((await ask(`/api/v1/keys/${id}`, { method: "DELETE" })).status).toBe(204);
      expect(await statusWith(key)).toEqual([401, "invalid_api_key"]);
    });

    it("rotates a key with an overlap, or immediately", async () => {
      const old = await make({ name: "server" });
      const replace = (id: string, json: object) =>
        ask<NewKeyView>(`/api/v1/keys/${id}/rotate`, { method: "POST", json });
      const { body: next } = await replace(old.id, {});
      expect([await statusWith(old.key), await statusWith(next.key)]).toEqual([
        [200, undefined],
        [200, undefined],
      ]);
      const { body: last } = await replace(next.id, { overlap_hours: 0 });
      expect([await statusWith(next.key), await statusWith(last.key)]).toEqual([
        [401, "invalid_api_key"],
        [200, undefined],
      ]);
    });

    it("limits a key, whose requests count for the key and the account, also after a rotation", async () => {
      const own = await newAccount(target(), 100);
      const as = await pagesOf(target(), own);
      const send = (key: string) => target().client.withKey(key).upload(fixture("sample.png"));
      const json = { name: "limited", monthly_limit: 2 };
      const { body: key } = await as<NewKeyView>("/api/v1/keys", { method: "POST", json });
      expect((await send(key.key)).status).toBe(201);
      const { body: next } = await as<NewKeyView>(`/api/v1/keys/${key.id}/rotate`, { method: "POST", json: {} });
      const all = await Promise.all([send(key.key), send(next.key), send(next.key), send(key.key)]);
      expect(all.map(({ status }) => status).sort()).toEqual([201, 429, 429, 429]);
      const refused = await send(next.key);
      expect([refused.body.code, Number(refused.headers.get("retry-after")) > 0]).toEqual(["key_quota_exceeded", true]);
      expect(refused.body.detail).toContain("limit of 2 requests");
      expect((await send(own.api_key)).status).toBe(201);
      const listed = async () => (await as<KeyListView>("/api/v1/keys")).body.keys.find(({ id }) => id === next.id);
      expect(await listed()).toMatchObject({ monthly_limit: 2, used_this_month: 2, allowed_origins: null });
      expect(await usedBy(target(), own)).toBe(3);
      await as(`/api/v1/keys/${next.id}`, { method: "POST", json: { monthly_limit: 3 } });
      expect([(await send(next.key)).status, (await send(next.key)).status]).toEqual([201, 429]);
      await as(`/api/v1/keys/${next.id}`, { method: "POST", json: { monthly_limit: null } });
      expect((await send(next.key)).status).toBe(201);
      expect(await listed()).toMatchObject({ monthly_limit: null, used_this_month: null });
    });

    it("allows a key to pages of some origins only", async () => {
      const { key, id } = await make({ name: "page", allowed_origins: ["https://app.example"] });
      const get = async (headers: Record<string, string>) => {
        const reply = await target().client.withKey(key).call<Partial<Problem>>("/api/v1/account", { headers });
        return [reply.status, reply.body.code, reply.headers.get("access-control-allow-origin")];
      };
      const allowed = "https://app.example";
      expect(await get({ origin: allowed })).toEqual([200, undefined, allowed]);
      expect(await get({})).toEqual([200, undefined, "*"]);
      expect(await get({ origin: "https://app.example.org" })).toEqual([
        403,
        "forbidden_origin",
        "https://app.example.org",
      ]);
      expect(await get({ origin: "null" })).toEqual([403, "forbidden_origin", "null"]);
      const wrong = await ask<Problem>(`/api/v1/keys/${id}`, {
        method: "POST",
        json: { allowed_origins: ["https://app.example/path"] },
      });
      expect([wrong.status, wrong.body.errors?.[0]?.pointer]).toEqual([400, "/allowed_origins/0"]);
      await ask(`/api/v1/keys/${id}`, { method: "POST", json: { allowed_origins: null } });
      expect(await get({ origin: "https://other.example" })).toEqual([200, undefined, "*"]);
    });

    it("cannot find or change keys of another account", async () => {
      const { key, id } = await make({ name: "mine" });
      const stranger = await pagesOf(target(), await newAccount(target(), 10));
      const tries = [
        await stranger<Problem>(`/api/v1/keys/${id}`, { method: "DELETE" }),
        await stranger<Problem>(`/api/v1/keys/${id}/rotate`, { method: "POST", json: {} }),
        await ask<Problem>("/api/v1/keys/key_none", { method: "DELETE" }),
        await stranger<Problem>(`/api/v1/keys/${id}`, { method: "POST", json: { monthly_limit: null } }),
      ];
      expect(tries.map(({ status, body }) => [status, body.code])).toEqual(Array(4).fill([404, "not_found"]));
      const { body } = await stranger<KeyListView>("/api/v1/keys");
      expect(body.keys.map(({ name }) => name)).toEqual(["default"]);
      expect(await statusWith(key)).toEqual([200, undefined]);
    });

    it("can manage keys and the plan only with a session, not with an API key", async () => {
      for (const [method, path] of [
        ["GET", "/api/v1/keys"],
        ["POST", "/api/v1/keys"],
        ["POST", "/api/v1/session/plan"],
        ["POST", "/api/v1/session/account"],
      ] as const) {
        const { status, body } = await account.client.call<Problem>(path, { method });
        expect([path, status, body.code]).toEqual([path, 401, "missing_session"]);
      }
    });

    it("sees usage for two years back, and no future months", async () => {
      const empty = await ask<UseView>("/api/v1/account/use?month=2025-02");
      expect([empty.status, empty.body.used, empty.body.days.length]).toEqual([200, 0, 28]);
      const { status, body } = await ask<Problem>("/api/v1/account/use?month=2999-01");
      expect([status, body.code]).toEqual([400, "invalid_request"]);
    });

    it("requests a plan, which the operator approves", async () => {
      const free = await accountOn(target(), ["--plan", "free"]);
      const page = await pagesOf(target(), free);
      const picked = await page<PlanChoiceView>("/api/v1/session/plan", { method: "POST", json: { plan: "api" } });
      expect([picked.status, picked.body]).toEqual([200, { status: "requested", url: null }]);
      const approved = await target().accounts(["approve", "--account", free.account_id]);
      expect(approved).toMatchObject({ plan: "api", requests_per_month: 5_000 });
      const changed = await page<OwnerView>("/api/v1/session/account", {
        method: "POST",
        json: { retention_hours: 1 },
      });
      expect(changed.body).toMatchObject({ plan: "api", plan_picked: true, requested_plan: null, retention_hours: 1 });
    });
  });
};
