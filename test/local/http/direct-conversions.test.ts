import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import sharp from "sharp";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createJob } from "../../../functions/api/jobs/create-job.ts";
import type { Answer, ApiRequest } from "../../../functions/api/request.ts";
import { JobError } from "../../../functions/domain/errors.ts";
import { sha256Hex } from "../../../functions/domain/ids.ts";
import { jobView } from "../../../functions/domain/jobs/job.ts";
import type { ConverterPool } from "../../../functions/engines/core/run.ts";
import { type DirectWorld, directWorld, ownPool } from "../../support/world/direct-world.ts";
import { accountRecord, NOW, quotaRecord } from "../../support/world/records.ts";
import { requestOf } from "../../support/world/requests.ts";

/** Small conversions in one call without the queue, on real stores and engines: the same as with it. */

const PNG = readFileSync(join(import.meta.dirname, "../../fixtures/sample.png"));
const TIFF = readFileSync(join(import.meta.dirname, "../../fixtures/pages.tiff"));
let direct: DirectWorld;
beforeEach(async () => {
  direct = await directWorld();
});
afterEach(() => direct.close());

const scratch = () => readdirSync(direct.world.folder).filter((name) => /^(?:direct|job)-/.test(name));

interface Sent {
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Buffer;
  readonly limit?: number;
  readonly isTest?: boolean;
}

const request = ({
  query = {},
  headers = {},
  body = PNG,
  limit = 100,
  isTest = false,
}: Sent): ApiRequest<undefined> => ({
  ...requestOf(undefined),
  headers: { "content-type": "image/x", "content-length": String(body.length), ...headers },
  query: { target_format: "jpg", source_filename: "a.png", ...query },
  stream: () => Readable.from([body]),
  accountId: direct.account.id,
  account: direct.account,
  isTest,
  claim: quotaRecord(direct.account.id, limit),
  now: direct.world.now,
});
const convertNow = (sent: Sent = {}): Promise<Answer> => createJob.run(direct.context)(request(sent));
/** Converts by the queue. */
const convertLater = async (sent: Sent = {}): Promise<Answer> => {
  const headers = { ...sent.headers, "idempotency-key": "queued" };
  await createJob.run(direct.queued)(request({ ...sent, headers, query: { ...sent.query, wait: "0" } }));
  await direct.convertQueued();
  return createJob.run(direct.queued)(request({ ...sent, headers }));
};

describe("a small conversion in one call", () => {
  test("returns the bytes, and stores the result and one record, but no upload", async () => {
    const answer = await convertNow();
    expect([answer.status, answer.headers?.["content-type"]]).toEqual([200, "image/jpeg"]);
    expect((await sharp(answer.bytes).metadata()).format).toBe("jpeg");
    const [job, ...others] = await direct.records();
    expect([job?.status, job?.attempt, others]).toEqual(["completed", 1, []]);
    expect(
      Buffer.from(answer.bytes ?? []).equals(readFileSync(join(direct.world.folder, "files/results", `${job?.id}-1`))),
    ).toBe(true);
    expect([direct.storedIn("uploads"), direct.storedIn("tmp"), scratch(), direct.world.sent]).toEqual([
      [],
      [],
      [],
      [],
    ]);
    expect([await direct.used(), direct.converters.free, direct.converters.ended]).toEqual([1, 8, 1]);
  });

  test.each<[string, Sent]>([
    ["completed", {}],
    ["completed with options and a name", { query: { width: "20", filename: "b.jpg", metadata: '{"a":"b"}' } }],
    ["failed through the file", { body: PNG.subarray(0, 150) }],
    ["simulated by a test key's file name", { query: { source_filename: "fail-timed_out.png" }, isTest: true }],
  ])("that is %s has the same response, record, webhook, count and measurements as by the queue", async (_, sent) => {
    const seen = async (work: () => Promise<Answer>) => {
      direct.world.measured.length = 0;
      const before = await direct.used();
      const { status, headers = {} } = await work();
      const [job] = await direct.records();
      const hook = (await direct.context.webhooks.list({ accountId: direct.account.id, limit: 1 })).items[0];
      const view = job && { ...jobView(job, "", NOW), id: "", upload_id: "", upload_ids: [] };
      const result = view?.result && { ...view.result, download_token: "", download_url: "" };
      const names = ["content-type", "content-length", "content-disposition", "etag", "x-job-warnings"];
      return {
        answer: [status, names.map((name) => headers[name])],
        job: { ...view, result, steps: view?.steps.map((step) => ({ ...step, duration_ms: null })) },
        hook: hook && [hook.status, hook.url],
        used: (await direct.used()) - before,
        measured: direct.world.measured.map(({ metric, labels }) => JSON.stringify([metric, labels])).sort(),
      };
    };
    const atOnce = await seen(() => convertNow(sent));
    const queued = await seen(() => convertLater(sent));
    expect(queued).toEqual(atOnce);
  });

  test("is counted exactly: of concurrent requests, as many are converted as the quota has left", async () => {
    const answers = await Promise.allSettled(Array.from({ length: 8 }, () => convertNow({ limit: 3 })));
    const refused = answers.filter(({ status }) => status === "rejected");
    expect(refused).toHaveLength(5);
    expect(refused[0]).toMatchObject({ reason: { code: "quota_exceeded" } });
    expect([await direct.used(), (await direct.records()).length, direct.storedIn("results").length]).toEqual([
      3, 3, 3,
    ]);
  });

  describe("of an account without webhooks", () => {
    const quiet = accountRecord();
    const convertQuietly = (sent: Sent = {}) =>
      createJob.run(direct.context)({
        ...request(sent),
        accountId: quiet.id,
        account: quiet,
        claim: quotaRecord(quiet.id, 100),
      });
    const reserved = () =>
      readFileSync(join(direct.world.folder, "reservations"), "utf8").match(/"job":"[^"]+"/g) ?? [];

    test("has its count on the disk before it is converted, and waits for no other sync", async () => {
      const seen: number[] = [];
      const runBytes: ConverterPool["runBytes"] = (conversion, limits) => {
        seen.push(reserved().length);
        return ownPool.runBytes(conversion, limits);
      };
      direct.open({ pool: { ...ownPool, runBytes } });
      expect((await convertQuietly()).status).toBe(200);
      const [job] = (await direct.context.jobs.listJobs({ accountId: quiet.id, limit: 1, now: NOW })).items;
      expect([seen, reserved()]).toEqual([[1], [`"job":"${job?.id}"`]]);
    });

    test("reserves nothing for a result that is kept, and for conversions at the same time", async () => {
      await convertQuietly({ headers: { "idempotency-key": "k" } });
      expect(reserved()).toEqual([]);
      await Promise.all([convertQuietly(), convertQuietly(), convertQuietly()]);
      expect(reserved()).toHaveLength(1);
    });

    test("cancels the reservation of a job that is queued after a fault", async () => {
      const runBytes = () => Promise.reject(new JobError("engine_failed", "The converter has no memory."));
      direct.open({ pool: { ...ownPool, runBytes } });
      await convertQuietly({ query: { wait: "10" } });
      expect([reserved(), direct.world.sent.length]).toEqual([[], 1]);
    });
  });

  test("with an Idempotency-Key is converted and counted once, and repeated with its file", async () => {
    const headers = { "idempotency-key": "k" };
    const first = await convertNow({ headers });
    const again = await convertNow({ headers });
    expect([again.headers?.["idempotent-replayed"], again.headers?.["x-job-id"]]).toEqual([
      "true",
      first.headers?.["x-job-id"],
    ]);
    expect([again.file !== undefined, await direct.used(), direct.storedIn("results").length]).toEqual([true, 1, 1]);
    await expect(convertNow({ headers, query: { quality: "50" } })).rejects.toMatchObject({
      code: "idempotency_mismatch",
    });
  });

  test("that needs files is converted with them, and leaves none", async () => {
    const answer = await convertNow({ body: TIFF, query: { target_format: "png", source_filename: "a.tiff" } });
    expect([answer.status, answer.headers?.["content-type"], answer.bytes]).toEqual([
      200,
      "application/zip",
      undefined,
    ]);
    expect([direct.storedIn("uploads"), direct.storedIn("results").length, scratch(), await direct.used()]).toEqual([
      [],
      1,
      [],
      1,
    ]);
  });

  test("frees the memory of its input", async () => {
    const body = Buffer.from(new Uint8Array(PNG).buffer);
    const { status } = await convertNow({ body });
    expect([status, body.length]).toEqual([200, 0]);
  });

  test("that is rejected leaves and counts nothing", async () => {
    await expect(convertNow({ query: { target_format: "mp3" } })).rejects.toMatchObject({
      code: "unsupported_conversion",
    });
    await expect(convertNow({ query: { quality: "101" } })).rejects.toMatchObject({ code: "invalid_options" });
    expect([direct.storedIn("uploads"), await direct.used(), await direct.records(), direct.converters.free]).toEqual([
      [],
      0,
      [],
      8,
    ]);
  });
});

