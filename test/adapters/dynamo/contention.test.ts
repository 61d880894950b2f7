import { randomBytes } from "node:crypto";
import { PutCommand } from "@aws-sdk/lib-dynamodb";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { dynamoJobs } from "../../../functions/adapters/dynamo/jobs/jobs.ts";
import { readMonth } from "../../../functions/adapters/dynamo/quotas/quota-months.ts";
import { dynamoQuotas } from "../../../functions/adapters/dynamo/quotas/quotas.ts";
import type { Dynamo } from "../../../functions/adapters/dynamo/records.ts";
import { dynamoUploads } from "../../../functions/adapters/dynamo/uploads.ts";
import type { QuotaClaim, UseKind } from "../../../functions/domain/accounts/quotas.ts";
import { newId } from "../../../functions/domain/ids.ts";
import { QUOTA_SHARDED_MIN, QUOTA_SHARDS } from "../../../functions/domain/tables.ts";
import { emptyDynamo, useEmulators } from "../../support/emulators/emulator-suite.ts";
import { type ConflictingDynamo, conflictingDynamo } from "../../support/emulators/transaction-conflicts.ts";
import {
  completedOutcome,
  failedRecord,
  jobRecord,
  NOW,
  quotaRecord,
  uploadRecord,
} from "../../support/world/records.ts";
import { type VirtualTime, virtualTime } from "../../support/world/virtual-time.ts";

/** One account counts requests concurrently, with the conflicts of DynamoDB's transactions, in virtual time. */

/** Each test makes hundreds of calls one after another, so it is slow on a busy machine. */
vi.setConfig({ testTimeout: 240_000 });

const emulators = useEmulators();
let stored: Dynamo;
let time: VirtualTime;
let conflicting: ConflictingDynamo;

const HELD_MS = { min: 5, max: 20 };
const MONTH = "2026-11";

beforeEach(async () => {
  stored = await emptyDynamo(emulators());
  time = virtualTime();
  const heldMs = () => HELD_MS.min + Math.random() * (HELD_MS.max - HELD_MS.min);
  conflicting = conflictingDynamo(stored, time, heldMs);
});

const claimOf = (accountId: string, limit: number, kind: QuotaClaim["kind"] = "convert"): QuotaClaim => ({
  ...quotaRecord(accountId, limit),
  kind,
});

/** Starts the work at this rate. @returns what each returned, or its error */
const atRate = <T>(perSecond: number, count: number, work: (index: number) => Promise<T>): Promise<(T | Error)[]> =>
  time.until(
    Promise.all(
      Array.from({ length: count }, async (_, index) => {
        await time.sleep((index * 1_000) / perSecond);
        return work(index).catch((error: Error) => error);
      }),
    ),
  );

const failuresIn = (results: readonly unknown[]) => results.filter((result) => result instanceof Error);

/** Upload, conversion and download by separate calls, with the reads that the meter makes. */
const convert = async (accountId: string, limit: number): Promise<"converted"> => {
  const { dynamo } = conflicting;
  const [uploads, jobs, quotas] = [dynamoUploads(dynamo), dynamoJobs(dynamo), dynamoQuotas(dynamo)];
  const upload = uploadRecord({ accountId });
  await quotas.used(accountId, MONTH);
  await uploads.createUpload(upload, claimOf(accountId, limit, "upload"));
  const job = jobRecord({ id: newId("job", NOW, randomBytes), accountId, uploadId: upload.id });
  await jobs.createJob(job, claimOf(accountId, limit));
  await jobs.claim(job.id, NOW);
  await jobs.finish(job.id, 1, completedOutcome(job.id, 1), NOW);
  await quotas.take(claimOf(accountId, limit, "download"));
  return "converted";
};

const useOf = (accountId: string) => dynamoQuotas(stored).useOf(accountId, MONTH);

const sumOf = (kind: UseKind, { days }: Awaited<ReturnType<typeof useOf>>): number =>
  [...days.values()].reduce((sum, counts) => sum + (counts[kind] ?? 0), 0);

