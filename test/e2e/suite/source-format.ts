import { readFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { FormData } from "undici";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { UploadView } from "../../../functions/domain/uploads/upload-views.ts";
import { addressOf } from "../../support/address.ts";
import type { ApiClient, Problem, Reply } from "../../support/services/client.ts";
import { announce, complete, put } from "./direct.ts";
import { fixture, newAccount, type Target, usedBy } from "./target.ts";

interface DeclaredFile {
  readonly name: string;
  readonly bytes: Uint8Array;
  /** The content type of the part. */
  readonly type?: string;
}

/** Uploads a file in a form. @param sourceFormat the field `source_format`, which follows the file */
export const uploadAs = (
  client: ApiClient,
  { name, bytes, type = "" }: DeclaredFile,
  sourceFormat?: string,
): Promise<Reply<UploadView & Problem>> => {
  const body = new FormData();
  body.set("file", new File([Uint8Array.from(bytes)], name, { type }));
  if (sourceFormat !== undefined) {
    body.set("source_format", sourceFormat);
  }
  return client.call("/api/v1/upload", { method: "POST", body });
};

/** The format of a file that the client declares, and files whose content does not determine it. */
export const sourceFormatSuite = (target: () => Target): void => {
  const text = (content: string): Buffer => Buffer.from(content);
  const table = text("a,b\n1,2\n");
  const letter = text("Dear Mr X,<br><br>your <b>invoice</b>");

  describe("the format of a file in a form", () => {
    it.each([
      ["data.dat", "csv", "csv"],
      ["data.dat", "text/csv; charset=utf-8", "csv"],
      ["notes.txt", ".MD", "md"],
      ["a.csv", "txt", "txt"],
    ])("of %s is %s if the client declares it", async (name, declared, format) => {
      const { status, body } = await uploadAs(target().client, { name, bytes: table }, declared);
      expect([status, body.format]).toEqual([201, format]);
    });

    it.each([
      ["letter.html", ""],
      ["letter", "text/html"],
    ])("of the HTML fragment %s with the content type %j is HTML, and its tags are not printed", async (name, type) => {
      const { client } = target();
      const { status, body } = await uploadAs(client, { name, bytes: letter, type });
      expect([status, body.format]).toEqual([201, "html"]);
      const job = await client.convert({ upload_id: body.upload_id, target_format: "txt" }, { prefer: "wait=25" });
      const { bytes } = await client.download(job.body.result?.download_token ?? "");
      expect(bytes.toString()).toContain("your invoice");
      expect(bytes.toString()).not.toContain("<");
    });

    it("cannot contradict the signature of the content, and then nothing is counted", async () => {
      const account = await newAccount(target(), 10);
      const file = { name: "a.png", bytes: await readFile(fixture("sample.png")) };
      const { status, body } = await uploadAs(account.client, file, "docx");
      expect([status, body.code, body.retryable]).toEqual([422, "source_format_mismatch", false]);
      expect(body.detail).toBe("source_format is docx, but the content is png. Correct source_format or leave it out.");
      expect(await usedBy(target(), account)).toBe(0);
    });

    it("is rejected if it is unknown, with the nearest name", async () => {
      const { status, body } = await uploadAs(target().client, { name: "a", bytes: table }, "cvs");
      expect([status, body.code]).toEqual([400, "invalid_request"]);
      expect(body.errors).toMatchObject([{ pointer: "/source_format", code: "unknown_format" }]);
      expect(body.detail).toBe('Unknown source_format "cvs". Did you mean "csv"?');
    });

    it("belongs to the request of an idempotency key", async () => {
      const headers = { "idempotency-key": crypto.randomUUID() };
      const send = async (format: string) => {
        const body = new FormData();
        body.set("file", new File([table], "a.dat"));
        body.set("source_format", format);
        return (await target().client.call<UploadView>("/api/v1/upload", { method: "POST", body, headers })).status;
      };
      expect([await send("csv"), await send("csv"), await send("tsv")]).toEqual([201, 201, 422]);
    });
  });

  describe("the format of a file that is sent to the file store", () => {
    const sent = async (bytes: Buffer, declared: object): Promise<UploadView> => {
      const { client } = target();
      const { body } = await announce(client, { filename: "data.dat", size: bytes.length, ...declared });
      expect((await put(body.upload, bytes)).status).toBe(200);
      return (await complete(client, body.upload_id)).body;
    };

    it.each([
      [{ source_format: "csv" }, "csv"],
      [{ content_type: "text/csv" }, "csv"],
      [{ content_type: "text/csv", source_format: "tsv" }, "tsv"],
    ])("is as declared by %j", async (declared, format) => {
      expect(await sent(table, declared)).toMatchObject({ status: "ready", format });
    });

    it("fails the upload if its content has another signature", async () => {
      const upload = await sent(await readFile(fixture("sample.png")), { source_format: "pdf" });
      expect(upload).toMatchObject({ status: "failed", error: { code: "source_format_mismatch", retryable: false } });
    });

    it("is rejected at once if it is unknown", async () => {
      for (const body of [{ filename: "a", size: 1 }, { url: "https://example.com/a" }]) {
        const reply = await announce(target().client, { ...body, source_format: "docxx" });
        expect([reply.status, reply.body.detail]).toEqual([400, 'Unknown source_format "docxx". Did you mean "docx"?']);
      }
    });
  });

  describe("the format of a file from a URL", () => {
    let server: Server;
    let origin: string;
    beforeAll(async () => {
      server = createServer((request, response) => {
        const isLetter = request.url === "/letter";
        response.writeHead(200, { "content-type": isLetter ? "text/html; charset=utf-8" : "application/octet-stream" });
        response.end(isLetter ? letter : table);
      });
      origin = await addressOf(server);
    });
    afterAll(() => {
      server.closeAllConnections();
      server.close();
    });

    it.each([
      ["/letter", {}, { status: "ready", format: "html" }],
      ["/letter", { filename: "a.md" }, { status: "ready", format: "md" }],
      ["/table", { source_format: "csv" }, { status: "ready", format: "csv" }],
      ["/table", { source_format: "png" }, { status: "failed", error: { code: "source_format_mismatch" } }],
    ])("%s with %j is %j", async (path, declared, expected) => {
      if (target().reachesTests) {
        const { client } = target();
        const { body } = await announce(client, { url: `${origin}${path}`, ...declared });
        const ended = await client.call<UploadView>(`/api/v1/upload/${body.upload_id}?wait=25`);
        expect(ended.body).toMatchObject(expected);
      }
    });
  });
};
