import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import sharp from "sharp";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { ConversionRequest } from "../../../functions/api/conversion/conversion-request.ts";
import { createJob } from "../../../functions/api/jobs/create-job.ts";
import type { Answer } from "../../../functions/api/request.ts";
import { JobError } from "../../../functions/domain/errors.ts";
import type { JobView } from "../../../functions/domain/jobs/job-views.ts";
import type { Context } from "../../../functions/domain/ports.ts";
import { type DirectWorld, directWorld, ownPool } from "../../support/world/direct-world.ts";
import { quotaRecord, uploadRecord } from "../../support/world/records.ts";
import { requestOf } from "../../support/world/requests.ts";

/** Small uploads that a waiting request converts without the queue, on real stores and engines: the same as with it. */

const PNG = readFileSync(join(import.meta.dirname, "../../fixtures/sample.png"));
let direct: DirectWorld;
let uploadId: string;

const uploaded = async (content: Buffer, bytes = content.length): Promise<string> => {
  const upload = uploadRecord({ accountId: direct.account.id, filename: "a.png", bytes });
  await direct.world.context.files.storeStream(upload.key, Readable.from([content]), content.length);
  await direct.world.context.uploads.createUpload(upload, undefined);
  return upload.id;
};

beforeEach(async () => {
  direct = await directWorld();
  uploadId = await uploaded(PNG);
});
afterEach(() => direct.close());

interface Sent {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Partial<ConversionRequest>;
  readonly limit?: number;
}

const sent = (own: Context, { headers = {}, body = {}, limit = 100 }: Sent): Promise<Answer> =>
  createJob.run(own)({
    ...requestOf({ upload_id: uploadId, target_format: "jpg", ...body } as ConversionRequest),
    headers: { prefer: "wait=25", ...headers },
    accountId: direct.account.id,
    account: direct.account,
    claim: quotaRecord(direct.account.id, limit),
    now: direct.world.now,
  });
const convertNow = (options: Sent = {}): Promise<Answer> => sent(direct.context, options);

/** Converts by the queue. */
const convertLater = async (options: Sent = {}): Promise<Answer> => {
  const headers = { ...options.headers, "idempotency-key": "queued" };
  await sent(direct.queued, { ...options, headers });
  await direct.convertQueued();
  return sent(direct.queued, { ...options, headers });
};

test("the job ends without a message, is recorded and counted once, and keeps its upload", async () => {
  const { status, body } = await convertNow();
  expect([status, body]).toMatchObject([200, { status: "completed", upload_id: uploadId }]);
  const [job, ...others] = await direct.records();
  expect([job?.status, job?.attempt, others, direct.world.sent]).toEqual(["completed", 1, [], []]);
  expect([direct.storedIn("uploads").length, direct.storedIn("tmp"), await direct.used()]).toEqual([1, [], 1]);
  const result = readFileSync(join(direct.world.folder, "files/results", `${job?.id}-1`));
  expect((await sharp(result).metadata()).format).toBe("jpeg");
});

test.each<[string, Buffer, Sent]>([
  ["completed", PNG, {}],
  ["completed with options and a name", PNG, { body: { options: { width: 20 }, filename: "b.jpg" } }],
  ["failed through the file", PNG.subarray(0, 150), {}],
])("a job that is %s is the same as by the queue, with its webhook and count", async (_, content, options) => {
  uploadId = await uploaded(content);
  const seen = async (work: () => Promise<Answer>) => {
    const before = await direct.used();
    const { status, body } = await work();
    const { id: _id, result, ...job } = body as JobView;
    const [hook] = (await direct.context.webhooks.list({ accountId: direct.account.id, limit: 1 })).items;
    return {
      status,
      job: { ...job, steps: job.steps.map((step) => ({ ...step, duration_ms: null })) },
      result: result && { ...result, download_token: "", download_url: "" },
      hook: hook && [hook.status, hook.url, hook.type],
      used: (await direct.used()) - before,
    };
  };
  const atOnce = await seen(() => convertNow(options));
  expect(direct.world.sent).toEqual([]);
  expect(await seen(() => convertLater(options))).toEqual(atOnce);
});

test("concurrent requests are counted exactly, and those above the quota leave nothing", async () => {
  const answers = await Promise.allSettled(Array.from({ length: 6 }, () => convertNow({ limit: 2 })));
  const refused = answers.filter(({ status }) => status === "rejected");
  expect(refused).toHaveLength(4);
  expect(refused[0]).toMatchObject({ reason: { code: "quota_exceeded" } });
  expect([await direct.used(), (await direct.records()).length]).toEqual([2, 2]);
});

test("invalid options are rejected, and count nothing", async () => {
  await expect(convertNow({ body: { options: { quality: 101 } } })).rejects.toMatchObject({ code: "invalid_options" });
  await expect(convertNow({ body: { upload_id: "upl_unknown" } })).rejects.toMatchObject({ code: "not_found" });
  expect([await direct.used(), await direct.records(), direct.converters.free]).toEqual([0, [], 8]);
});

describe("the job is queued", () => {
  const isQueued = async (options: Sent = {}) => {
    const { status, body } = await convertNow(options);
    expect([status, body]).toMatchObject([202, { status: "queued" }]);
    expect([direct.world.sent.length, direct.storedIn("results"), await direct.used()]).toEqual([1, [], 1]);
  };

  test.each<[string, Sent]>([
    ["for a client that does not wait", { headers: { prefer: "" } }],
    ["for a client that waits less than ten seconds", { headers: { prefer: "wait=9" } }],
    ["with an idempotency key", { headers: { "idempotency-key": "k" } }],
  ])("%s", async (_, options) => {
    await isQueued(options);
    expect(direct.converters.free).toBe(8);
  });

  test("while no converter is free", async () => {
    direct.converters.free = 0;
    await isQueued();
  });

  test("above 1 MB", async () => {
    uploadId = await uploaded(PNG, 1_000_001);
    await isQueued();
    expect(direct.converters.free).toBe(8);
  });

  test("with several uploads", async () => {
    const upload_ids = [uploadId, await uploaded(PNG)];
    await isQueued({ body: { upload_id: undefined, upload_ids, target_format: "gif" } });
  });

  test("after a fault of the service, which counts nothing by itself", async () => {
    direct.open({ pool: { ...ownPool, runBytes: () => Promise.reject(new JobError("engine_failed", "a fault")) } });
    await isQueued();
  });

  test("when its file is gone, and reports that as before", async () => {
    await direct.world.context.files.remove([`uploads/${uploadId}`]);
    await isQueued();
  });
});
