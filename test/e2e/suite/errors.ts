import { readFile } from "node:fs/promises";
import { FormData } from "undici";
import { describe, expect, it } from "vitest";
import { hugePng } from "../../support/png.ts";
import type { Call, Problem } from "../../support/services/client.ts";
import { fixture, newAccount, type Target } from "./target.ts";

/** Between the maximum of a Lambda function and that of the one-machine service. */
const MULTIPART_BYTES_TESTED = 10_000_000;

/** Invalid input gets the right status and code, and is not counted. */
export const errorSuite = (target: () => Target): void => {
  const problem = async (path: string, call?: Call) => {
    const { status, body, headers } = await target().client.call<Problem>(path, call);
    expect(headers.get("content-type")).toBe("application/problem+json");
    return [status, body.code];
  };
  const form = (fields: [string, string | File][]): FormData => {
    const data = new FormData();
    for (const [name, value] of fields) {
      data.append(name, value);
    }
    return data;
  };
  const file = (bytes: Uint8Array | string, name: string) =>
    new File([typeof bytes === "string" ? bytes : Uint8Array.from(bytes)], name);
  const post = (body: FormData | string, headers: Record<string, string> = {}): Call => ({
    method: "POST",
    body,
    headers,
  });

  describe("keys", () => {
    it("rejects a request without a key, with a malformed key and with an unknown key", async () => {
      const { client } = target();
      const without = await client.withKey(undefined).call<Problem>("/api/v1/convert/job_x/status");
      expect([without.status, without.body.code]).toEqual([401, "missing_api_key"]);
      expect(without.headers.get("www-authenticate")).toContain("Bearer");
      const typo = await client.withKey("af_live_nonsense").call<Problem>("/api/v1/convert/job_x/status");
      expect([typo.status, typo.body.code]).toEqual([401, "invalid_api_key"]);
      const unknown = `${"af_live_"}${"0".repeat(49)}`;
      expect((await client.withKey(unknown).call("/api/v1/convert/job_x/status")).status).toBe(401);
    });

    it("rejects a revoked key from the next request", async () => {
      const { account_id, client } = await newAccount(target(), 10);
      expect((await client.upload(fixture("sample.png"))).status).toBe(201);
      const [key] = await target().accounts<{ key_id: string }[]>(["keys", "--account", account_id]);
      await target().accounts(["revoke-key", "--account", account_id, "--key", key?.key_id ?? ""]);
      const reply = await client.upload(fixture("sample.png"));
      expect([reply.status, reply.body.code]).toEqual([401, "invalid_api_key"]);
    });
  });

  describe("resources of another account", () => {
    it("are not found: uploads, jobs and tokens", async () => {
      const { client: stranger } = await newAccount(target(), 10);
      const { job } = await target().client.turn(fixture("sample.png"), "jpg");
      const status = await stranger.call<Problem>(`/api/v1/convert/${job.id}/status`);
      expect([status.status, status.body.code]).toEqual([404, "not_found"]);
      const download = await stranger.call<Problem>(`/api/v1/download/${job.result?.download_token}`);
      expect([download.status, download.body.code]).toEqual([404, "not_found"]);
      const convert = await stranger.convert({ upload_id: job.upload_id, target_format: "webp" });
      expect([convert.status, convert.body.code]).toEqual([404, "not_found"]);
    });
  });

  describe("paths and methods", () => {
    it("return 404 for an unknown path, job or token, and 405 for a wrong method", async () => {
      expect(await problem("/api/v1/nothing")).toEqual([404, "not_found"]);
      expect(await problem("/api/v1/convert/job_0/status")).toEqual([404, "not_found"]);
      expect(await problem(`/api/v1/download/dl_${"0".repeat(43)}`)).toEqual([404, "not_found"]);
      expect(await problem("/api/v1/download/..%2f..%2fetc")).toEqual([404, "not_found"]);
      expect(await problem("/api/v1/download/%")).toEqual([404, "not_found"]);
      const wrong = await target().client.call<Problem>("/api/v1/upload", { method: "DELETE" });
      expect([wrong.status, wrong.body.code, wrong.headers.get("allow")]).toEqual([405, "method_not_allowed", "POST"]);
    });
  });

  describe("uploads", () => {
    it("reject a form without the field, with two files, and a body that is not a form, and ignore other fields", async () => {
      const png = await readFile(fixture("sample.png"));
      expect(await problem("/api/v1/upload", post(form([])))).toEqual([400, "invalid_request"]);
      const two = form([
        ["file", file(png, "a.png")],
        ["file", file(png, "b.png")],
      ]);
      expect(await problem("/api/v1/upload", post(two))).toEqual([400, "invalid_request"]);
      expect(await problem("/api/v1/upload", post(form([["picture", file(png, "a.png")]])))).toEqual([
        400,
        "invalid_request",
      ]);
      const { client } = target();
      const extra = await client.call(
        "/api/v1/upload",
        post(
          form([
            ["name", "x"],
            ["file", "text"],
            ["type", "y"],
          ]),
        ),
      );
      expect(extra.status).toBe(201);
      expect(await problem("/api/v1/upload", post("x", { "content-type": "text/plain" }))).toEqual([
        415,
        "unsupported_media_type",
      ]);
      const broken = post("--b\r\nnonsense", { "content-type": "multipart/form-data; boundary=b" });
      expect(await problem("/api/v1/upload", broken)).toEqual([400, "malformed_multipart"]);
      const cut = `--b\r\ncontent-disposition: form-data; name="file"; filename="a.png"\r\n\r\n${png.toString("latin1")}`;
      const truncated = post(cut, { "content-type": "multipart/form-data; boundary=b" });
      expect(await problem("/api/v1/upload", truncated)).toEqual([400, "malformed_multipart"]);
    });

    it("reject an empty file and bytes of an unknown format", async () => {
      expect(await problem("/api/v1/upload", post(form([["file", file("", "a.png")]])))).toEqual([
        400,
        "invalid_request",
      ]);
      const noise = file(
        Uint8Array.from({ length: 300 }, (_, index) => (index * 151) % 256),
        "a.png",
      );
      expect(await problem("/api/v1/upload", post(form([["file", noise]])))).toEqual([422, "unrecognized_format"]);
    });

    it("are detected by their bytes, not their name: text named .png is text", async () => {
      const { client } = target();
      const { status, body } = await client.upload({ name: "photo.png", bytes: Buffer.from("no picture at all") });
      expect([status, body.format, body.targets.includes("jpg")]).toEqual([201, "txt", false]);
      const reply = await client.convert({ upload_id: body.upload_id, target_format: "jpg" });
      expect([reply.status, reply.body.code, reply.body.supported_targets]).toEqual([
        422,
        "unsupported_conversion",
        body.targets,
      ]);
    });

    it("reject a file above the limit of the upload method", async () => {
      const { uploadBytesMax, client } = target();
      if (uploadBytesMax > MULTIPART_BYTES_TESTED) {
        // The one-machine service accepts it; the suite of large uploads tests its limit.
        expect((await client.upload({ name: "a.txt", bytes: Buffer.alloc(MULTIPART_BYTES_TESTED, "x") })).status).toBe(
          201,
        );
        return;
      }
      const reply = await client.upload({ name: "a.txt", bytes: Buffer.alloc(uploadBytesMax + 1, "x") });
      expect([reply.status, reply.body.code]).toEqual([413, "payload_too_large"]);
    });

    it("are not counted if they are rejected", async () => {
      const { account_id, client } = await newAccount(target(), 10);
      await client.upload({ name: "a.png", bytes: new Uint8Array(0) });
      await client.convert({ upload_id: "upl_none", target_format: "jpg" });
      await client.call(`/api/v1/download/dl_${"0".repeat(43)}`);
      expect(await target().accounts(["usage", "--account", account_id])).toMatchObject({ used: 0 });
    });
  });

  describe("conversion requests", () => {
    const convert = async (body: unknown): Promise<unknown[]> => {
      const reply = await target().client.convert(body);
      return [reply.status, reply.body.code];
    };

    it("are rejected with malformed JSON, a wrong content type, missing or unknown fields", async () => {
      expect(await convert("{")).toEqual([400, "malformed_json"]);
      expect(await convert("[]")).toEqual([400, "invalid_request"]);
      expect(await convert({ target_format: "jpg" })).toEqual([400, "invalid_request"]);
      expect(await convert({ upload_id: "upl_x", target_format: "jpg", colour: 1 })).toEqual([400, "invalid_request"]);
      expect(await problem("/api/v1/convert", post("{}", { "content-type": "text/plain" }))).toEqual([
        415,
        "unsupported_media_type",
      ]);
      expect(await convert({ upload_id: "upl_x", target_format: "jpg", filename: "x".repeat(70_000) })).toEqual([
        413,
        "payload_too_large",
      ]);
      const { body } = await target().client.convert({ upload_id: 5, target_format: "jpg", colour: 1 });
      expect(body.errors?.map(({ pointer }) => pointer)).toEqual(["/upload_id", "/colour"]);
    });

    it("are rejected with an unknown upload, pair, option or value, and the error lists the allowed ones", async () => {
      const { client } = target();
      expect(await convert({ upload_id: "upl_none", target_format: "jpg" })).toEqual([404, "not_found"]);
      const { body: upload } = await client.upload(fixture("sample.png"));
      const { upload_id } = upload;
      const pair = await client.convert({ upload_id, target_format: "mp3" });
      expect([pair.status, pair.body.code]).toEqual([422, "unsupported_conversion"]);
      expect(pair.body.supported_targets).toEqual(upload.targets);
      const option = await client.convert({
        upload_id,
        target_format: "jpg",
        options: { colour: "red", quality: 101 },
      });
      expect([option.status, option.body.code]).toEqual([422, "invalid_options"]);
      expect(option.body.errors?.map(({ pointer }) => pointer).sort()).toEqual(["/options/colour", "/options/quality"]);
      const wait = await problem(`/api/v1/convert/job_x/status?wait=soon`);
      expect(wait).toEqual([400, "invalid_request"]);
    });
  });

  describe("options", () => {
    it("are accepted under the names of version 0.1, and returned and listed under the current ones", async () => {
      const { client } = target();
      const { body: upload } = await client.upload(fixture("sample.png"));
      const traced = { upload_id: upload.upload_id, target_format: "svg" };
      const former = await client.convert({ ...traced, options: { colours: "colour" } }, { prefer: "wait=25" });
      expect([former.status, former.body.status, former.body.options]).toEqual([200, "completed", { colors: "color" }]);
      const both = await client.convert({ ...traced, options: { colours: "colour", colors: "color" } });
      expect([both.status, both.body.errors?.[0]?.detail]).toEqual([
        422,
        "`colours` is the former name of `colors`. Send only `colors`.",
      ]);
      const listed = await client.call("/api/v1/formats/png/svg");
      expect(JSON.stringify(listed.body)).toContain('"colors":{');
      expect(JSON.stringify(listed.body)).not.toMatch(/colour/);
    });

    it("are rejected with what is allowed and the nearest name", async () => {
      const { client } = target();
      const { body: upload } = await client.upload(fixture("sample.png"));
      const detailsOf = async (request: Record<string, unknown>) => {
        const { body } = await client.convert({ upload_id: upload.upload_id, target_format: "jpg", ...request });
        return [body.code, ...(body.errors ?? []).map(({ detail }) => detail)];
      };
      expect(await detailsOf({ options: { qualty: 80, quality: 800, fit: "covr" } })).toEqual([
        "invalid_options",
        "`quality` must be an integer from 1 to 100.",
        '`fit` must be one of `inside`, `outside`, `cover`, `contain`, `fill`. Did you mean "cover"?',
        'Unknown option "qualty". Did you mean "quality"?',
      ]);
      expect(await detailsOf({ target: "jpg" })).toEqual([
        "invalid_request",
        'Unknown field "target". Did you mean "target_format"?',
      ]);
      const { body } = await client.convert({ upload_id: upload.upload_id, target_format: "jpge" });
      expect([body.code, body.detail]).toEqual([
        "unsupported_conversion",
        expect.stringMatching(/^Unknown format "jpge"\. Did you mean "jpe?g"\? Supported targets: /),
      ]);
    });
  });

  describe("malicious and corrupt images", () => {
    const jobOf = async (name: string, bytes: Uint8Array, format = "jpg") => {
      const { client } = target();
      const { body: upload, status } = await client.upload({ name, bytes });
      expect(status, JSON.stringify(upload)).toBe(201);
      const { body } = await client.convert(
        { upload_id: upload.upload_id, target_format: format },
        { prefer: "wait=25" },
      );
      return body;
    };

    it.each(["sample.jpg", "sample.png", "sample.webp", "sample.gif", "sample.tiff", "sample.avif", "sample.heic"])(
      "fails the job of a truncated %s as source_corrupt",
      async (name) => {
        const whole = await readFile(fixture(name));
        const job = await jobOf(
          name,
          whole.subarray(0, Math.floor(whole.length * 0.6)),
          name === "sample.png" ? "webp" : "png",
        );
        expect([job.status, job.error?.code, job.result]).toEqual(["failed", "source_corrupt", null]);
      },
    );

    it("include a PNG of 60,000 × 60,000 pixels, which is rejected", async () => {
      const job = await jobOf("huge.png", hugePng(60_000, 60_000));
      expect([job.status, job.error?.code]).toEqual(["failed", "too_many_pixels"]);
    });

    it("count as a request when their job fails", async () => {
      const { account_id, client } = await newAccount(target(), 10);
      const { body: upload } = await client.upload({ name: "huge.png", bytes: hugePng(60_000, 60_000) });
      await client.convert({ upload_id: upload.upload_id, target_format: "jpg" }, { prefer: "wait=25" });
      expect(await target().accounts(["usage", "--account", account_id])).toMatchObject({ used: 2 });
    });
  });
};
