import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { join } from "node:path";
import type { DynamoDBStreamEvent } from "aws-lambda";
import { expect } from "vitest";
import { s3Client, s3Signer } from "../../../functions/adapters/clients.ts";
import { lambdaClient, lambdaPageMachines } from "../../../functions/adapters/lambda/page-machines.ts";
import { context } from "../../../functions/context.ts";
import { exportIdOf } from "../../../functions/domain/exports/job-export.ts";
import { newDownloadToken } from "../../../functions/domain/ids.ts";
import type { PageMachines } from "../../../functions/domain/page-machines.ts";
import { handler as announceEnd } from "../../../functions/events/announce-end.ts";
import { convertFile, convertFileBy } from "../../../functions/events/convert-file.ts";
import type { RunConversion } from "../../../functions/events/convert-inputs.ts";
import { convertThere } from "../../../functions/events/convert-page.ts";
import { handler as deliverExport } from "../../../functions/events/deliver-export.ts";
import { handler as deliverWebhook } from "../../../functions/events/deliver-webhook.ts";
import { deploySite } from "../../../functions/events/deploy-site.ts";
import { handler as eraseFiles } from "../../../functions/events/erase-files.ts";
import { handler as failUpload } from "../../../functions/events/fail-upload.ts";
import { handler as importUpload } from "../../../functions/events/import-upload.ts";
import type { PageRequest } from "../../../functions/events/page-request.ts";
import { handler as sweep } from "../../../functions/events/sweep-jobs.ts";
import type { RightsRecorder } from "../../support/rights/rights-recorder.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { reachQuota } from "./exercise-endpoints.ts";

/** Every kind of request about files: uploads of each kind, conversions, downloads, deletions and webhooks. */

const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==",
  "base64",
);
/** A form with one picture. */
export const FORM = Buffer.concat([
  Buffer.from('--x\r\ncontent-disposition: form-data; name="file"; filename="a.png"\r\n\r\n'),
  PNG,
  Buffer.from("\r\n--x--\r\n"),
]);
const BROKEN_BYTES = 10_000_000;

/** @returns a server of one file, at every path but `/broken`, which is truncated, and `/hook`, which fails */
export const fileServer = (): Server =>
  createServer((request, response) => {
    if (request.url === "/broken") {
      response.writeHead(200, { "content-length": String(2 * BROKEN_BYTES) }).write(randomBytes(BROKEN_BYTES), () => {
        response.destroy();
      });
      return;
    }
    response.writeHead(request.url === "/hook" ? 500 : 200).end(PNG);
  });

/** Sends every request once, and some twice. The account's files are deleted after their first download. */
export const exerciseFiles = async (recorder: RightsRecorder, filesUrl: string): Promise<void> => {
  const accountId = await recorder.open("one@example.com");
  await context().accounts.change(accountId, { retentionHours: 0 });
  await recorder.call("PUT /api/v1/storages/archive", { body: { type: "webdav", endpoint: filesUrl } });
  await recorder.call("GET /api/v1/storages");
  await recorder.call("POST /api/v1/storages/archive/test");
  const upload_id = await sendUploads(recorder, filesUrl);
  const given = { webhook_url: `${filesUrl}/hook`, webhook_body: "file", export: { url: `${filesUrl}/hook` } };
  const body = { upload_id, target_format: "jpg", ...given };
  const done = await convertFirst(recorder, { accountId, body, filesUrl });
  await context().jobs.expireResult(done.id, 1);
  await recorder.deliver("eraseFiles", eraseFiles, done.id);
  await convertInOneCall(recorder, accountId);
  await recorder.call("POST /api/v1/convert", { body: { url: "https://example.com/", target_format: "pdf" } });
  for (const end of ["DELETE /api/v1/convert/ID", "POST /api/v1/convert/ID/cancel"]) {
    const other = await recorder.call("POST /api/v1/convert", { body });
    await recorder.call(end.replace("ID", other.id));
  }
  await exportToStorage(recorder, accountId, { upload_id, target_format: "jpg" });
  await recorder.call("DELETE /api/v1/storages/archive");
  await recorder.call("GET /api/v1/convert");
  await recorder.call("GET /api/v1/account");
  await recorder.call("GET /api/v1/account/use/details");
  await recorder.call("GET /api/v1/requests");
  await recorder.call("GET /api/v1/requests/req_0");
  await recorder.call("GET /api/v1/webhooks");
  await recorder.call(`POST /api/v1/webhooks/${messageOf(done)}/redeliver`);
  await recorder.call(`DELETE /api/v1/convert/${done.id}`);
  const unsent = await recorder.call("POST /api/v1/upload", { body: { filename: "a.png", size: 120_000_000 } });
  await recorder.call(`DELETE /api/v1/upload/${unsent.upload_id}`);
  await recorder.call(`DELETE /api/v1/upload/${upload_id}`);
  // The stream may deliver a job's end when the job is already erased.
  await announced(recorder, done);
  await recorder.call("GET /api/v1/webhooks/secret");
  await recorder.call("POST /api/v1/webhooks/secret");
  await recorder.call(`GET /api/v1/download/${newDownloadToken(randomBytes)}`);
  await recorder.as("sweepJobs", sweep);
  await recorder.as("deploySite", placeOnePage);
};

