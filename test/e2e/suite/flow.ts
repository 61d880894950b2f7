import { createHash } from "node:crypto";
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import type { DownloadView } from "../../../functions/domain/jobs/job-views.ts";
import { endOf, fixture, type Target } from "./target.ts";

/** The main flow: upload, convert, download. */
export const flowSuite = (target: () => Target): void => {
  describe("a conversion from end to end", () => {
    it("converts a photo to a WebP that another tool opens, and reports every step", async () => {
      const { client } = target();
      const upload = await client.upload(fixture("sample.jpg"));
      expect(upload.status).toBe(201);
      expect(upload.body).toMatchObject({
        status: "ready",
        filename: "sample.jpg",
        format: "jpg",
        media_type: "image/jpeg",
      });
      expect(upload.body.targets).toEqual(expect.arrayContaining(["webp", "png", "avif"]));
      expect(upload.headers.get("ratelimit-policy")).toMatch(/^"month";q=\d+;w=\d+$/);
      expect(upload.headers.get("ratelimit")).toMatch(/^"month";r=\d+;t=\d+$/);
      expect(Number(upload.headers.get("x-ratelimit-remaining"))).toBeLessThan(
        Number(upload.headers.get("x-ratelimit-limit")),
      );

      const request = {
        upload_id: upload.body.upload_id,
        target_format: "image/webp",
        options: { width: 40 },
        metadata: { order: "7" },
      };
      const accepted = await client.convert(request);
      expect(accepted.status).toBe(202);
      expect(accepted.headers.get("location")).toBe(`/api/v1/convert/${accepted.body.id}/status`);
      expect(accepted.headers.get("retry-after")).toBe("1");
      expect(accepted.body).toMatchObject({
        status: "queued",
        target_format: "webp",
        metadata: { order: "7" },
      });

      const job = await endOf(client, accepted.body.id);
      expect(job).toMatchObject({ status: "completed", progress: 100, fidelity: "lossy", error: null });
      expect(job.steps).toEqual([{ engine: "sharp", from: "jpg", to: "webp", duration_ms: expect.any(Number) }]);
      expect(job.result).toMatchObject({ filename: "sample.webp", media_type: "image/webp" });

      const { bytes } = await client.download(job.result?.download_token ?? "");
      expect(bytes.length).toBe(job.result?.size);
      expect(createHash("sha256").update(bytes).digest("hex")).toBe(job.result?.sha256);
      expect(await sharp(bytes).metadata()).toMatchObject({ format: "webp", width: 40 });
    });

    it("converts an iPhone's HEIC to JPEG", async () => {
      const { job, bytes } = await target().client.turn(fixture("sample.heic"), "jpg", { quality: 90 });
      expect(job.source_format).toBe("heic");
      expect(job.steps.at(-1)).toMatchObject({ to: "jpg", duration_ms: expect.any(Number) });
      expect((await sharp(bytes).metadata()).format).toBe("jpeg");
    });

    it("responds immediately when the client waits and the job ends in time", async () => {
      const { client } = target();
      const { body: upload } = await client.upload(fixture("sample.png"));
      const reply = await client.convert({ upload_id: upload.upload_id, target_format: ".JPG" }, { prefer: "wait=25" });
      expect(reply.status).toBe(200);
      expect(reply.body.status).toBe("completed");
    });

    it("keeps the animation if the target supports it", async () => {
      const { bytes } = await target().client.turn(fixture("animated.gif"), "webp");
      expect((await sharp(bytes, { animated: true }).metadata()).pages).toBeGreaterThan(1);
    });

    it("gives the result a default name, or the requested one", async () => {
      const { client } = target();
      const { body: upload } = await client.upload({ name: "Zoë’s.photo.PNG", bytes: await sharpPng() });
      expect(upload.filename).toBe("Zoë’s.photo.PNG");
      const body = { upload_id: upload.upload_id, target_format: "jpg" };
      const first = await client.convert(body, { prefer: "wait=25" });
      expect(first.body.result?.filename).toBe("Zoë’s.photo.jpg");
      const named = await client.convert({ ...body, filename: "../résumé.jpg" }, { prefer: "wait=25" });
      expect(named.body.result?.filename).toBe("résumé.jpg");
    });

    it("returns 304 for an unchanged status, and the complete status when it has changed", async () => {
      const { client } = target();
      const { job } = await client.turn(fixture("sample.png"), "jpg");
      const path = `/api/v1/convert/${job.id}/status`;
      const first = await client.call(path);
      const etag = first.headers.get("etag") ?? "";
      const again = await client.call(path, { headers: { "if-none-match": etag } });
      expect(again.status).toBe(304);
      expect((await client.call(path, { headers: { "if-none-match": '"other"' } })).status).toBe(200);
    });

    it("returns the same job for a request repeated with its idempotency key, and counts it once", async () => {
      const { client, account, accounts } = target();
      const { body: upload } = await client.upload(fixture("sample.png"));
      const headers = { "idempotency-key": crypto.randomUUID() };
      const body = { upload_id: upload.upload_id, target_format: "webp" };
      const used = async () => (await accounts<{ used: number }>(["usage", "--account", account.account_id])).used;
      const before = await used();
      const first = await client.convert(body, headers);
      const second = await client.convert(body, { ...headers, prefer: "wait=25" });
      expect(second.body.id).toBe(first.body.id);
      expect(first.headers.get("idempotent-replayed")).toBeNull();
      expect(second.headers.get("idempotent-replayed")).toBe("true");
      expect(await used()).toBe(before + 1);
      const other = await client.convert({ ...body, target_format: "jpg" }, headers);
      expect([other.status, other.body.code]).toEqual([422, "idempotency_mismatch"]);
    });
  });

  describe("a download", () => {
    it("returns the file or a redirect to it, a URL as JSON, and a description", async () => {
      const { client } = target();
      const { job, bytes } = await client.turn(fixture("sample.png"), "jpg");
      const path = `/api/v1/download/${job.result?.download_token}`;
      const plain = await client.call(path, { headers: { accept: "application/json, text/plain, */*" } });
      expect(plain.status).toBe(target().streams ? 200 : 302);
      const json = await client.call<DownloadView>(path, { headers: { accept: "application/json" } });
      expect(json.body).toMatchObject({ filename: "sample.jpg", size: bytes.length, sha256: job.result?.sha256 });
      expect(Buffer.from(await (await fetch(json.body.url)).arrayBuffer()).equals(bytes)).toBe(true);
      const head = await client.call(path, { method: "HEAD" });
      expect([head.status, head.headers.get("content-type")]).toEqual([200, "image/jpeg"]);
      // The file at the end of a redirect has another tag.
      expect(head.headers.has("etag")).toBe(target().streams);
      const url = await client.call<DownloadView>(`${path}/url`, { headers: { accept: "image/jpeg" } });
      expect(url.body).toMatchObject({ filename: "sample.jpg", sha256: job.result?.sha256 });
      if (target().streams) {
        expect(plain.headers.get("etag")).toBe(head.headers.get("etag"));
        const known = await client.call(path, { headers: { "if-none-match": head.headers.get("etag") ?? "" } });
        expect(known.status).toBe(304);
      }
    });

    it("supports ranges, and returns the name and the version of the file", async () => {
      const { client } = target();
      const { job, bytes } = await client.turn(fixture("sample.png"), "jpg");
      const path = `/api/v1/download/${job.result?.download_token}`;
      const json = await client.call<DownloadView>(path, { headers: { accept: "application/json" } });
      const authorization = { authorization: `Bearer ${target().account.api_key}` };
      const urls: [string, Record<string, string>][] = [[json.body.url, {}]];
      if (target().streams) {
        urls.push([`${client.url}${path}`, authorization]);
      }
      for (const [url, headers] of urls) {
        const part = await fetch(url, { headers: { ...headers, range: "bytes=0-9" } });
        expect(part.status).toBe(206);
        expect(Buffer.from(await part.arrayBuffer()).equals(bytes.subarray(0, 10))).toBe(true);
        const whole = await fetch(url, { headers });
        expect(whole.headers.get("etag")).toMatch(/^"[^"]+"$/);
        expect(whole.headers.get("content-type")).toBe("image/jpeg");
        expect(whole.headers.get("content-disposition")).toBe(
          `attachment; filename="sample.jpg"; filename*=UTF-8''sample.jpg`,
        );
        if (target().streams) {
          const changed = await fetch(url, { headers: { ...headers, range: "bytes=0-9", "if-range": '"other"' } });
          expect([changed.status, (await changed.arrayBuffer()).byteLength]).toEqual([200, bytes.length]);
        }
      }
    });
  });

  describe("a file with several results", () => {
    it("returns a ZIP with a matching name and media type", async () => {
      const { job, bytes } = await target().client.turn(fixture("sample.mbox"), "eml");
      expect(job.result).toMatchObject({ filename: "sample.zip", media_type: "application/zip" });
      expect(bytes.subarray(0, 4)).toEqual(Buffer.from("PK\u0003\u0004"));
    });

    it("never reveals its password", async () => {
      const { client } = target();
      const { body: upload } = await client.upload(fixture("sample.pdf"));
      const options = { password: "not needed", pages: "1" };
      const { body } = await client.convert({ upload_id: upload.upload_id, target_format: "txt", options });
      expect(body.options).toEqual({ pages: "1" });
    });
  });

  it("has a health check without a key", async () => {
    const reply = await target().client.withKey(undefined).call<{ status: string }>("/health");
    expect([reply.status, reply.body.status]).toEqual([200, "ok"]);
  });
};

const sharpPng = (): Promise<Buffer> =>
  sharp({ create: { width: 8, height: 8, channels: 3, background: "#269" } })
    .png()
    .toBuffer();
