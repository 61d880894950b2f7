import { readFile } from "node:fs/promises";
import { type ClientRequest, type IncomingMessage, request } from "node:http";
import { text } from "node:stream/consumers";
import { FormData } from "undici";
import { describe, expect, it } from "vitest";
import type { UploadView } from "../../../functions/domain/uploads/upload-views.ts";
import type { Problem } from "../../support/services/client.ts";
import { announce } from "./direct.ts";
import { fixture, newAccount, type Target, usedBy } from "./target.ts";

/** A request repeated with its `Idempotency-Key` is executed once. */
export const idempotencySuite = (target: () => Target): void => {
  const key = () => ({ "idempotency-key": crypto.randomUUID() });
  const upload = async (headers: Record<string, string>, name = "a.png", client = target().client) => {
    const form = new FormData();
    form.set("file", new File([Uint8Array.from(await readFile(fixture("sample.png")))], name));
    return client.call<UploadView & Problem>("/api/v1/upload", { method: "POST", headers, body: form });
  };

  describe("an upload with an idempotency key", () => {
    it("is replayed when it is sent again, with a header, and counted once", async () => {
      const account = await newAccount(target(), 10);
      const headers = key();
      const first = await upload(headers, "a.png", account.client);
      const again = await upload(headers, "a.png", account.client);
      expect([first.status, again.status]).toEqual([201, 201]);
      expect(again.body).toEqual(first.body);
      expect([first, again].map((reply) => reply.headers.get("idempotent-replayed"))).toEqual([null, "true"]);
      expect(await usedBy(target(), account)).toBe(1);
    });

    it("is rejected with another file, name or declaration", async () => {
      const [form, json] = [key(), key()];
      await upload(form);
      const other = await upload(form, "b.png");
      expect([other.status, other.body.code]).toEqual([422, "idempotency_mismatch"]);
      await announce(target().client, { filename: "a.png", size: 10 }, json);
      const larger = await announce(target().client, { filename: "a.png", size: 11 }, json);
      expect([larger.status, larger.body.code]).toEqual([422, "idempotency_mismatch"]);
    });

    it("is bound to its account and operation", async () => {
      const headers = key();
      const first = await upload(headers);
      const other = await upload(headers, "a.png", (await newAccount(target(), 10)).client);
      expect([other.status, other.headers.get("idempotent-replayed")]).toEqual([201, null]);
      const job = await target().client.convert({ upload_id: first.body.upload_id, target_format: "jpg" }, headers);
      expect([job.status, job.headers.get("idempotent-replayed")]).toEqual([202, null]);
    });

    it("is created once by concurrent requests", async () => {
      const account = await newAccount(target(), 50);
      const headers = key();
      const body = { filename: "a.png", size: 150_000_000 };
      const replies = await Promise.all(Array.from({ length: 12 }, () => announce(account.client, body, headers)));
      const ids = replies.flatMap(({ status, body: view }) => (status === 201 ? [view.upload_id] : []));
      const codes = replies.flatMap(({ status, body: problem }) => (status === 201 ? [] : [problem.code]));
      expect(new Set(ids).size).toBe(1);
      expect(codes).toEqual(codes.map(() => "idempotency_conflict"));
      expect(await usedBy(target(), account)).toBe(1);
    });

    it("is rejected while the first is in progress, and replayed afterwards", async () => {
      const headers = key();
      if (!target().streams) {
        // Requests reach the service only when they are complete: the first is in progress only for milliseconds.
        const replies = await Promise.all([upload(headers), upload(headers), upload(headers)]);
        const created = replies.filter(({ status }) => status === 201);
        const refusals = replies.filter((reply) => !created.includes(reply)).map(({ body }) => body.code);
        expect(new Set(created.map(({ body }) => body.upload_id)).size).toBe(1);
        expect(refusals).toEqual(refusals.map(() => "idempotency_conflict"));
        return;
      }
      const png = await readFile(fixture("sample.png"));
      const slow = [slowUpload(target(), headers), slowUpload(target(), headers)];
      const refused = await Promise.race(slow.map(async ({ answer }, index) => ({ index, ...(await answer) })));
      expect([refused.status, refused.body.code, refused.retryAfter]).toEqual([409, "idempotency_conflict", "1"]);
      const first = slow[1 - refused.index];
      first?.request.end(Buffer.concat([png, Buffer.from("\r\n--b--\r\n")]));
      const taken = await first?.answer;
      expect(taken?.status).toBe(201);
      const again = await upload(headers);
      expect([again.status, again.body.upload_id]).toEqual([201, taken?.body.upload_id]);
      slow[refused.index]?.request.destroy();
    });

    it("can be used again if its request was rejected", async () => {
      const headers = key();
      const reply = await announce(target().client, { filename: "a.png", size: 0 }, headers);
      expect(reply.status).toBe(400);
      expect((await announce(target().client, { filename: "a.png", size: 10 }, headers)).status).toBe(201);
    });
  });

  describe("an idempotency key", () => {
    it("that is empty or too long is rejected", async () => {
      const wrong = await upload({ "idempotency-key": "k".repeat(256) });
      expect([wrong.status, wrong.body.code]).toEqual([400, "invalid_request"]);
    });

    it("creates one job for twenty concurrent requests", async () => {
      const account = await newAccount(target(), 50);
      const { body } = await upload({}, "a.png", account.client);
      const headers = key();
      const wanted = { upload_id: body.upload_id, target_format: "webp" };
      const replies = await Promise.all(Array.from({ length: 20 }, () => account.client.convert(wanted, headers)));
      expect(new Set(replies.map(({ body: job }) => job.id)).size).toBe(1);
      expect(replies.filter((reply) => reply.headers.get("idempotent-replayed") === null)).toHaveLength(1);
      expect(await usedBy(target(), account)).toBe(2);
    });

    it("creates each conversion of a batch once", async () => {
      const account = await newAccount(target(), 50);
      const { body } = await upload({}, "a.png", account.client);
      const conversions = ["jpg", "webp"].map((target_format) => ({ upload_id: body.upload_id, target_format }));
      const headers = { ...key(), "content-type": "application/json" };
      const call = { method: "POST", headers, body: JSON.stringify({ conversions }) } as const;
      const ids = async () =>
        (await account.client.call<{ items: { job: { id: string } }[] }>("/api/v1/convert/batch", call)).body.items.map(
          ({ job }) => job.id,
        );
      expect(await ids()).toEqual(await ids());
      expect(await usedBy(target(), account)).toBe(3);
    });
  });
};

interface SlowAnswer {
  readonly status: number;
  readonly retryAfter: string | undefined;
  readonly body: { readonly code?: string; readonly upload_id?: string };
}

/** Starts an upload. The test sends the rest of its body. */
export const slowUpload = ({ client, account }: Target, headers: Record<string, string>) => {
  const own = { authorization: `Bearer ${account.api_key}`, "content-type": "multipart/form-data; boundary=b" };
  const url = new URL("/api/v1/upload", client.url);
  const sent: ClientRequest = request(url, { method: "POST", headers: { ...own, ...headers } });
  const answer = new Promise<SlowAnswer>((resolve, reject) => {
    sent.once("error", reject);
    sent.once("response", async (response: IncomingMessage) => {
      const body = JSON.parse(await text(response));
      resolve({ status: response.statusCode ?? 0, retryAfter: response.headers["retry-after"], body });
    });
  });
  sent.write('--b\r\ncontent-disposition: form-data; name="file"; filename="a.png"\r\n\r\n');
  return { request: sent, answer };
};