describe("one account with a large quota", () => {
  it("converts 100 files a second, of which fewer than 0.1 % fail, with exact counts", async () => {
    const CONVERSIONS = 200;
    const results = await atRate(100, CONVERSIONS, () => convert("acc_1", 1_000_000));
    expect(failuresIn(results)).toEqual([]);
    expect(conflicting.conflicts()).toBeGreaterThan(0);
    const use = await useOf("acc_1");
    expect(use.used).toBe(3 * CONVERSIONS);
    for (const kind of ["upload", "convert", "download", "completed"] as const) {
      expect(sumOf(kind, use)).toBe(CONVERSIONS);
    }
  });

  it("uses its last unit and not one more, with 400 requests a second", async () => {
    const [limit, used] = [QUOTA_SHARDED_MIN, QUOTA_SHARDED_MIN - 300];
    await putMonth({ used, "3c": used });
    const taken = await atRate(400, 400, () => dynamoQuotas(conflicting.dynamo).take(claimOf("acc_1", limit)));
    expect(failuresIn(taken)).toEqual([]);
    expect(taken.filter((each) => each === true)).toHaveLength(300);
    const use = await useOf("acc_1");
    expect([use.used, sumOf("convert", use)]).toEqual([limit, limit]);
  });

  it("applies a raised limit and then a lower one exactly, while it sends 200 requests a second", async () => {
    const [low, high] = [QUOTA_SHARDED_MIN, 2 * QUOTA_SHARDED_MIN];
    await putMonth({ used: low - 60 });
    const take = (limit: number) => () => dynamoQuotas(conflicting.dynamo).take(claimOf("acc_1", limit));
    const first = await atRate(200, 90, take(low));
    const second = await atRate(200, 90, take(high));
    const third = await atRate(200, 30, take(low));
    const fourth = await atRate(200, 40, take(low + 120));
    expect(failuresIn([...first, ...second, ...third, ...fourth])).toEqual([]);
    expect([first, second, third, fourth].map((each) => each.filter((taken) => taken === true).length)).toEqual([
      60, 90, 0, 30,
    ]);
    expect((await useOf("acc_1")).used).toBe(low + 120);
  });

  it("never exceeds the limit of a request while requests with two limits arrive", async () => {
    const [low, high] = [QUOTA_SHARDED_MIN, QUOTA_SHARDED_MIN + 60];
    await putMonth({ used: low - 60 });
    const taken = await atRate(100, 60, (index) =>
      dynamoQuotas(conflicting.dynamo).take(claimOf("acc_1", index % 20 < 10 ? high : low)),
    );
    const accepted = taken.filter((each) => each === true).length;
    const { used } = await useOf("acc_1");
    expect(used).toBe(low - 60 + accepted);
    expect(used).toBeLessThanOrEqual(high);
  });

  it("is counted in one record again after a change to a small plan", async () => {
    const { dynamo } = conflicting;
    await atRate(200, 100, () => dynamoQuotas(dynamo).take(claimOf("acc_1", QUOTA_SHARDED_MIN)));
    const small = await atRate(5, 30, () => dynamoQuotas(dynamo).take(claimOf("acc_1", 120)));
    expect(small.filter((each) => each === true)).toHaveLength(20);
    expect((await useOf("acc_1")).used).toBe(120);
    const month = await readMonth(stored, { accountId: "acc_1", month: MONTH });
    expect(month.used).toBe(120);
  });

  it("gets back the requests of failed jobs, before and after a change of its plan", async () => {
    const jobs = dynamoJobs(conflicting.dynamo);
    const ids: string[] = [];
    await atRate(100, 60, async () => {
      const job = jobRecord({ id: newId("job", NOW, randomBytes), accountId: "acc_1" });
      ids.push(job.id);
      await jobs.createJob(job, claimOf("acc_1", QUOTA_SHARDED_MIN));
      await jobs.claim(job.id, NOW);
    });
    const fail = (id: string) => jobs.finish(id, 1, failedRecord(true), NOW);
    await atRate(100, 30, (index) => fail(ids[index] ?? ""));
    expect((await useOf("acc_1")).used).toBe(30);
    // Closes the shards, which then cannot take requests back.
    await time.until(dynamoQuotas(conflicting.dynamo).take(claimOf("acc_1", 100)));
    await atRate(100, 30, (index) => fail(ids[30 + index] ?? ""));
    const use = await useOf("acc_1");
    expect([use.used, sumOf("failed", use)]).toEqual([1, 60]);
    const taken = await atRate(5, 100, () => dynamoQuotas(conflicting.dynamo).take(claimOf("acc_1", 100)));
    expect(taken.filter((each) => each === true)).toHaveLength(99);
  });

  it("repeats a request with the same idempotency key without a second count", async () => {
    const job = jobRecord({ accountId: "acc_1" });
    const idempotency = { key: "acc_1#createJob#1", requestHash: "ab", expiresAt: NOW + 1_000 };
    const create = (id: string) =>
      dynamoJobs(conflicting.dynamo).createJob({ ...job, id }, claimOf("acc_1", QUOTA_SHARDED_MIN), idempotency);
    const results = await atRate(1_000, 20, (index) => create(`job_${index}`));
    expect(results.filter((each) => !(each instanceof Error) && each.outcome === "created")).toHaveLength(1);
    expect(results.filter((each) => !(each instanceof Error) && each.outcome === "replayed")).toHaveLength(19);
    expect((await useOf("acc_1")).used).toBe(1);
  });
});

