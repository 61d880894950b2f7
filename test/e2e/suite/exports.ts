import { createHmac } from "node:crypto";
import { readFile } from "node:fs/promises";
import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import { buffer } from "node:stream/consumers";
import { CreateBucketCommand, GetObjectCommand, S3Client } from "@aws-sdk/client-s3";
import { afterAll, beforeAll, describe, expect, it, type TestContext } from "vitest";
import type { StorageTestView, StorageView } from "../../../functions/domain/exports/export-views.ts";
import { sha256Hex } from "../../../functions/domain/ids.ts";
import type { JobView } from "../../../functions/domain/jobs/job-views.ts";
import type { UploadView } from "../../../functions/domain/uploads/upload-views.ts";
import type { WebhookSecretView } from "../../../functions/domain/webhooks/webhook-views.ts";
import { addressOf } from "../../support/address.ts";
import { type S3SqsEmulator, startS3Sqs } from "../../support/emulators/emulator-s3-sqs.ts";
import type { ApiClient, Problem, Reply } from "../../support/services/client.ts";
import { startWebdav, WEBDAV_USER, type Webdav } from "../../support/services/webdav.ts";
import { fixture, newAccount, type Target } from "./target.ts";

const KEY = { access_key_id: "AKIACLIENT", secret_access_key: "the client's secret" };

type Method = "DELETE" | "GET" | "POST" | "PUT";

