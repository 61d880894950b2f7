import { readFile } from "node:fs/promises";
import sharp from "sharp";
import { FormData, fetch, type Response } from "undici";
import { beforeAll, describe, expect, it } from "vitest";
import type { JobView } from "../../../functions/domain/jobs/job-views.ts";
import type { ApiClient, Problem } from "../../support/services/client.ts";
import { type AccountClient, fixture, keyOf, newAccount, type Target, usedBy } from "./target.ts";

type Part = readonly [string, string | File];

/** A conversion whose request contains the file and whose response is the result. */
export const oneCallSuite = (target: () => Target): void => {
  describe("a conversion in one call", () => {
    let account: AccountClient;
    let key: string;
    let png: Buffer;
    beforeAll(async () => {
      account = await newAccount(target(), 1_000);
      key = account.api_key;
      png = await readFile(fixture("sample.png"));
    });

    const file = (name: string, bytes: Uint8Array): File => new File([Uint8Array.from(bytes)], name);
    const formOf = (parts: readonly Part[]): FormData => {
      const form = new FormData();
      for (const [name, value] of parts) {
        form.append(name, value);
      }
      return form;
    };
    const raw = (path: string, init: NonNullable<Parameters<typeof fetch>[1]>, apiKey = key): Promise<Response> =>
      fetch(new URL(path, target().client.url), {
        method: "POST",
        ...init,
        headers: { authorization: `Bearer ${apiKey}`, ...(init.headers as Record<string, string>) },
      });
    const post = (parts: readonly Part[], headers: Record<string, string> = {}, apiKey = key) =>
      raw("/api/v1/convert", { body: formOf(parts), headers }, apiKey);
    /** The same with the response checked against the OpenAPI document. */
    const checked = <Body>(
      parts: readonly Part[],
      headers: Record<string, string> = {},
      client: ApiClient = account.client,
    ) => client.call<Body & Problem>("/api/v1/convert", { method: "POST", body: formOf(parts), headers });
    const bytesOf = async (response: Response) => Buffer.from(await response.arrayBuffer());
    const photo = (): Part => ["file", file("photo.png", png)];

    it("returns the file with its name, size, version and job for a form, and counts one request", async () => {
      const before = await usedBy(target(), account);
      const response = await post([["target_format", "jpg"], photo(), ["name", "x"], ["relativePath", "null"]]);
      const bytes = await bytesOf(response);
      expect([response.status, (await sharp(bytes).metadata()).format]).toEqual([200, "jpeg"]);
      const jobId = response.headers.get("x-job-id") ?? "";
      const job = (await account.client.call<JobView>(`/api/v1/convert/${jobId}/status`)).body;
      expect(Object.fromEntries(response.headers)).toMatchObject({
        "content-type": "image/jpeg",
        "content-length": String(bytes.length),
        "content-disposition": `attachment; filename="photo.jpg"; filename*=UTF-8''photo.jpg`,
        etag: `"${job.result?.sha256}"`,
        location: `/api/v1/convert/${jobId}/status`,
        "x-job-url": `${target().client.url}/api/v1/convert/${jobId}/status`,
      });
      expect(await usedBy(target(), account)).toBe(before + 1);
      expect((await checked([photo(), ["target_format", "jpg"]])).status).toBe(200);
    });

    it.each(["POST", "PUT"])("returns the file for a body that is the file itself, sent by %s", async (method) => {
      const path = "/api/v1/convert?target_format=jpg&options%5Bwidth%5D=20&source_filename=a.png";
      const response = await raw(path, { method, body: png, headers: { "content-type": "application/x-unknown" } });
      const { format, width } = await sharp(await bytesOf(response)).metadata();
      expect([response.status, format, width]).toEqual([200, "jpeg", 20]);
      expect(response.headers.get("content-disposition")).toContain('filename="a.jpg"');
      const named = { "content-disposition": `attachment; filename="b.png"` };
      const other = await raw("/api/v1/convert?target_format=jpg", { method, body: png, headers: named });
      expect([other.status, other.headers.get("content-disposition")]).toEqual([
        200,
        expect.stringContaining('filename="b.jpg"'),
      ]);
      await other.arrayBuffer();
    });

    it("returns the job if the client prefers JSON, and the file if it also accepts that", async () => {
      const parts = [photo(), ["target_format", "jpg"]] as const;
      const json = await checked<JobView>(parts, { accept: "application/json" });
      expect([json.status, json.body.status, json.body.result?.filename]).toEqual([200, "completed", "photo.jpg"]);
      const any = await post(parts, { accept: "application/json, text/plain, */*" });
      expect([any.status, any.headers.get("content-type")]).toEqual([200, "image/jpeg"]);
      await any.arrayBuffer();
    });

    it("merges several files in their order", async () => {
      const small = await sharp({ create: { width: 20, height: 10, channels: 3, background: "red" } })
        .png()
        .toBuffer();
      const response = await post([photo(), ["target_format", "pdf"], ["file", file("b.png", small)]]);
      const pdf = (await bytesOf(response)).toString("latin1");
      expect([response.status, response.headers.get("content-type")]).toEqual([200, "application/pdf"]);
      expect(pdf.startsWith("%PDF-")).toBe(true);
      const job = (await account.client.call<JobView>(new URL(response.headers.get("x-job-url") ?? "").pathname)).body;
      expect(job).toMatchObject({ source_format: "png", target_format: "pdf" });
    });

    it("takes options in three spellings", async () => {
      for (const option of [
        ["options", '{"width":16}'],
        ["options[width]", "16"],
        ["width", "16"],
      ] as const) {
        const { body } = await checked<JobView>([photo(), ["target_format", "jpg"], option], {
          accept: "application/json",
        });
        expect([body.status, body.options]).toEqual(["completed", { width: 16 }]);
      }
    });

    it("reports a failed job as a problem with its code and the job's ID", async () => {
      const broken = file("broken.png", png.subarray(0, 150));
      const { status, body } = await checked<object>([
        ["file", broken],
        ["target_format", "webp"],
      ]);
      expect(body).toMatchObject({
        status: 422,
        code: "source_corrupt",
        title: "Corrupt or incomplete file",
        retryable: false,
        job_id: expect.stringMatching(/^job_/),
      });
      expect(status).toBe(422);
    });

    it("returns 202 with the job when the wait ends first", async () => {
      const response = await account.client.call<JobView>("/api/v1/convert?wait=0", {
        method: "POST",
        body: formOf([photo(), ["target_format", "jpg"]]),
      });
      expect([response.status, response.headers.get("retry-after")]).toEqual([202, "1"]);
      expect(response.headers.get("content-type")).toBe("application/vnd.anyform.job+json");
      expect(response.headers.get("location")).toBe(`/api/v1/convert/${response.body.id}/status`);
      const ended = await account.client.call<JobView>(`/api/v1/convert/${response.body.id}/status?wait=25`);
      expect(ended.status).toBe(200);
    });

    it("returns the same file for the same Idempotency-Key, counts once, and keeps one upload", async () => {
      const before = await usedBy(target(), account);
      const headers = { "idempotency-key": crypto.randomUUID() };
      const parts = [photo(), ["target_format", "jpg"]] as const;
      const [first, again] = [await post(parts, headers), await post(parts, headers)];
      expect([first.status, again.status]).toEqual([200, 200]);
      expect((await bytesOf(first)).equals(await bytesOf(again))).toBe(true);
      expect(again.headers.get("x-job-id")).toBe(first.headers.get("x-job-id"));
      expect([first, again].map((each) => each.headers.get("idempotent-replayed"))).toEqual([null, "true"]);
      expect(await usedBy(target(), account)).toBe(before + 1);
      const other = await checked<object>([photo(), ["target_format", "webp"]], headers);
      expect([other.status, other.body.code]).toEqual([422, "idempotency_mismatch"]);
      expect(await usedBy(target(), account)).toBe(before + 1);
    });

    it("rejects what it cannot convert, and counts nothing", async () => {
      const before = await usedBy(target(), account);
      const codeOf = async (...parts: Part[]) => {
        const { status, body } = await checked<object>(parts);
        return [status, body.code];
      };
      expect(await codeOf(photo())).toEqual([400, "invalid_request"]);
      expect(await codeOf(["target_format", "jpg"])).toEqual([400, "invalid_request"]);
      expect(await codeOf(photo(), ["target_format", "mp3"])).toEqual([422, "unsupported_conversion"]);
      expect(await codeOf(photo(), ["target_format", "jpg"], ["quality", "101"])).toEqual([422, "invalid_options"]);
      expect(await codeOf(photo(), ["target_format", "jpg"], ["options[qualty]", "1"])).toEqual([
        422,
        "invalid_options",
      ]);
      const noise = Uint8Array.from({ length: 300 }, (_, index) => (index * 151) % 256);
      expect(await codeOf(["file", file("a.png", noise)], ["target_format", "jpg"])).toEqual([
        422,
        "unrecognized_format",
      ]);
      const compressed = await raw("/api/v1/convert?target_format=jpg", {
        body: png,
        headers: { "content-encoding": "gzip" },
      });
      expect(compressed.status).toBe(415);
      await compressed.arrayBuffer();
      expect(await usedBy(target(), account)).toBe(before);
    });

    it("is refused when the quota is used up, and the result can still be downloaded", async () => {
      const limited = await newAccount(target(), 1);
      const parts = [photo(), ["target_format", "jpg"]] as const;
      const first = await checked<JobView>(parts, { accept: "application/json" }, limited.client);
      expect(first.status).toBe(200);
      const second = await checked<object>(parts, {}, limited.client);
      expect([second.status, second.body.code, second.body.retryable]).toEqual([429, "quota_exceeded", false]);
      const { bytes } = await limited.client.download(first.body.result?.download_token ?? "");
      expect(bytes.length).toBe(first.body.result?.size);
      expect(await usedBy(target(), limited)).toBe(1);
    });

    it("needs a key with the scope `convert` only", async () => {
      const client = await keyOf(target(), account, ["--scopes", "convert"]);
      expect((await checked([photo(), ["target_format", "jpg"]], {}, client)).status).toBe(200);
      const other = await keyOf(target(), account, ["--scopes", "upload,read,download"]);
      expect((await checked([photo(), ["target_format", "jpg"]], {}, other)).status).toBe(403);
    });

    it("converts with a test key for free, up to 1 MB, and simulates errors by filename", async () => {
      const before = await usedBy(target(), account);
      const client = await keyOf(target(), account, ["--test"]);
      expect((await checked([photo(), ["target_format", "jpg"]], {}, client)).status).toBe(200);
      const over: Part = ["file", file("a.txt", Buffer.alloc(1_000_001, "x"))];
      const large = await checked<object>([over, ["target_format", "pdf"]], {}, client);
      expect([large.status, large.body.code]).toEqual([413, "payload_too_large"]);
      const simulated = async (name: string) => {
        const { status, body } = await checked<object>(
          [
            ["file", file(name, png)],
            ["target_format", "jpg"],
          ],
          {},
          client,
        );
        return [status, body.code];
      };
      expect(await simulated("fail-timed_out.png")).toEqual([503, "timed_out"]);
      expect(await simulated("fail-payload_too_large.png")).toEqual([413, "payload_too_large"]);
      expect(await usedBy(target(), account)).toBe(before);
    });
  });
};