describe("one account with a small quota", () => {
  it("has one record per month, whatever it does", async () => {
    await atRate(5, 20, () => convert("acc_1", 5_000));
    const { items } = await readMonth(stored, { accountId: "acc_1", month: MONTH });
    expect(items).toHaveLength(1);
    expect(items[0]).not.toHaveProperty("granted");
  });

  it("conflicts with itself at the rate that a large quota allows", async () => {
    // First, the shards get their units.
    await atRate(100, 60, () => convert("acc_2", 1_000_000));
    const conflictsOf = async (accountId: string, limit: number): Promise<number> => {
      const before = conflicting.conflicts();
      await atRate(100, 40, () => convert(accountId, limit));
      return conflicting.conflicts() - before;
    };
    const large = await conflictsOf("acc_2", 1_000_000);
    expect(await conflictsOf("acc_1", 5_000)).toBeGreaterThan(2 * large);
    // Only accepted requests are counted.
    const use = await useOf("acc_1");
    expect(use.used).toBe(sumOf("upload", use) + sumOf("convert", use) + sumOf("download", use));
  });
});

describe("shards of a month", () => {
  it("lose no unit when a writer closes one too late", async () => {
    const limit = QUOTA_SHARDED_MIN;
    // The month counted 9,960 requests itself, and its shards 15 of the 40 units that they got.
    await putMonth({ used: limit, granted: 40, opened: 3, limit });
    await putMonth({ period: `${MONTH}#00`, used: 10, granted: 20, limit });
    await putMonth({ period: `${MONTH}#01`, used: 5, granted: 20 });
    expect((await useOf("acc_1")).used).toBe(limit - 25);
    const taken = [];
    for (let count = 0; count < 30; count += 1) {
      taken.push(await dynamoQuotas(stored).take(claimOf("acc_1", limit)));
    }
    expect(taken).toEqual([...Array(25).fill(true), ...Array(5).fill(false)]);
    expect((await useOf("acc_1")).used).toBe(limit);
  });

  it("are as many as the requests need, and counted together", async () => {
    await dynamoQuotas(stored).take(claimOf("acc_1", QUOTA_SHARDED_MIN));
    expect((await readMonth(stored, { accountId: "acc_1", month: MONTH })).shards).toHaveLength(1);
    await atRate(100, 200, () => dynamoQuotas(conflicting.dynamo).take(claimOf("acc_1", QUOTA_SHARDED_MIN)));
    const { shards } = await readMonth(stored, { accountId: "acc_1", month: MONTH });
    expect(shards.length).toBeGreaterThan(QUOTA_SHARDS / 2);
    expect(shards.length).toBeLessThanOrEqual(QUOTA_SHARDS);
    expect((await useOf("acc_1")).used).toBe(201);
  });
});

const putMonth = async (counts: object): Promise<void> => {
  const Item = { accountId: "acc_1", period: MONTH, ...counts };
  await stored.client.send(new PutCommand({ TableName: stored.tables.quotas, Item }));
};