const placeOnePage = async (): Promise<void> => {
  const folder = temporaryFolder();
  writeFileSync(join(folder.path, "index.html"), "<!doctype html>");
  await deploySite(context(), folder.path)({ origin: "https://anyform.example" });
  await folder.remove();
};

/** Sends one file in each way, each request twice, and imports it. @returns a ready upload */
const sendUploads = async ({ call, deliver }: RightsRecorder, filesUrl: string): Promise<string> => {
  const headers = (name: string) => ({ "idempotency-key": name });
  const inParts = { filename: "a.png", size: 120_000_000 };
  let parts = { upload_id: "" };
  for (const _ of ["first", "again"]) {
    await call("POST /api/v1/upload", { form: FORM, headers: headers("form") });
    parts = await call("POST /api/v1/upload", { body: inParts, headers: headers("parts") });
  }
  await call(`GET /api/v1/upload/${parts.upload_id}`);
  await call(`POST /api/v1/upload/${parts.upload_id}/complete`);
  await deliver("importUpload", importUpload, parts.upload_id);
  const whole = await call("POST /api/v1/upload", { body: { filename: "a.png", size: PNG.length } });
  await fetch(whole.upload.url, { method: "PUT", body: PNG });
  await call(`GET /api/v1/upload/${whole.upload_id}`);
  await call(`POST /api/v1/upload/${whole.upload_id}/complete`);
  await deliver("importUpload", importUpload, whole.upload_id);
  const object = await call("POST /api/v1/upload", { body: { storage: "archive", key: "a.png" } });
  await deliver("importUpload", importUpload, object.upload_id);
  for (const path of ["/a.png", "/broken"]) {
    const fetched = await call("POST /api/v1/upload", { body: { url: `${filesUrl}${path}` } });
    await deliver("importUpload", importUpload, fetched.upload_id);
  }
  await crowded({ deliver }, whole.upload_id);
  const lost = await call("POST /api/v1/upload", { body: { url: filesUrl } });
  await deliver("failUpload", failUpload, lost.upload_id);
  return whole.upload_id;
};

/** Sends the tasks of an account again that already has too many running ones. */
const crowded = async ({ deliver }: Pick<RightsRecorder, "deliver">, uploadId: string): Promise<void> => {
  const { slots, uploads } = context();
  const accountId = (await uploads.getUpload(uploadId))?.accountId ?? "";
  for (const kind of ["import", "check"] as const) {
    const taken: (() => Promise<void>)[] = [];
    const take = async () => slots.take(accountId, kind, Date.now());
    for (let release = await take(); release !== undefined; release = await take()) {
      taken.push(release);
    }
    await deliver("importUpload", importUpload, uploadId, { account_id: accountId, kind });
    // Those that are held are counted every 30 seconds, which would be recorded for another operation.
    await Promise.all(taken.map((release) => release()));
  }
};

const converted: RunConversion = async ({ input }) => ({ output: input, bundled: false, timings: [], warnings: [] });

/** Converts, announces and downloads a job. @returns it */
const convertFirst = async (
  recorder: RightsRecorder,
  { accountId, body, filesUrl }: { readonly accountId: string; readonly body: object; readonly filesUrl: string },
) => {
  const { as, call, deliver } = recorder;
  const headers = { "idempotency-key": "job" };
  const job = await call("POST /api/v1/convert", { body, headers });
  await call("POST /api/v1/convert", { body, headers });
  await as("convertFile", () => convertFile(context(), converted)({ jobId: job.id, accountId }));
  await announced({ as }, job);
  await convertOnMachine({ as, call }, { accountId, body });
  await returned({ as, call }, body);
  await deliver("deliverWebhook", deliverWebhook, messageOf(job), { account_id: accountId, kind: "webhook" });
  await deliver("deliverExport", deliverExport, exportIdOf(job.id), { account_id: accountId, kind: "export" });
  const done = await call(`GET /api/v1/convert/${job.id}/status`);
  await reachQuota(recorder, { accountId, url: `${filesUrl}/hook` }, () =>
    call(`GET /api/v1/download/${done.result.download_token}`),
  );
  return done;
};

