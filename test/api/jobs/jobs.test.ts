import { Readable } from "node:stream";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { ConversionRequest } from "../../../functions/api/conversion/conversion-request.ts";
import { cancelJob } from "../../../functions/api/jobs/cancel-job.ts";
import { createBatch } from "../../../functions/api/jobs/create-batch.ts";
import { createJob } from "../../../functions/api/jobs/create-job.ts";
import { deleteJob } from "../../../functions/api/jobs/delete-job.ts";
import { downloadResult } from "../../../functions/api/jobs/download-result.ts";
import { listJobs } from "../../../functions/api/jobs/list-jobs.ts";
import type { ApiRequest } from "../../../functions/api/request.ts";
import { createUpload } from "../../../functions/api/uploads/create-upload.ts";
import { deleteUpload } from "../../../functions/api/uploads/delete-upload.ts";
import type { Account } from "../../../functions/domain/accounts/plans.ts";
import { batchSchema, jobListSchema, jobSchema } from "../../../functions/domain/jobs/job-views.ts";
import { convertFile } from "../../../functions/events/convert-file.ts";
import type { RunConversion } from "../../../functions/events/convert-inputs.ts";
import { accountRecord, completedOutcome, NOW, quotaRecord, uploadRecord } from "../../support/world/records.ts";
import { requestOf } from "../../support/world/requests.ts";
import { makeWorld, type World } from "../../support/world/world.ts";