describe("a conversion in one call becomes a queued job", () => {
  const isQueued = async (sent: Sent = {}) => {
    const answer = await convertNow({ ...sent, headers: { prefer: "wait=10", ...sent.headers } });
    expect(answer.status).toBe(202);
    expect([
      direct.storedIn("uploads").length,
      direct.storedIn("results").length,
      direct.world.sent.length,
      await direct.used(),
    ]).toEqual([1, 0, 1, 1]);
    const jobs = await direct.records();
    expect(jobs.map(({ status }) => status)).toEqual(["queued"]);
    // While the file was in memory, it had no hash.
    const { uploadId = "" } = jobs[0] ?? {};
    expect(await direct.context.uploads.getUpload(uploadId)).toMatchObject({ sha256: sha256Hex(PNG) });
  };
  test("while no converter is free", async () => {
    direct.converters.free = 0;
    await isQueued();
  });

  test("after a fault of the service, which counts nothing by itself", async () => {
    direct.open({ pool: { ...ownPool, runBytes: () => Promise.reject(new JobError("engine_failed", "a fault")) } });
    await isQueued();
  });

  test("when it takes longer than requests should wait", async () => {
    direct.open({ pool: { ...ownPool, runBytes: () => Promise.reject(new JobError("timed_out", "It took 5 s.")) } });
    await isQueued();
  });

  test("when it needs files and takes longer than requests should wait", async () => {
    const limits: number[] = [];
    const run: ConverterPool["run"] = (_, { timeoutMs }) => {
      limits.push(timeoutMs);
      return Promise.reject(new JobError("timed_out", "It took 5 s."));
    };
    direct.open({ pool: { run, runBytes: async () => undefined } });
    await isQueued();
    expect(limits).toEqual([5_000]);
  });

  test.each<[string, Sent]>([
    ["for a client that does not wait", { query: { wait: "0" } }],
    ["for a body of unknown size", { headers: { "content-length": "" } }],
    ["above 1 MB", { headers: { "content-length": "1000001" } }],
  ])("%s", async (_, sent) => {
    await isQueued(sent);
    expect(direct.converters.ended).toBe(0);
  });
});

test("no account holds more than half of the memory for files", () => {
  const held = Array.from({ length: 200 }, () => direct.context.direct?.reserve(direct.account.id)).filter(Boolean);
  expect(held).toHaveLength(64);
  expect(direct.context.direct?.reserve("acc_other")).toBeDefined();
});