/** Converts a job by the way of web pages. The machine returns its input. */
const convertOnMachine = async (
  { as, call }: Pick<RightsRecorder, "as" | "call">,
  { accountId, body }: { readonly accountId: string; readonly body: object },
): Promise<void> => {
  const { id } = await call("POST /api/v1/convert", { body });
  const bucket = {
    client: s3Client(),
    signer: s3Signer(),
    name: process.env.ANYFORM_FILES_BUCKET ?? "",
    clock: Date.now,
  };
  const machines: PageMachines = {
    ...lambdaPageMachines(lambdaClient(), "open-page", bucket),
    call: async (request) => {
      const { task, resultUrl } = request as PageRequest;
      const input = await (await fetch(task.input)).arrayBuffer();
      expect((await fetch(resultUrl, { method: "PUT", body: input })).status).toBe(200);
      return { result: { output: "", bundled: false, timings: [], warnings: [] } };
    },
  };
  await as("convertPage", () => convertFileBy(context(), convertThere(context(), machines))({ jobId: id, accountId }));
  expect(await context().jobs.getJob(id)).toMatchObject({ status: "completed" });
};

const exportToStorage = async (
  { as, call, deliver }: RightsRecorder,
  accountId: string,
  body: object,
): Promise<void> => {
  const job = await call("POST /api/v1/convert", { body: { ...body, export: { storage: "archive" } } });
  await as("convertFile", () => convertFile(context(), converted)({ jobId: job.id, accountId }));
  await announced({ as }, job);
  await deliver("deliverExport", deliverExport, exportIdOf(job.id), { account_id: accountId, kind: "export" });
};

/** Converts a file in one call. The second request repeats the first when its job is completed. */
export const convertInOneCall = async ({ as, call }: RightsRecorder, accountId: string): Promise<void> => {
  const form = Buffer.concat([
    Buffer.from('--x\r\ncontent-disposition: form-data; name="target_format"\r\n\r\njpg\r\n'),
    FORM,
  ]);
  const headers = { "idempotency-key": "one call", prefer: "wait=0" };
  const job = await call("POST /api/v1/convert", { form, headers });
  await as("convertFile", () => convertFile(context(), converted)({ jobId: job.id, accountId }));
  await call("POST /api/v1/convert", { form, headers });
};

const announced = async ({ as }: Pick<RightsRecorder, "as">, { id }: { readonly id: string }): Promise<void> => {
  const records = { Records: [{ dynamodb: { Keys: { pk: { S: id } } } }] };
  await as("announceEnd", () => announceEnd(records as unknown as DynamoDBStreamEvent));
};

/** A failed attempt returns its job to the queue, and the stream delivers the change. */
const returned = async ({ as, call }: Pick<RightsRecorder, "as" | "call">, body: object): Promise<void> => {
  const { id } = await call("POST /api/v1/convert", { body });
  await context().jobs.claim(id, Date.now());
  await context().jobs.release(id, 1, Date.now() + 3_600_000);
  const records = { Records: [{ dynamodb: { Keys: { pk: { S: id } }, NewImage: { status: { S: "queued" } } } }] };
  await as("announceEnd", () => announceEnd(records as unknown as DynamoDBStreamEvent));
};

const messageOf = ({ id }: { readonly id: string }): string => id.replace("job_", "msg_");

/** Requests a batch twice, for an account without a webhook secret: the first request creates it. */
export const exerciseBatches = async ({ call, open }: RightsRecorder, filesUrl: string): Promise<void> => {
  await open("two@example.com");
  const { upload_id } = await call("POST /api/v1/upload", { form: FORM });
  const body = { conversions: [{ upload_id, target_format: "jpg", webhook_url: `${filesUrl}/hook` }] };
  const headers = { "idempotency-key": "batch" };
  for (const _ of ["first", "again"]) {
    await call("POST /api/v1/convert/batch", { body, headers });
  }
};