describe("jobs of an account", () => {
  let world: World;
  let accountId: string;
  /** Input after parsing by the middleware. */
  let account: Account | undefined;
  let uploadId: string;
  beforeEach(async () => {
    world = makeWorld(NOW);
    const created = accountRecord();
    [account, accountId] = [created, created.id];
    await world.context.accounts.createAccount(created);
    uploadId = await uploaded();
  });
  afterEach(() => world.close());

  const uploaded = async (filename = "a.png", over = {}): Promise<string> => {
    const upload = uploadRecord({ accountId, filename, ...over });
    await world.context.files.storeStream(upload.key, one(), 100);
    await world.context.uploads.createUpload(upload, undefined);
    return upload.id;
  };
  const request = <Body>(body: Body, over: Partial<ApiRequest<Body>> = {}): ApiRequest<Body> => ({
    ...requestOf(body),
    accountId,
    ...(account && { account }),
    claim: quotaRecord(accountId, 100),
    now: world.now,
    ...over,
  });
  const convert = async (over: Partial<ApiRequest<ConversionRequest>> = {}) => {
    const body = { upload_id: uploadId, target_format: "jpg", ...over.body };
    return jobSchema.parse(
      (await createJob.run(world.context)(request<ConversionRequest>(body, { ...over, body }))).body,
    );
  };
  const withId = (id: string) => request(undefined, { params: { id } });
  const list = async (query: Record<string, string>) => {
    const answer = await listJobs.run(world.context)(request(undefined, { path: "/api/v1/convert", query }));
    return { ...answer, view: jobListSchema.parse(answer.body) };
  };
  const completed = async () => {
    const { id } = await convert();
    await world.context.jobs.claim(id, NOW);
    await world.context.jobs.finish(id, 1, completedOutcome(id, 1), NOW);
    const job = await world.context.jobs.getJob(id);
    await world.context.files.storeStream(job?.result?.key ?? "", one(), 100);
    return { id, token: job?.result?.token ?? "", key: job?.result?.key ?? "" };
  };
  const used = () => world.context.quotas.used(accountId, "2026-11");

  test("are listed in pages with cursors, by status", async () => {
    const ids = [];
    for (let count = 0; count < 3; count += 1) {
      world.now += 1;
      ids.unshift((await convert()).id);
    }
    const first = await list({ limit: "2", status: "queued" });
    expect(first.view.jobs.map(({ id }) => id)).toEqual(ids.slice(0, 2));
    expect(first.headers?.link).toBe(`</api/v1/convert?limit=2&status=queued&after=${first.view.next}>; rel="next"`);
    const second = await list({ limit: "2", after: first.view.next ?? "" });
    expect([second.view.jobs.map(({ id }) => id), second.view.next, second.headers]).toEqual([ids.slice(2), null, {}]);
    expect((await list({ status: "failed" })).view.jobs).toEqual([]);
  });

  test.each([{ limit: "0" }, { limit: "101" }, { limit: "x" }, { after: "?" }, { status: "done" }])(
    "are not listed for the query %j",
    async (query) => {
      await expect(list(query)).rejects.toMatchObject({ code: "invalid_request" });
    },
  );

  test("are canceled while they are queued", async () => {
    const { id } = await convert();
    const answer = await deleteJob.run(world.context)(withId(id));
    expect([answer.status, jobSchema.parse(answer.body).status]).toEqual([200, "cancelled"]);
  });

  test("are canceled while they run, and the conversion stops immediately and leaves no files", async () => {
    const { id } = await convert();
    let aborted: unknown;
    const run: RunConversion = (_, { signal }) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener("abort", () => {
          aborted = signal.reason;
          reject(signal.reason);
        });
        void deleteJob.run(world.context)(withId(id));
      });
    expect(await convertFile(world.context, run)({ jobId: id, accountId })).toBe("done");
    expect(aborted).toMatchObject({ code: "cancelled" });
    expect(await world.context.jobs.getJob(id)).toMatchObject({ status: "cancelled" });
  });

  test("are deleted with their result after they end, and keep their upload", async () => {
    const { id, key } = await completed();
    const upload = await world.context.uploads.getUpload(uploadId);
    expect(await deleteJob.run(world.context)(withId(id))).toEqual({ status: 204 });
    expect(await world.context.jobs.getJob(id)).toBeUndefined();
    expect(await world.context.files.bytesOf(key)).toBeUndefined();
    expect(await world.context.files.bytesOf(upload?.key ?? "")).toBeDefined();
    expect((await convert()).status).toBe("queued");
    await expect(deleteJob.run(world.context)(withId(id))).rejects.toMatchObject({ code: "not_found" });
  });

  test("lose their upload when it is deleted, unless one of them has not ended", async () => {
    await completed();
    const upload = await world.context.uploads.getUpload(uploadId);
    const { id } = await convert();
    const other = await world.context.uploads.getUpload(await uploaded("b.png"));
    for (const deleted of [upload, other]) {
      const answer = await deleteUpload.run(world.context)(withId(deleted?.id ?? ""));
      expect(answer).toEqual({ status: 204 });
    }
    expect(await world.context.files.bytesOf(upload?.key ?? "")).toBeDefined();
    expect(await world.context.files.bytesOf(other?.key ?? "")).toBeUndefined();
    await expect(convert()).rejects.toMatchObject({ code: "expired" });
    expect(await world.context.jobs.getJob(id)).toMatchObject({ status: "queued" });
  });

  test("are not changed by a cancellation that arrives after their end", async () => {
    const { id, key } = await completed();
    const before = await world.context.jobs.getJob(id);
    const answer = await cancelJob.run(world.context)(withId(id));
    expect([answer.status, jobSchema.parse(answer.body).status]).toEqual([200, "completed"]);
    expect(await world.context.jobs.getJob(id)).toEqual(before);
    expect(await world.context.files.bytesOf(key)).toBeDefined();
  });

  test("keep the file of a deleted upload if one page does not hold all queued jobs, because one of them may need it", async () => {
    await convert();
    const upload = await world.context.uploads.getUpload(uploadId);
    uploadId = await uploaded("b.png");
    for (let count = 0; count < 100; count += 1) {
      world.now += 1;
      await convert({ claim: quotaRecord(accountId, 1_000) });
    }
    await deleteUpload.run(world.context)(withId(upload?.id ?? ""));
    expect(await world.context.files.bytesOf(upload?.key ?? "")).toBeDefined();
  });

  test("of another account are neither canceled nor deleted", async () => {
    const { id } = await convert();
    const other = { ...withId(id), accountId: accountRecord().id };
    await expect(deleteJob.run(world.context)(other)).rejects.toMatchObject({ code: "not_found" });
    expect(await world.context.jobs.getJob(id)).toMatchObject({ status: "queued" });
  });

  test("are created in a batch, each accepted, rejected and counted individually", async () => {
    const conversions = [
      { upload_id: uploadId, target_format: "jpg" },
      { upload_id: uploadId, target_format: "mp3" },
      { upload_id: "upl_unknown", target_format: "jpg" },
      { nonsense: true },
      { upload_id: uploadId, target_format: "webp", metadata: { a: "b" } },
    ];
    const { items } = batchSchema.parse((await createBatch.run(world.context)(request({ conversions }))).body);
    expect(items.map(({ status, problem }) => [status, problem?.code])).toEqual([
      [202, undefined],
      [422, "unsupported_conversion"],
      [404, "not_found"],
      [400, "invalid_request"],
      [202, undefined],
    ]);
    expect(items[3]?.problem?.errors?.[0]?.pointer).toMatch(/^\/conversions\/3/);
    expect(await used()).toBe(2);
  });

  test("of a repeated batch are the same", async () => {
    const conversions = [{ upload_id: uploadId, target_format: "jpg" }];
    const headers = { "idempotency-key": "b" };
    const [first, again] = [
      batchSchema.parse((await createBatch.run(world.context)(request({ conversions }, { headers }))).body),
      batchSchema.parse((await createBatch.run(world.context)(request({ conversions }, { headers }))).body),
    ];
    expect(again.items[0]?.job?.id).toBe(first.items[0]?.job?.id);
    expect(await used()).toBe(1);
  });

  test("of a test key fail with the error in their file name, and are not counted", async () => {
    uploadId = await uploaded("fail-out_of_memory.png");
    const { claim: _, ...free } = request(undefined);
    const body = { upload_id: uploadId, target_format: "jpg" };
    const answer = await createJob.run(world.context)({ ...free, body, isTest: true });
    const { id } = jobSchema.parse(answer.body);
    const never: RunConversion = () => Promise.reject(new Error("Unexpected conversion."));
    await convertFile(world.context, never)({ jobId: id, accountId });
    expect(await world.context.jobs.getJob(id)).toMatchObject({ status: "failed", error: { code: "out_of_memory" } });
    expect(await used()).toBe(0);
    const live = await convert({ body: { upload_id: uploadId, target_format: "jpg" } });
    expect((await world.context.jobs.getJob(live.id))?.forcedError).toBeUndefined();
  });

  test("of an account with no retention lose their result at the first download", async () => {
    await world.context.accounts.change(accountId, { retentionHours: 0 });
    account = await world.context.accounts.getAccount(accountId);
    const { id, token } = await completed();
    const download = () => downloadResult.run(world.context)(request(undefined, { method: "GET", params: { token } }));
    expect((await download()).file).toMatch(/^\/files\/results\//);
    expect(world.asked).toEqual([id]);
    world.now += 301_000;
    await expect(download()).rejects.toMatchObject({ code: "expired" });
  });

  test("notify a webhook when they end, and the account can read its signing secret", async () => {
    const webhook_url = "https://example.com/hook";
    const { id } = await convert({ body: { upload_id: uploadId, target_format: "jpg", webhook_url } });
    expect((await world.context.accounts.getAccount(accountId))?.webhookSecrets?.[0]?.secret).toMatch(/^whsec_.{32}$/);
    await deleteJob.run(world.context)(withId(id));
    const { items } = await world.context.webhooks.list({ accountId, limit: 5 });
    expect(items).toMatchObject([{ jobId: id, type: "job.cancelled", url: webhook_url, status: "pending" }]);
  });

  test("notify the account's default webhook URL if they have none", async () => {
    const [own, preset] = ["https://example.com/own", "https://example.com/account"];
    await world.context.accounts.change(accountId, { webhookUrl: preset });
    account = await world.context.accounts.getAccount(accountId);
    for (const body of [{}, { webhook_url: own }]) {
      const { id } = await convert({ body: { upload_id: uploadId, target_format: "jpg", ...body } });
      await deleteJob.run(world.context)(withId(id));
    }
    const { items } = await world.context.webhooks.list({ accountId, limit: 5 });
    expect(items.map(({ url }) => url).sort()).toEqual([preset, own]);
  });

  test("reject an upload that is incomplete", async () => {
    const pending = await createUpload.run(world.context)({
      ...request(undefined),
      headers: { "content-type": "application/json" },
      stream: () => Readable.from([Buffer.from('{"filename":"a.png","size":5}')]),
    });
    uploadId = (pending.body as { upload_id: string }).upload_id;
    await expect(convert()).rejects.toMatchObject({ code: "upload_incomplete" });
  });
});

const one = async function* (): AsyncGenerator<Uint8Array> {
  yield Buffer.from("content");
};
