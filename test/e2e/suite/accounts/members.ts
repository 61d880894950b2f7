import { describe, expect, it } from "vitest";
import type { AccountListView, MemberListView } from "../../../../functions/domain/accounts/member-views.ts";
import type { SessionView } from "../../../../functions/domain/sessions/session-views.ts";
import type { Problem } from "../../../support/services/client.ts";
import { memberOn, newAccount, pagesOf, type Target } from "../target.ts";

/** Members of an account on the adapters of each target; test/api/account/members.test.ts has all rules. */
export const memberSuite = (target: () => Target): void => {
  describe("members", () => {
    it("sign in to the account, may do what their role permits, and are signed out when they are removed", async () => {
      const account = await newAccount(target(), 100);
      const owner = await pagesOf(target(), account);
      const { id, email, headers } = await memberOn(target(), "billing", account);
      const client = target().client.withKey(undefined);
      const call = async (path: string, method: "GET" | "POST" = "GET") => {
        const { status, body } = await client.call<Partial<Problem>>(`/api/v1/${path}`, { method, headers });
        return [status, body?.code];
      };
      const session = await client.call<SessionView>("/api/v1/session", { headers });
      expect(session.body.account?.id).toBe(account.account_id);
      expect(session.body.session).toMatchObject({ email, role: "billing", member_id: id });
      expect(await call("account")).toEqual([200, undefined]);
      expect(await call("keys")).toEqual([403, "forbidden_role"]);
      const path = `/api/v1/session/members/${id}`;
      const changed = await owner<MemberListView>(path, { method: "POST", json: { role: "developer" } });
      expect(changed.body.members.map(({ role }) => role)).toEqual(["owner", "developer"]);
      expect(await call("keys")).toEqual([200, undefined]);
      expect((await owner(path, { method: "DELETE" })).status).toBe(204);
      expect(await call("account")).toEqual([401, "missing_session"]);
    });

    it("are invited by email, join once, and switch between their accounts", async () => {
      const account = await newAccount(target(), 100);
      const owner = await pagesOf(target(), account);
      const guest = await memberOn(target(), "developer");
      const json = { email: guest.email, role: "billing" };
      const sent = await owner<MemberListView>("/api/v1/session/members", { method: "POST", json });
      expect([sent.status, sent.body.invitations.length]).toEqual([201, 1]);
      const code = await target().invitationFor(guest.email);
      const client = target().client.withKey(undefined);
      const accept = () =>
        client.call<SessionView & Problem>("/api/v1/session/invitation", {
          method: "POST",
          headers: guest.headers,
          body: JSON.stringify({ code }),
        });
      const replies = await Promise.all([accept(), accept(), accept()]);
      const joined = replies.filter(({ status }) => status === 201);
      expect(joined.map(({ body }) => body.account?.id)).toEqual([account.account_id]);
      const cookie = joined[0]?.headers.get("set-cookie")?.split(";")[0] ?? "";
      const headers = { ...guest.headers, cookie };
      const own = await client.call<AccountListView>("/api/v1/session/accounts", { headers });
      expect(own.body.accounts.map(({ role }) => role).sort()).toEqual(["billing", "developer"]);
      const other = target().account.account_id;
      const call = { method: "POST", headers } as const;
      const switched = await client.call<SessionView>(`/api/v1/session/accounts/${other}`, call);
      expect([switched.status, switched.body.account?.id, switched.body.session?.role]).toEqual([
        201,
        other,
        "developer",
      ]);
      expect((await client.call("/api/v1/account", { headers })).status).toBe(401);
    });
  });
};
