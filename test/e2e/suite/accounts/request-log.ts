import { FormData } from "undici";
import { beforeAll, describe, expect, it } from "vitest";
import type { KeyListView, NewKeyView } from "../../../../functions/domain/accounts/key-views.ts";
import type { RequestDetailView, RequestView } from "../../../../functions/domain/requests/request-views.ts";
import { type AccountClient, fixture, keyOf, newAccount, type PageCall, pagesOf, type Target } from "../target.ts";

interface RequestList {
  readonly requests: readonly RequestView[];
  readonly next: string | null;
}

/** The log of an account's requests. */
export const requestLogSuite = (target: () => Target): void => {
  describe("the request log", () => {
    let account: AccountClient;
    let ask: PageCall;
    beforeAll(async () => {
      account = await newAccount(target(), 1_000);
      ask = await pagesOf(target(), account);
    });

    const list = async (query: string): Promise<RequestList> =>
      (await account.client.call<RequestList>(`/api/v1/requests?${query}`)).body;

    it("has each request with its status, job and sizes, and the body without secrets", async () => {
      const { job, bytes } = await account.client.turn(fixture("sample.png"), "jpg");
      const { requests } = await list(`job_id=${job.id}&limit=100`);
      const created = requests.find(({ operation }) => operation === "createJob");
      expect(created).toMatchObject({ method: "POST", path: "/api/v1/convert", error_code: null });
      expect([created?.status, created?.bytes_in]).toEqual([expect.any(Number), expect.any(Number)]);
      const { body } = await account.client.call<RequestDetailView>(`/api/v1/requests/${requests[0]?.id}`);
      expect(body.body).toContain(job.id);
      const all = await list("limit=100");
      const download = all.requests.find(({ operation }) => operation === "downloadResult");
      expect(download?.path).toBe("/api/v1/download/[redacted]");
      expect(download?.bytes_out).toBe(download?.status === 200 ? bytes.length : 0);
      for (const { id } of all.requests) {
        const { body: detail } = await account.client.call<RequestDetailView>(`/api/v1/requests/${id}`);
        expect(JSON.stringify(detail)).not.toContain(job.result?.download_token);
      }
    });

    it("has refused requests: with a revoked key, without a scope, with a wrong body", async () => {
      const made = await ask<NewKeyView>("/api/v1/keys", { method: "POST", json: { name: "lost" } });
      await ask(`/api/v1/keys/${made.body.id}`, { method: "DELETE" });
      const revoked = await target().client.withKey(made.body.key).call("/api/v1/account");
      const reader = await keyOf(target(), account, ["--scopes", "read"]);
      const form = new FormData();
      form.append("file", new File(["x"], "a.txt"));
      await reader.call("/api/v1/upload", { method: "POST", body: form });
      await account.client.convert({ target_format: "jpg" });
      const { requests } = await list("status_class=4xx");
      expect(requests.map(({ status, error_code, operation }) => [status, error_code, operation])).toEqual([
        [400, "invalid_request", "createJob"],
        [403, "forbidden_scope", "createUpload"],
        [401, "invalid_api_key", "getAccount"],
      ]);
      expect(requests[2]).toMatchObject({ key_id: made.body.id, request_id: revoked.headers.get("x-request-id") });
      const { requests: ofKey } = await list(`key_id=${made.body.id}`);
      expect(ofKey.map(({ id }) => id)).toEqual([requests[2]?.id]);
      const { requests: ofId } = await list(`request_id=${requests[0]?.request_id}`);
      expect(ofId.map(({ id }) => id)).toEqual([requests[0]?.id]);
      const { body } = await account.client.call<RequestDetailView>(`/api/v1/requests/${requests[0]?.id}`);
      expect(JSON.parse(body.body ?? "")).toMatchObject({ code: "invalid_request", request_id: body.request_id });
    });

    it("has what a session changed, but not what it read, and no key that was shown once", async () => {
      await ask<KeyListView>("/api/v1/keys");
      const { body: made } = await ask<NewKeyView>("/api/v1/keys", { method: "POST", json: { name: "new" } });
      const { requests } = await list("operation=createKey&limit=1");
      expect(requests[0]).toMatchObject({ key_id: null, status: 201 });
      const { body } = await account.client.call<RequestDetailView>(`/api/v1/requests/${requests[0]?.id}`);
      expect(body.body).toContain(made.id);
      expect(body.body).not.toContain(made.key);
      expect((await list("operation=listKeys")).requests).toEqual([]);
    });

    it("is not visible to other accounts", async () => {
      const { requests } = await list("limit=1");
      const stranger = await newAccount(target(), 10);
      const answer = await stranger.client.call(`/api/v1/requests/${requests[0]?.id}`);
      expect(answer.status).toBe(404);
      const { body } = await stranger.client.call<RequestList>("/api/v1/requests");
      expect(body.requests.map(({ operation }) => operation)).toEqual(["getRequest"]);
    });
  });
};
