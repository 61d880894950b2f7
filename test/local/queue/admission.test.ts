import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createBatch } from "../../../functions/api/jobs/create-batch.ts";
import { createJob } from "../../../functions/api/jobs/create-job.ts";
import type { BatchView } from "../../../functions/domain/jobs/job-views.ts";
import { BATCH_CONVERSIONS_MAX, RETRY_AFTER_SECONDS_MAX } from "../../../functions/domain/limits.ts";
import type { Context } from "../../../functions/domain/ports.ts";
import { type AdmissionSettings, type LocalAdmission, localAdmission } from "../../../local/queue/admission.ts";
import { type Database, openDatabase } from "../../../local/sqlite/database.ts";
import { type LocalQueue, sqliteQueue } from "../../../local/sqlite/queue.ts";
import { accountRecord, NOW, quotaRecord, uploadRecord } from "../../support/world/records.ts";
import { requestOf } from "../../support/world/requests.ts";
import { makeWorld, type World } from "../../support/world/world.ts";

const WAITING_MAX = 8;
/** The share of a single account. */
const ALONE = 4;

let world: World;
let database: Database;
let queue: LocalQueue;
beforeEach(() => {
  world = makeWorld(NOW);
  database = openDatabase(world.folder);
  queue = sqliteQueue(database, { receivesMax: 4 });
});
afterEach(async () => {
  database.close();
  await world.close();
});

const admissionWith = (settings: Partial<AdmissionSettings> = {}): LocalAdmission =>
  localAdmission({ queue, waitingMax: WAITING_MAX, folder: world.folder, clock: () => world.now, ...settings });
const contextWith = (admission: LocalAdmission): Context => ({ ...world.context, queue, admission });

/** An account with an upload, and its conversion request. */
const accountWithUpload = async () => {
  const { id: accountId } = accountRecord();
  const claim = quotaRecord(accountId, 1_000);
  const upload = uploadRecord({ accountId });
  await world.context.uploads.createUpload(upload, undefined);
  const body = { upload_id: upload.id, target_format: "jpg" };
  return { accountId, claim, body, request: { ...requestOf(body), accountId, claim, now: NOW } };
};

const seconds = (headers: Readonly<Record<string, string>> = {}): number => Number(headers["retry-after"]);
const refused = {
  code: "temporarily_unavailable",
  extra: { headers: { "retry-after": expect.stringMatching(/^\d+$/) } },
};

