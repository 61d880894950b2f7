import { readFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { UploadView } from "../../../functions/domain/uploads/upload-views.ts";
import { addressOf } from "../../support/address.ts";
import type { ApiClient, Problem } from "../../support/services/client.ts";
import { announce, complete, put, putParts, sendDirectly, sha256Of } from "./direct.ts";
import { fixture, newAccount, type Target, usedBy } from "./target.ts";

/** Size of a file that is sent in three parts. */
const PARTED_BYTES = 100_000_001;

/** Files that are not sent in the request body. */
export const uploadSuite = (target: () => Target): void => {
  const look = (client: ApiClient, id: string, query = "") =>
    client.call<UploadView & Problem>(`/api/v1/upload/${id}${query}`);

  describe("an upload that is sent directly to the file store", () => {
    it("is sent with one PUT, detected at completion, and converted like any other", async () => {
      const account = await newAccount(target(), 10);
      const { client } = account;
      const bytes = await readFile(fixture("sample.png"));
      const { status, body } = await announce(client, { filename: "a.png", size: bytes.length });
      expect([status, body.status, body.size, body.targets]).toEqual([201, "pending", bytes.length, []]);
      const early = await client.convert({ upload_id: body.upload_id, target_format: "jpg" });
      expect([early.status, early.body.code, early.body.retryable]).toEqual([409, "upload_incomplete", true]);
      const missing = await complete(client, body.upload_id);
      expect([missing.status, missing.body.code]).toEqual([409, "upload_incomplete"]);
      expect((await put(body.upload, bytes)).status).toBe(200);
      const ready = await complete(client, body.upload_id);
      expect([ready.status, ready.body]).toMatchObject([200, { status: "ready", format: "png" }]);
      expect(ready.body.sha256).toBe(sha256Of(bytes));
      const job = await client.convert({ upload_id: body.upload_id, target_format: "jpg" }, { prefer: "wait=25" });
      expect(job.body.status).toBe("completed");
      // The upload and the conversion; neither the completion nor the rejected requests.
      expect(await usedBy(target(), account)).toBe(2);
    });

    it("can be completed again, and responds immediately if the client does not wait", async () => {
      const { client } = target();
      const bytes = await readFile(fixture("sample.png"));
      const { body } = await announce(client, { filename: "a.png", size: bytes.length });
      await put(body.upload, bytes);
      const first = await complete(client, body.upload_id, "");
      expect([200, 202]).toContain(first.status);
      const ready = await look(client, body.upload_id, "?wait=25");
      expect(ready.body.status).toBe("ready");
      expect((await complete(client, body.upload_id, "")).status).toBe(200);
    });

    it("accepts only bytes with the declared size and SHA-256", async () => {
      const bytes = await readFile(fixture("sample.png"));
      const announced = { filename: "a.png", size: bytes.length, sha256: sha256Of(bytes) };
      const { body } = await announce(target().client, announced);
      const other = Buffer.from(bytes).fill(0, 50);
      expect((await put(body.upload, other)).ok).toBe(false);
      expect((await complete(target().client, body.upload_id)).status).toBe(409);
    });

    it("is sent in parts above 100 MB, resumes after an interruption, and arrives complete", async () => {
      const { client } = target();
      const content = Buffer.alloc(PARTED_BYTES, "anyform ");
      const { body } = await announce(client, { filename: "a.txt", size: PARTED_BYTES, sha256: sha256Of(content) });
      const [first, second, third] = body.upload?.parts ?? [];
      expect([first?.size, second?.size, third?.size]).toEqual([50_000_000, 50_000_000, 1]);
      await putParts(
        [third, first].flatMap((part) => part ?? []),
        content,
      );
      const early = await complete(client, body.upload_id);
      expect([early.status, early.body.code]).toEqual([409, "upload_incomplete"]);
      expect(early.body.detail).toContain("missing parts 2");
      const parts = (await look(client, body.upload_id)).body.upload?.parts ?? [];
      expect(parts.map(({ received }) => received)).toEqual([true, false, true]);
      await putParts(parts, content);
      const ready = await complete(client, body.upload_id);
      expect(ready.body).toMatchObject({ status: "ready", size: PARTED_BYTES, format: "txt" });
      expect(ready.body.sha256).toBe(sha256Of(content));
    });

    it("fails if its parts do not match the declaration", async () => {
      const { client } = target();
      const content = Buffer.alloc(PARTED_BYTES, "anyform ");
      const sha256 = sha256Of(Buffer.from("something else"));
      const { body } = await announce(client, { filename: "a.txt", size: PARTED_BYTES, sha256 });
      await putParts(body.upload?.parts ?? [], content);
      const ended = await complete(client, body.upload_id);
      expect(ended.body).toMatchObject({ status: "failed", error: { code: "hash_mismatch", retryable: false } });
      const convert = await client.convert({ upload_id: body.upload_id, target_format: "html" });
      expect([convert.status, convert.body.code]).toEqual([409, "upload_failed"]);
    });

    it("is not found for another account, and rejects invalid declarations", async () => {
      const { client: stranger } = await newAccount(target(), 10);
      const { upload_id } = await sendDirectly(target().client, "a.png", await readFile(fixture("sample.png")));
      expect((await look(stranger, upload_id)).status).toBe(404);
      expect((await complete(stranger, upload_id)).status).toBe(404);
      for (const body of [{}, { filename: "a", size: 0 }, { filename: "a", size: 6e9 }, { url: "ftp://example.com" }]) {
        expect(await announce(stranger, body)).toMatchObject({ status: 400, body: { code: "invalid_request" } });
      }
    });
  });

  describe("an upload from a URL", () => {
    let server: Server;
    let origin: string;
    let asked: string[];
    beforeAll(async () => {
      const png = await readFile(fixture("sample.png"));
      asked = [];
      server = createServer((request, response) => {
        const path = request.url ?? "";
        asked.push(`${path} ${request.headers["x-token"] ?? ""}`);
        const location = /^\/to\?(.*)$/.exec(path)?.[1];
        const bodies: Record<string, Buffer> = { "/a.png": png, "/empty": Buffer.alloc(0), "/noise": noise() };
        const body = bodies[path];
        if (location !== undefined) {
          response.writeHead(302, { location: decodeURIComponent(location) }).end();
        } else if (path === "/endless") {
          response.writeHead(200, { "content-length": "6000000000" }).flushHeaders();
        } else {
          response.writeHead(body === undefined ? 404 : 200).end(body);
        }
      });
      origin = await addressOf(server);
    });
    afterAll(() => {
      server.closeAllConnections();
      server.close();
    });

    const imported = async (url: string, further: object = {}): Promise<UploadView> => {
      const { status, body } = await announce(target().client, { url, ...further });
      expect([status, body.status], JSON.stringify(body)).toEqual([201, "pending"]);
      return (await look(target().client, body.upload_id, "?wait=25")).body;
    };

    it("follows redirects with the given headers, and is then like any other", async (context) => {
      context.skip(!target().reachesTests, "The service cannot connect to this machine.");
      const upload = await imported(`${origin}/to?${encodeURIComponent("/a.png")}`, {
        filename: "photo.png",
        headers: { "X-Token": "secret" },
      });
      expect(upload).toMatchObject({ status: "ready", format: "png", filename: "photo.png", error: null });
      expect(asked.slice(-2)).toEqual(["/to?%2Fa.png secret", "/a.png secret"]);
      const { upload_id } = upload;
      const job = await target().client.convert({ upload_id, target_format: "jpg" }, { prefer: "wait=25" });
      expect(job.body.status).toBe("completed");
    });

    it.each([
      ["/missing", "fetch_failed", true],
      ["/empty", "empty", false],
      ["/noise", "unrecognized_format", false],
      ["/endless", "payload_too_large", false],
      ["/to?http%3A%2F%2F169.254.169.254%2Flatest", "address_refused", false],
      ["/to?file%3A%2F%2F%2Fetc%2Fpasswd", "address_refused", false],
    ])("of %s fails with %s", async (path, code, retryable) => {
      if (target().reachesTests) {
        expect(await imported(`${origin}${path}`)).toMatchObject({ status: "failed", error: { code, retryable } });
      }
    });

    it.each([
      "http://127.0.0.2/",
      "http://0177.0.0.2/",
      "http://2130706434/",
      "http://0x7f000002/",
      "http://[::ffff:127.0.0.2]/",
      "http://[::1]/",
      "http://10.0.0.1/",
      "http://169.254.169.254/latest/meta-data/",
      "http://[fd00:ec2::254]/",
      "http://0.0.0.0/",
    ])("of %s is rejected", async (url) => {
      expect(await imported(url)).toMatchObject({ status: "failed", error: { code: "address_refused" } });
    });
  });
};

const noise = (): Buffer => Buffer.from(Array.from({ length: 300 }, (_, index) => (index * 151) % 256));
