import { randomUUID } from "node:crypto";
import { copyFileSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createJob } from "../../../functions/api/jobs/create-job.ts";
import { deleteUpload } from "../../../functions/api/uploads/delete-upload.ts";
import { engineIds } from "../../../functions/domain/conversions/engines.ts";
import { planRoutes } from "../../../functions/domain/conversions/plan.ts";
import type { RequestError } from "../../../functions/domain/errors.ts";
import type { FormatId } from "../../../functions/domain/formats/formats.ts";
import { jobSchema } from "../../../functions/domain/jobs/job-views.ts";
import type { Context } from "../../../functions/domain/ports.ts";
import type { ReadyUpload } from "../../../functions/domain/uploads/upload.ts";
import { convertFile } from "../../../functions/events/convert-file.ts";
import type { RunConversion } from "../../../functions/events/convert-inputs.ts";
import { accountRecord, NOW, quotaRecord, uploadRecord } from "../../support/world/records.ts";
import { requestOf } from "../../support/world/requests.ts";
import { makeWorld, type World } from "../../support/world/world.ts";

/** Uploads as values of options, on real stores. */

const PNG = readFileSync(join(import.meta.dirname, "../../fixtures/sample.png"));
const routes = planRoutes(new Set(engineIds));
const account = accountRecord();
let world: World;
let context: Context;
beforeEach(async () => {
  world = makeWorld(NOW);
  context = { ...world.context, routes };
  await context.accounts.createAccount(account);
});
afterEach(() => world.close());

const uploaded = async (format: FormatId, over: Partial<ReadyUpload> = {}): Promise<ReadyUpload> => {
  const upload = uploadRecord({ accountId: account.id, filename: `file.${format}`, format, ...over });
  await context.files.storeStream(upload.key, Readable.from([Buffer.from(format)]), 100);
  await context.uploads.createUpload(upload, undefined);
  return upload;
};

const claim = quotaRecord(account.id, 100);
const common = () => ({ accountId: account.id, account, claim, now: world.now });
const convert = async (watermark_upload_id: string, over: object = {}) => {
  const { id: upload_id } = await uploaded("pdf");
  const body = { upload_id, target_format: "pdf", options: { watermark_upload_id }, ...over };
  const { body: job } = await createJob.run(context)({ ...requestOf(body), ...common() });
  return jobSchema.parse(job);
};

/** @returns the files that the converter gets for the job */
const run = async (jobId: string) => {
  const seen: [string, string, string][] = [];
  const converted: RunConversion = async ({ input, optionFiles = [] }) => {
    for (const { option, from, path, name } of optionFiles) {
      seen.push([option, from, `${name}: ${readFileSync(path, "latin1").slice(0, 4)}`]);
    }
    const output = join(world.folder, randomUUID());
    copyFileSync(input, output);
    return { output, bundled: false, timings: [], warnings: [] };
  };
  await convertFile(context, converted)({ jobId, accountId: account.id });
  return seen;
};

describe("an upload as the value of an option", () => {
  test("is fetched for the converter with its format and name", async () => {
    const logo = await uploaded("png");
    const job = await convert(logo.id);
    expect(job).toMatchObject({ upload_ids: [job.upload_id], options: { watermark_upload_id: logo.id } });
    expect(await run(job.id)).toEqual([["watermark_upload_id", "png", "file.png: png"]]);
  });

  test.each<[string, string, Partial<ReadyUpload>, FormatId]>([
    ["another account", "not_found", { accountId: "acc_other" }, "png"],
    ["the past", "expired", { expiresAt: NOW }, "png"],
    ["a format that cannot be a watermark", "invalid_options", {}, "mp3"],
  ])("of %s is rejected with a pointer to the option, and nothing is counted", async (_, code, over, format) => {
    const { id } = await uploaded(format, over);
    const error: RequestError = await convert(id).then(
      () => undefined,
      (reason) => reason,
    );
    expect([error.code, error.extra.errors?.[0]?.pointer]).toEqual([code, "/options/watermark_upload_id"]);
    expect([await context.quotas.used(account.id, claim.month), world.sent]).toEqual([0, []]);
  });

  test("that does not exist is rejected", async () => {
    await expect(convert("upl_none")).rejects.toMatchObject({ code: "not_found" });
  });

  test("is deleted while its job waits, and kept for the job", async () => {
    const logo = await uploaded("png");
    const job = await convert(logo.id);
    const request = { ...requestOf(undefined), ...common(), params: { id: logo.id } };
    expect((await deleteUpload.run(context)(request)).status).toBe(204);
    expect(await run(job.id)).toHaveLength(1);
  });
});

describe("a form with the file of an option", () => {
  const send = async (fields: readonly string[], target = "pdf") => {
    const pdf = "%PDF-1.4\n%%EOF\n";
    const part = (name: string, filename: string, content: Buffer | string) => [
      Buffer.from(`--b\r\ncontent-disposition: form-data; name="${name}"; filename="${filename}"\r\n\r\n`),
      Buffer.from(content),
      Buffer.from("\r\n"),
    ];
    const body = Buffer.concat([
      Buffer.from(`--b\r\ncontent-disposition: form-data; name="target_format"\r\n\r\n${target}\r\n`),
      ...fields.flatMap((field) => part(field, "logo.png", PNG)),
      ...part("file", "a.pdf", pdf),
      Buffer.from("--b--\r\n"),
    ]);
    const headers = { "content-type": "multipart/form-data; boundary=b", prefer: "wait=0" };
    const stream = () => Readable.from([body]);
    return createJob.run(context)({ ...requestOf(undefined), ...common(), headers, stream });
  };
  const stored = () => readdirSync(join(world.folder, "files", "uploads"));

  test("is one request and one job, whose option has the ID of the new upload", async () => {
    const job = jobSchema.parse((await send(["watermark_upload_id"])).body);
    expect(job).toMatchObject({ source_filename: "a.pdf", upload_ids: [job.upload_id] });
    expect(await run(job.id)).toEqual([["watermark_upload_id", "png", `logo.png: ${PNG.toString("latin1", 0, 4)}`]]);
    expect([stored().length, await context.quotas.used(account.id, claim.month)]).toEqual([2, 1]);
  });

  test("is rejected if the conversion does not have the option, or the file is sent twice", async () => {
    await expect(send(["watermark_upload_id"], "txt")).rejects.toMatchObject({ code: "invalid_options" });
    await expect(send(["watermark_upload_id", "watermark_upload_id"])).rejects.toMatchObject({
      code: "invalid_request",
    });
    expect(stored()).toEqual([]);
  });
});