/** Results reach the storages and URLs of clients, and files are imported from them. */
export const exportSuite = (target: () => Target): void => {
  describe("an export", () => {
    let s3: S3SqsEmulator;
    let objects: S3Client;
    let webdav: Webdav;
    let server: Server;
    let origin: string;
    let came: { url: string; method: string; headers: IncomingHttpHeaders; body: Buffer }[];
    let client: ApiClient;
    beforeAll(async () => {
      s3 = await startS3Sqs({
        credentials: { id: KEY.access_key_id, secret: KEY.secret_access_key },
        clock: Date.now,
      });
      const credentials = { accessKeyId: KEY.access_key_id, secretAccessKey: KEY.secret_access_key };
      objects = new S3Client({ endpoint: s3.endpoint, region: "us-east-1", forcePathStyle: true, credentials });
      await objects.send(new CreateBucketCommand({ Bucket: "results" }));
      webdav = await startWebdav();
      came = [];
      server = createServer(async (request, response) => {
        const { url = "", method = "", headers } = request;
        came.push({ url, method, headers, body: await buffer(request) });
        response.writeHead(204).end();
      });
      origin = await addressOf(server);
      ({ client } = await newAccount(target(), 1_000));
    });
    afterAll(async () => {
      server.close();
      webdav.close();
      objects.destroy();
      await s3.stop();
    });

    const reachable = (context: TestContext): void =>
      context.skip(!target().reachesTests, "The service cannot connect to this machine.");
    const call = <Body>(method: Method, path: string, json?: unknown, by = client): Promise<Reply<Body>> =>
      by.call<Body>(path, {
        method,
        ...(json !== undefined && { body: JSON.stringify(json), headers: { "content-type": "application/json" } }),
      });
    const save = (name: string, storage: object, by = client) =>
      call<StorageView & Problem>("PUT", `/api/v1/storages/${name}`, storage, by);
    const bucket = () => ({ type: "s3", endpoint: s3.endpoint, bucket: "results", ...KEY });
    const converted = async (wanted: object): Promise<JobView> => {
      const { body: upload } = await client.upload(fixture("sample.png"));
      const body = { upload_id: upload.upload_id, target_format: "webp", ...wanted };
      const reply = await client.convert(body, { prefer: "wait=25" });
      expect(reply.status, JSON.stringify(reply.body)).toBe(200);
      return reply.body;
    };
    const exportOf = async ({ id }: JobView) =>
      (await client.call<JobView>(`/api/v1/convert/${id}/status`)).body.export;
    const delivered = async (job: JobView): Promise<void> => {
      await expect.poll(async () => (await exportOf(job))?.status).toBe("delivered");
    };

    it("stores the result in an S3 bucket under the requested key, signed with saved credentials", async (context) => {
      reachable(context);
      const { status, body } = await save("archive", bucket());
      expect(status, JSON.stringify(body)).toBe(200);
      const job = await converted({ export: { storage: "archive", key: "2026/ä (1)/{name}" } });
      expect(job.export).toMatchObject({ location: "s3://results/2026/ä (1)/sample.webp" });
      await delivered(job);
      const { Body: content } = await objects.send(
        new GetObjectCommand({ Bucket: "results", Key: "2026/ä (1)/sample.webp" }),
      );
      expect(sha256Hex((await content?.transformToByteArray()) ?? "")).toBe(job.result?.sha256);
      // The result can still be downloaded.
      expect((await client.call(job.result?.download_url.replace(/^.*(?=\/api)/, "") ?? "")).status).toBeLessThan(400);
    });

    it("stores the result in a WebDAV folder", async (context) => {
      reachable(context);
      await save("cloud", { type: "webdav", endpoint: webdav.url, ...WEBDAV_USER });
      const job = await converted({ export: { storage: "cloud", key: "new/{id}.webp" } });
      await delivered(job);
      expect(sha256Hex(webdav.files.get(`/new/${job.id}.webp`) ?? "")).toBe(job.result?.sha256);
    });

    it("of a conversion with steps stores the result of the last one", async (context) => {
      reachable(context);
      const steps = [{ operation: "convert", target_format: "jpg" }];
      const job = await converted({ steps, export: { url: `${origin}/steps/a.jpg` } });
      await delivered(job);
      const requests = came.filter(({ url }) => url.startsWith("/steps/"));
      expect(requests.map(({ headers }) => headers["content-type"])).toEqual(["image/jpeg"]);
      expect(sha256Hex(requests[0]?.body ?? "")).toBe(job.result?.sha256);
    });

    it("is sent to a presigned URL, whose query and headers are never shown", async (context) => {
      reachable(context);
      const job = await converted({
        export: { url: `${origin}/put/a.webp?X-Amz-Signature=s3cret`, headers: { Authorization: "Bearer t0ken" } },
      });
      await delivered(job);
      const [request] = came.filter(({ url }) => url.startsWith("/put/"));
      expect(request).toMatchObject({
        method: "PUT",
        url: "/put/a.webp?X-Amz-Signature=s3cret",
        headers: { authorization: "Bearer t0ken", "content-type": "image/webp" },
      });
      expect(sha256Hex(request?.body ?? "")).toBe(job.result?.sha256);
      const shown = await client.call(`/api/v1/convert/${job.id}/status`);
      expect(shown.body).toMatchObject({ export: { location: `${origin}/put/a.webp`, attempts: 1, error: null } });
      expect(JSON.stringify(shown.body)).not.toMatch(/s3cret|t0ken/);
    });

    it("that is refused is shown with its error, and does not affect the job", async (context) => {
      reachable(context);
      await save("wrong", { ...bucket(), secret_access_key: "another secret" });
      const job = await converted({ export: { storage: "wrong" } });
      const error = "The server returned status 403 (SignatureDoesNotMatch).";
      await expect.poll(async () => (await exportOf(job))?.error).toBe(error);
      expect((await client.call<JobView>(`/api/v1/convert/${job.id}/status`)).body.status).toBe("completed");
    });

    it("needs a storage of the account, and one target", async () => {
      const { body: upload } = await client.upload(fixture("sample.png"));
      const attempt = (given: object) =>
        client.convert({ upload_id: upload.upload_id, target_format: "webp", export: given });
      expect(await attempt({ storage: "missing" })).toMatchObject({ status: 404, body: { code: "not_found" } });
      const invalid = [
        {},
        { url: "https://a.example/", storage: "x" },
        { storage: "x", key: "../y" },
        { url: "ftp://a" },
      ];
      for (const given of [...invalid, { storage: "x", key: "a//b" }, { storage: "x", method: "PUT" }]) {
        expect(await attempt(given), JSON.stringify(given)).toMatchObject({ status: 400 });
      }
    });

    it("can be the file of a webhook, with a signature over its bytes", async (context) => {
      reachable(context);
      const job = await converted({ webhook_url: `${origin}/file`, webhook_body: "file" });
      const of = () => came.filter(({ url }) => url === "/file");
      await expect.poll(() => of().length).toBe(1);
      const { headers, body } = of()[0] ?? { headers: {}, body: Buffer.alloc(0) };
      expect(sha256Hex(body)).toBe(job.result?.sha256);
      expect(headers).toMatchObject({
        "content-type": "image/webp",
        "content-disposition": expect.stringContaining("sample.webp"),
        "anyform-job": job.id,
        "anyform-event": "job.completed",
      });
      const secret = (await client.call<WebhookSecretView>("/api/v1/webhooks/secret")).body.secrets[0]?.secret ?? "";
      const signed = headers as Record<string, string>;
      // The standard's package signs text only.
      expect(signed["webhook-signature"]).toBe(signatureOf(secret, signed, body));
    });

    it("of a failed job is a webhook about the job", async (context) => {
      reachable(context);
      const bytes = (await readFile(fixture("sample.png"))).subarray(0, 150);
      const { body: upload } = await client.upload({ name: "a.png", bytes });
      const wanted = { upload_id: upload.upload_id, target_format: "webp", webhook_body: "file" };
      const { body: job } = await client.convert({ ...wanted, webhook_url: `${origin}/bad`, export: { url: origin } });
      const of = () => came.filter(({ url }) => url === "/bad");
      await expect.poll(() => of().length).toBe(1);
      expect(JSON.parse(String(of()[0]?.body))).toMatchObject({ type: "job.failed", data: { id: job.id } });
      expect(await exportOf(job)).toMatchObject({ status: "failed", error: "The job has no result." });
    });
  });

  describe("a storage", () => {
    const bucket = { type: "s3", endpoint: "https://objects.example.com", bucket: "results", ...KEY };
    const call = <Body>(client: ApiClient, method: Method, path: string, json?: unknown): Promise<Reply<Body>> =>
      client.call<Body>(`/api/v1/storages${path}`, {
        method,
        ...(json !== undefined && { body: JSON.stringify(json), headers: { "content-type": "application/json" } }),
      });

    it("is saved, listed and deleted, without ever returning its credentials", async () => {
      const { client } = await newAccount(target(), 100);
      const saved = await call(client, "PUT", "/archive", bucket);
      expect(saved).toMatchObject({ status: 200, body: { name: "archive", region: "us-east-1", bucket: "results" } });
      await call(client, "PUT", "/archive", { ...bucket, region: "eu-central-1" });
      const list = await call<{ storages: StorageView[] }>(client, "GET", "");
      expect(list.body.storages).toMatchObject([{ name: "archive", region: "eu-central-1", type: "s3" }]);
      for (const { body } of [saved, list]) {
        expect(JSON.stringify(body)).not.toContain(KEY.secret_access_key);
        expect(JSON.stringify(body)).not.toContain(KEY.access_key_id);
      }
      expect((await call(client, "DELETE", "/archive")).status).toBe(204);
      expect((await call(client, "DELETE", "/archive")).status).toBe(404);
    });

    it("belongs to one account", async () => {
      const [mine, other] = [await newAccount(target(), 100), await newAccount(target(), 100)];
      await call(mine.client, "PUT", "/archive", bucket);
      expect((await call<{ storages: [] }>(other.client, "GET", "")).body.storages).toEqual([]);
      expect((await call(other.client, "POST", "/archive/test")).status).toBe(404);
      expect((await call(other.client, "DELETE", "/archive")).status).toBe(404);
    });

    it.each([
      ["without a bucket", "a", { ...bucket, bucket: undefined }],
      ["with a field of another type", "a", { ...bucket, username: "ada", password: "x" }],
      ["without a password", "a", { type: "webdav", endpoint: "https://a.example/", username: "ada" }],
      ["with credentials in the URL", "a", { type: "webdav", endpoint: "https://ada:x@a.example/" }],
      ["of an unknown type", "a", { ...bucket, type: "ftp" }],
      ["with a slash in its name", "a%2Fb", bucket],
    ])("%s is rejected", async (_, name, body) => {
      expect(await call(target().client, "PUT", `/${name}`, body)).toMatchObject({ status: 400 });
    });

    it("is tested by writing and deleting a file, and private addresses are refused", async (context) => {
      context.skip(!target().reachesTests, "The service cannot connect to this machine.");
      const { client } = await newAccount(target(), 100);
      const webdav = await startWebdav();
      await call(client, "PUT", "/cloud", { type: "webdav", endpoint: webdav.url, ...WEBDAV_USER });
      const test = (name: string) => call<StorageTestView>(client, "POST", `/${name}/test`);
      expect((await test("cloud")).body).toEqual({ succeeded: true, error: null });
      expect(webdav.came.map((request) => request.split(" ")[0])).toEqual(["PUT", "DELETE"]);
      expect(webdav.files.size).toBe(0);
      await call(client, "PUT", "/cloud", { type: "webdav", endpoint: webdav.url, username: "ada", password: "wrong" });
      expect((await test("cloud")).body).toEqual({ succeeded: false, error: "The server returned status 401." });
      await call(client, "PUT", "/inside", { type: "webdav", endpoint: "http://169.254.169.254/latest/" });
      expect((await test("inside")).body).toMatchObject({
        succeeded: false,
        error: expect.stringContaining("private network"),
      });
      webdav.close();
    });

    it("is a source of imports", async (context) => {
      context.skip(!target().reachesTests, "The service cannot connect to this machine.");
      const { client } = await newAccount(target(), 100);
      const webdav = await startWebdav();
      const png = await readFile(fixture("sample.png"));
      (webdav.files as Map<string, Buffer>).set("/in/Foto ä.png", png);
      await call(client, "PUT", "/cloud", { type: "webdav", endpoint: webdav.url, ...WEBDAV_USER });
      const imported = async (key: string): Promise<UploadView> => {
        const { status, body } = await client.call<UploadView>("/api/v1/upload", {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify({ storage: "cloud", key }),
        });
        expect(status, JSON.stringify(body)).toBe(201);
        const state = async () => (await client.call<UploadView>(`/api/v1/upload/${body.upload_id}`)).body;
        await expect.poll(async () => (await state()).status).not.toBe("pending");
        return state();
      };
      expect(await imported("in/Foto ä.png")).toMatchObject({
        status: "ready",
        filename: "Foto ä.png",
        format: "png",
        sha256: sha256Hex(png),
      });
      expect(await imported("in/missing.png")).toMatchObject({ status: "failed", error: { code: "fetch_failed" } });
      webdav.close();
    });
  });
};

const signatureOf = (secret: string, headers: Record<string, string>, body: Buffer): string => {
  const key = Buffer.from(secret.replace("whsec_", ""), "base64");
  const text = `${headers["webhook-id"]}.${headers["webhook-timestamp"]}.`;
  return `v1,${createHmac("sha256", key).update(text).update(body).digest("base64")}`;
};