describe("the queue of one machine", () => {
  it("accepts exactly as many jobs of an account as there are free slots, even for concurrent requests", async () => {
    const context = contextWith(admissionWith());
    const { request, accountId, claim } = await accountWithUpload();
    const asked = await Promise.allSettled(Array.from({ length: 50 }, () => createJob.run(context)(request)));
    expect(asked.filter(({ status }) => status === "fulfilled")).toHaveLength(ALONE);
    for (const answer of asked) {
      expect(answer).toMatchObject(answer.status === "rejected" ? { reason: refused } : { value: { status: 202 } });
    }
    expect(queue.waiting.all()).toBe(ALONE);
    expect(await context.quotas.used(accountId, claim.month)).toBe(ALONE);
    const { items } = await context.jobs.listJobs({ accountId, limit: 100, now: 0 });
    expect(items).toHaveLength(ALONE);
  });

  it("has room for another account after one fills its share", async () => {
    const context = contextWith(admissionWith());
    const [flood, other] = [await accountWithUpload(), await accountWithUpload()];
    await Promise.allSettled(Array.from({ length: 50 }, () => createJob.run(context)(flood.request)));
    expect(await createJob.run(context)(other.request)).toMatchObject({ status: 202 });
  });

  it("has room again after a converter takes a job", async () => {
    const context = contextWith(admissionWith());
    const { request } = await accountWithUpload();
    await Promise.allSettled(Array.from({ length: 50 }, () => createJob.run(context)(request)));
    queue.receive("fast", NOW, NOW + 1_000);
    expect(await createJob.run(context)(request)).toMatchObject({ status: 202 });
    await expect(createJob.run(context)(request)).rejects.toMatchObject(refused);
  });

  it("reserves no slot for a request that is rejected for another reason", async () => {
    const context = contextWith(admissionWith());
    const { request } = await accountWithUpload();
    for (let count = 0; count < 20; count += 1) {
      const wrong = { ...request, body: { ...request.body, target_format: "nothing" } };
      await expect(createJob.run(context)(wrong)).rejects.toMatchObject({ code: "unsupported_conversion" });
    }
    expect(await createJob.run(context)(request)).toMatchObject({ status: 202 });
  });

  it("returns the first response for a repeated request even when full, and only for that one", async () => {
    const context = contextWith(admissionWith());
    const { request, accountId, claim } = await accountWithUpload();
    const withKey = (key: string, body = request.body) => ({ ...request, body, headers: { "idempotency-key": key } });
    const first = await createJob.run(context)(withKey("first"));
    await Promise.allSettled(Array.from({ length: 50 }, () => createJob.run(context)(request)));
    const again = await createJob.run(context)(withKey("first"));
    expect([again.status, again.headers?.["idempotent-replayed"], again.body]).toEqual([202, "true", first.body]);
    await expect(createJob.run(context)(withKey("second"))).rejects.toMatchObject(refused);
    const other = createJob.run(context)(withKey("first", { ...request.body, target_format: "webp" }));
    await expect(other).rejects.toMatchObject({ code: "idempotency_mismatch" });
    expect(await context.quotas.used(accountId, claim.month)).toBe(ALONE);
  });

  it("returns the first responses for a repeated batch even when full", async () => {
    const context = contextWith(admissionWith());
    const { request } = await accountWithUpload();
    const batch = {
      ...request,
      body: { conversions: [request.body, request.body] },
      headers: { "idempotency-key": "b" },
    };
    const first = await createBatch.run(context)(batch);
    await Promise.allSettled(Array.from({ length: 50 }, () => createJob.run(context)(request)));
    expect((await createBatch.run(context)(batch)).body).toEqual(first.body);
  });

  it("responds to each conversion of a batch individually", async () => {
    const context = contextWith(admissionWith());
    const { request, accountId, claim } = await accountWithUpload();
    const conversions = Array.from({ length: BATCH_CONVERSIONS_MAX }, () => request.body);
    const { body } = await createBatch.run(context)({ ...request, body: { conversions } });
    const codes = (body as BatchView).items.map(({ status, problem }) => problem?.code ?? status);
    expect(codes.slice(0, ALONE)).toEqual([202, 202, 202, 202]);
    expect(new Set(codes.slice(ALONE))).toEqual(new Set(["temporarily_unavailable"]));
    expect(await context.quotas.used(accountId, claim.month)).toBe(ALONE);
  });

  it("has the same length after a restart", async () => {
    const context = contextWith(admissionWith());
    const { request, accountId } = await accountWithUpload();
    await Promise.allSettled(Array.from({ length: 50 }, () => createJob.run(context)(request)));
    const { messageId } = queue.receive("fast", NOW, NOW + 1_000) ?? { messageId: "" };
    const again = sqliteQueue(database, { receivesMax: 4 });
    expect([again.waiting.all(), again.waiting.of(accountId)]).toEqual([ALONE - 1, ALONE - 1]);
    again.reviveAll();
    again.receive("fast", NOW, NOW + 1_000);
    expect(again.waiting.all()).toBe(ALONE - 1);
    expect(await again.acknowledge(messageId)).toBe(false);
  });
});

describe("Retry-After", () => {
  const refusalOf = (admission: LocalAdmission, accountId: string): number => {
    try {
      for (;;) {
        admission.job(accountId);
      }
    } catch (error) {
      return seconds((error as { extra: { headers: Record<string, string> } }).extra.headers);
    }
  };

  it("is the time for a tenth of the account's jobs at the recent rate", () => {
    const admission = admissionWith({ waitingMax: 4_000 });
    for (let job = 0; job < 64; job += 1) {
      world.now += 500;
      admission.jobEnded();
    }
    // 2,000 are queued; 200 of them end at two per second.
    expect(refusalOf(admission, "acc_a")).toBeGreaterThanOrEqual(95);
    expect(refusalOf(admission, "acc_a")).toBeLessThanOrEqual(105);
  });

  it("is at least one second and at most five minutes, even before any job has ended", () => {
    expect(refusalOf(admissionWith(), "acc_a")).toBe(1);
    const still = admissionWith({ waitingMax: 1_000_000 });
    expect(refusalOf(still, "acc_a")).toBe(RETRY_AFTER_SECONDS_MAX);
  });
});
